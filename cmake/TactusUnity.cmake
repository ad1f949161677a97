# Sources of a target are compiled a few in one, for most of the time goes into headers that all of them
# read: a third of the time for all there is. Which go together is found out anew at each configuring
# (sources_together.awk): those that define no name twice. A name that is new since then and clashes is
# an error that configuring mends; tactus.sh looks for it before it builds. Rooms with inner loops stay
# as they are, for what the compiler inlines depends on what else it sees; not with sanitizers, where
# nobody looks at the time.

# tactus_unity(TARGET): compile its sources so.
function(tactus_unity target)
  set_property(GLOBAL APPEND PROPERTY TACTUS_UNITY_TARGETS ${target})
endfunction()

# tactus_form_unity(): to be called when all targets have all their sources.
function(tactus_form_unity)
  get_property(targets GLOBAL PROPERTY TACTUS_UNITY_TARGETS)
  set(lines "")
  foreach(target IN LISTS targets)
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
      if(source MATCHES "[.]cpp$")
        string(APPEND lines "${target}\t${source}\n")
      endif()
    endforeach()
  endforeach()
  file(WRITE ${PROJECT_BINARY_DIR}/unity_sources.txt "${lines}")
  execute_process(
    COMMAND awk -f ${PROJECT_SOURCE_DIR}/cmake/sources_together.awk
      ${PROJECT_BINARY_DIR}/unity_sources.txt
    OUTPUT_FILE ${PROJECT_BINARY_DIR}/unity_groups.txt COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${PROJECT_BINARY_DIR}/unity_groups.txt groups)
  set(number 0)
  foreach(group IN LISTS groups)
    string(REPLACE "\t" ";" group "${group}")
    list(POP_FRONT group target)
    list(LENGTH group length)
    math(EXPR number "${number} + 1")
    if(length EQUAL 1)
      set_source_files_properties(${group} TARGET_DIRECTORY ${target}
        PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    else()
      set_source_files_properties(${group} TARGET_DIRECTORY ${target}
        PROPERTIES UNITY_GROUP ${number})
    endif()
  endforeach()
  foreach(target IN LISTS targets)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endforeach()
endfunction()
