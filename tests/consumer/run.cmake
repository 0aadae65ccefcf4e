# Installs the build into a fresh folder, builds tests/consumer against it by find_package, and runs it.
# cmake -DBUILD=... -DCONFIG=... -DCOMPILER=... -DGENERATOR=... -P run.cmake
set(prefix ${BUILD}/consumer/prefix)
set(binary ${BUILD}/consumer/build)
file(REMOVE_RECURSE ${prefix} ${binary})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY COMMAND_ECHO STDOUT)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --config ${CONFIG})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${binary} -G ${GENERATOR}
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${binary})
run(${binary}/consumer)
run(${prefix}/bin/harnessg --version)
