# `cmake --install build --prefix X`: the command, the libraries, their headers, and what find_package(harnessg) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(HARNESSG_INSTALLED_FOLDERS data builder menu engine credit)
set(HARNESSG_CMAKE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/harnessg)

foreach(folder IN LISTS HARNESSG_INSTALLED_FOLDERS)
  install(TARGETS harnessg_${folder} EXPORT harnessgTargets)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/harnessg
    FILES_MATCHING PATTERN "*.h" PATTERN sample EXCLUDE)
endforeach()

# The installed command finds OpenVINO where it was linked, also when that is inside this tree.
if(HARNESSG_ENCODER)
  set_target_properties(harnessg_cli PROPERTIES INSTALL_RPATH $<TARGET_FILE_DIR:openvino::runtime>)
endif()
install(TARGETS harnessg_cli)

install(EXPORT harnessgTargets NAMESPACE harnessg:: DESTINATION ${HARNESSG_CMAKE_FOLDER})
configure_package_config_file(cmake/harnessgConfig.cmake.in harnessgConfig.cmake
  INSTALL_DESTINATION ${HARNESSG_CMAKE_FOLDER} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(harnessgConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/harnessgConfig.cmake
  ${PROJECT_BINARY_DIR}/harnessgConfigVersion.cmake
  cmake/Packages.cmake
  DESTINATION ${HARNESSG_CMAKE_FOLDER})
