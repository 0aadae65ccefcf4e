# Finds every package that the libraries link. Included by the project's own build and, installed beside
# harnessgConfig.cmake, by projects that use the libraries; so it names no path of either.
# Reads HARNESSG_ENCODER and HARNESSG_OPENVINO_HINTS (folders to look for OpenVINO in).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED)  # before faiss, whose target names it
find_package(faiss CONFIG REQUIRED)
find_package(RocksDB CONFIG REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc i18n)
find_package(Boost REQUIRED COMPONENTS graph)
find_package(TBB CONFIG REQUIRED COMPONENTS tbb)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(tl-expected CONFIG REQUIRED)
find_package(CURL REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(HARNESSG_ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(HARNESSG_XXHASH REQUIRED IMPORTED_TARGET libxxhash)

# FAISS names the BLAS that the system's alternatives point to. BLIS, by its own folder, is put before it, so that the
# loader asks BLIS first, whatever the alternatives say.
find_library(HARNESSG_BLIS_LIBRARY blis PATH_SUFFIXES blis-pthread REQUIRED)
find_path(HARNESSG_BLIS_INCLUDE blis.h PATH_SUFFIXES blis-pthread REQUIRED)
mark_as_advanced(HARNESSG_BLIS_LIBRARY HARNESSG_BLIS_INCLUDE)
if(NOT TARGET harnessg::blis)
  add_library(harnessg::blis UNKNOWN IMPORTED)
  set_target_properties(harnessg::blis PROPERTIES
    IMPORTED_LOCATION ${HARNESSG_BLIS_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${HARNESSG_BLIS_INCLUDE})
  get_target_property(HARNESSG_FAISS_LIBRARIES faiss INTERFACE_LINK_LIBRARIES)
  set_target_properties(faiss PROPERTIES INTERFACE_LINK_LIBRARIES "harnessg::blis;${HARNESSG_FAISS_LIBRARIES}")
endif()

if(HARNESSG_ENCODER)
  find_package(OpenVINO CONFIG HINTS ${HARNESSG_OPENVINO_HINTS})
  if(NOT OpenVINO_FOUND)
    message(FATAL_ERROR "OpenVINO was not found: run `make setup`, give -DOpenVINO_DIR=..., "
      "or build without the encoder by -DHARNESSG_ENCODER=OFF")
  endif()
  # OpenVINO's folder has a libtbb.so.12 of its own. A process loads one library of a name, so TBB::tbb is that one:
  # nothing depends on the order in which the loader looks.
  get_target_property(HARNESSG_OPENVINO_LIBRARY openvino::runtime LOCATION)
  cmake_path(REPLACE_FILENAME HARNESSG_OPENVINO_LIBRARY libtbb.so.12 OUTPUT_VARIABLE HARNESSG_OPENVINO_TBB)
  if(EXISTS ${HARNESSG_OPENVINO_TBB})
    get_target_property(HARNESSG_TBB_CONFIGURATIONS TBB::tbb IMPORTED_CONFIGURATIONS)
    foreach(configuration IN LISTS HARNESSG_TBB_CONFIGURATIONS)
      set_target_properties(TBB::tbb PROPERTIES IMPORTED_LOCATION_${configuration} ${HARNESSG_OPENVINO_TBB})
    endforeach()
  endif()
endif()
