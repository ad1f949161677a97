# cmake -DARCHIVE=… -DLINKER=… -DNM=… -DOBJCOPY=… -DAR=… -P own_copies.cmake
# Makes the copies of inline functions in a static library its own. Otherwise the linker keeps any
# one of several: of Eigen's product, say, one that the program was compiled with fused
# multiply-adds, and the library would compute other bytes in that program than in others.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(whole ${ARCHIVE}.whole.o)
set(inlines ${ARCHIVE}.inlines)
set(constants ${ARCHIVE}.constants)
# One object of all, so that its sources still share a copy; groups of copies become plain code.
run(${LINKER} -r --force-group-allocation --whole-archive ${ARCHIVE} -o ${whole})
execute_process(COMMAND ${NM} --defined-only ${whole} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
# W: functions. u: variables within them, which the program shares, whoever has the first.
foreach(kind IN ITEMS "W inlines" "u constants")
  separate_arguments(kind)
  list(GET kind 0 letter)
  list(GET kind 1 file)
  string(REGEX MATCHALL " ${letter} [^\n]+" found "${symbols}")
  list(TRANSFORM found REPLACE "^ ${letter} " "")
  list(JOIN found "\n" found)
  file(WRITE ${${file}} "${found}\n")
endforeach()
run(${OBJCOPY} --localize-symbols=${inlines} --weaken-symbols=${constants} ${whole})
file(REMOVE ${ARCHIVE})
run(${AR} qcs ${ARCHIVE} ${whole})
file(REMOVE ${whole} ${inlines} ${constants})
