# Installs the build tree given by BUILD into WORK, builds the consumer against it plainly and for
# the native machine, runs both, and compares what they print. The plain one compiles every header.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run("installing" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed
  --component development)

set(first "")
foreach(native OFF ON)
  run("configuring the consumer" ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/${native} -G Ninja
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_PREFIX_PATH=${WORK}/installed -DCONSUMER_NATIVE=${native})
  run("building the consumer" ${CMAKE_COMMAND} --build ${WORK}/${native})
  execute_process(COMMAND ${WORK}/${native}/consumer RESULT_VARIABLE code OUTPUT_VARIABLE printed)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "the consumer (native ${native}) returned ${code}:\n${printed}")
  endif()
  if(first STREQUAL "")
    set(first "${printed}")
  elseif(NOT first STREQUAL printed)
    message(FATAL_ERROR "plain and native consumers disagree:\n${first}\n${printed}")
  endif()
endforeach()
message(STATUS "${first}")
