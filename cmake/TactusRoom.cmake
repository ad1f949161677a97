# Strangers compile with other flags than we do, our own program does not: so this is done to what is
# installed, and to what another project builds as a part of itself. See own_copies.cmake.
set(TACTUS_OWN_COPIES "")
if(CMAKE_OBJCOPY AND CMAKE_NM AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT TACTUS_SANITIZE)
  set(TACTUS_OWN_COPIES -DLINKER=${CMAKE_LINKER} -DNM=${CMAKE_NM} -DOBJCOPY=${CMAKE_OBJCOPY}
    -DAR=${CMAKE_AR} -P ${CMAKE_CURRENT_LIST_DIR}/own_copies.cmake)
endif()

# tactus_room(NAME [HEADERS_ONLY] [INNER_LOOPS] [KNOWS room...] [READS header...]): the one library
# target of a top-level folder; READS names what most of its sources read and is long, INNER_LOOPS says
# that each source is compiled on its own for the sake of speed.
# Sources and public headers are listed by name by the folder itself (tactus_files), so that a file
# that is forgotten is a build error and not a surprise.
function(tactus_room name)
  cmake_parse_arguments(arg "HEADERS_ONLY;INNER_LOOPS" "" "KNOWS;READS" ${ARGN})
  if(arg_HEADERS_ONLY)
    set(scope INTERFACE)
    add_library(tactus_${name} INTERFACE)
  else()
    set(scope PUBLIC)
    add_library(tactus_${name} STATIC)
    target_link_libraries(tactus_${name} PRIVATE $<BUILD_INTERFACE:tactus_flags>)
  endif()
  add_library(tactus::${name} ALIAS tactus_${name})
  set_target_properties(tactus_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(tactus_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tactus>)
  target_compile_features(tactus_${name} ${scope} cxx_std_20)
  # Eigen's alignment follows the vector flags of whoever includes it. Fixed at 16 bytes, a consumer
  # built with -march=native and a library built without agree on the layout of every type.
  target_compile_definitions(tactus_${name} ${scope} EIGEN_MAX_STATIC_ALIGN_BYTES=16)
  target_link_libraries(tactus_${name} ${scope} Eigen3::Eigen)
  foreach(other IN LISTS arg_KNOWS)
    target_link_libraries(tactus_${name} ${scope} tactus_${other})
  endforeach()
  if(NOT arg_HEADERS_ONLY)
    tactus_precompile(tactus_${name} <Eigen/Geometry> ${arg_READS})
    if(TACTUS_SANITIZE OR NOT arg_INNER_LOOPS)
      tactus_unity(tactus_${name})
    endif()
  endif()
  if(TACTUS_OWN_COPIES AND NOT PROJECT_IS_TOP_LEVEL AND NOT arg_HEADERS_ONLY)
    add_custom_command(TARGET tactus_${name} POST_BUILD VERBATIM
      COMMAND ${CMAKE_COMMAND} -DARCHIVE=$<TARGET_FILE:tactus_${name}> ${TACTUS_OWN_COPIES})
  endif()
  set_property(GLOBAL APPEND PROPERTY TACTUS_ROOMS tactus_${name})
endfunction()

# tactus_files(ROOM [HEADERS file...] [SOURCES file...]): files of the calling folder. Headers are
# public and are installed under the same path by which they are included; those that only our own
# sources may read (they need Highway or SQLite) are listed as sources.
function(tactus_files name)
  cmake_parse_arguments(arg "" "" "HEADERS;SOURCES" ${ARGN})
  if(arg_SOURCES)
    list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    target_sources(tactus_${name} PRIVATE ${arg_SOURCES})
    # In the vector kernels UBSan would check each lane of each operation, four times over: one file
    # took ten minutes to compile. ASan stays.
    if(TACTUS_SANITIZE)
      foreach(source IN LISTS arg_SOURCES)
        file(STRINGS ${source} lanes REGEX "models/lanes/lanes.hpp" LIMIT_COUNT 1)
        if(lanes)
          set_source_files_properties(${source} TARGET_DIRECTORY tactus_${name}
            PROPERTIES COMPILE_OPTIONS -fno-sanitize=undefined SKIP_PRECOMPILE_HEADERS ON)
        endif()
      endforeach()
    endif()
  endif()
  if(arg_HEADERS)
    list(TRANSFORM arg_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    get_target_property(type tactus_${name} TYPE)
    set(scope PUBLIC)
    if(type STREQUAL INTERFACE_LIBRARY)
      set(scope INTERFACE)
    endif()
    target_sources(tactus_${name} ${scope} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
      FILES ${arg_HEADERS})
  endif()
endfunction()
