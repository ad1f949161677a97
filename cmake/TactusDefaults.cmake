# What every target of ours is compiled with. Nothing here reaches a consumer of the installed
# libraries; what they must share is on tactus_room() as a public definition.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

find_program(TACTUS_CCACHE ccache)
if(TACTUS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What one checkout has compiled is found again in another, for paths count from the checkout's
  # top; and so is what is compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${TACTUS_CCACHE})
endif()

add_library(tactus_flags INTERFACE)
target_compile_features(tactus_flags INTERFACE cxx_std_20)
# Eigen's packets sum in another order for each vector width. Ours are lanes.hpp, where that matters.
target_compile_definitions(tactus_flags INTERFACE EIGEN_DONT_VECTORIZE)
target_compile_options(tactus_flags INTERFACE
  -Wall -Wextra -Wconversion -Wpedantic -Wold-style-cast -Wnon-virtual-dtor
  # One multiply and one add, always: a fused one rounds once instead of twice, so the same pose
  # would give other bytes on a machine with FMA than on one without.
  -ffp-contract=off
  # g++ 12 warns of overlapping copies in "text" + std::string that cannot happen (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(NOT TACTUS_UNITY)
  target_compile_options(tactus_flags INTERFACE -Wshadow)
else()
  # What one source calls its own is no shadow over another one's, and what is included is no header
  # whose types others would see; and g++ 12 finds, in long files at -O3, lengths of std::string that
  # wrap (of its bug 105651's kind).
  target_compile_options(tactus_flags INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local;-Wno-subobject-linkage;-Wno-stringop-overflow>)
endif()
if(TACTUS_WERROR)
  target_compile_options(tactus_flags INTERFACE -Werror)
endif()

# The presets with sanitizers compile by clang with -O1 -g1: of g++ the same takes three times as
# long, and vector kernels are twenty times as slow with it, for it checks every copy of a register.
# Two of the four versions of a vector kernel have the same loads and stores in them as all of them.
if(TACTUS_SANITIZE)
  # TACTUS_SANITIZED is for tests of memory: no macro of the compilers is known to both.
  target_compile_definitions(tactus_flags INTERFACE TACTUS_FEW_TARGETS TACTUS_SANITIZED)
  target_compile_options(tactus_flags INTERFACE
    -fsanitize=${TACTUS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    # Instrumented code hides from g++ 12 that std::regex initialises its members.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(tactus_flags INTERFACE -fsanitize=${TACTUS_SANITIZE})
endif()

# tactus_precompile(TARGET header...): reads these and the usual standard headers once for all sources
# of a target, for reading is most of compiling the usual one of ours. A source that forgets an
# include is found in .ci/run: by clang-tidy in a small change, by the preset `debug` in all there is.
function(tactus_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN} <algorithm> <array> <cmath> <cstdint>
    <filesystem> <functional> <limits> <memory> <optional> <span> <string> <string_view> <vector>)
  # for ccache
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
