# How our own targets are compiled. Nothing here is global: harnessg_library() and harnessg_executable() apply it.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
find_program(HARNESSG_CCACHE ccache DOC "Compiler cache, used when it is there")
mark_as_advanced(HARNESSG_CCACHE)

function(harnessg_target_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    EXPORT_COMPILE_COMMANDS ON
    INSTALL_RPATH_USE_LINK_PATH ON
    POSITION_INDEPENDENT_CODE ON)
  if(HARNESSG_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER ${HARNESSG_CCACHE})
  endif()
  # Sums must not change with the machine: no fused multiply-add behind our back.
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off)
  # GCC 12 sees overlapping copies in std::string's operator+ that are not there (its bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(HARNESSG_DEVELOPER)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(HARNESSG_SANITIZE)
    target_compile_options(${target} PRIVATE
      -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined)
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# harnessg_library(data SOURCES...) makes the static library harnessg_data, alias harnessg::data. Its headers are
# included from the root of the project, or of the installed include folder.
function(harnessg_library folder)
  set(target harnessg_${folder})
  add_library(${target} STATIC ${ARGN})
  add_library(harnessg::${folder} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/harnessg>)
  harnessg_target_settings(${target})
endfunction()

# harnessg_executable(target SOURCES...) makes a program that sees headers from the root of the project.
function(harnessg_executable target)
  add_executable(${target} ${ARGN})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  harnessg_target_settings(${target})
endfunction()
