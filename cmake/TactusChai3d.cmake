# tactus_chai3d_module(TARGET): the shared module that holds CHAI3D (haptics/adapters/chai3d_table.hpp).
# CHAI3D is found by either spelling of its configuration file, as chai3d_DIR says where.
function(tactus_chai3d_module target)
  find_package(chai3d NAMES chai3d CHAI3D REQUIRED)
  # Of 3.3.0 the whole text of a file follows the number.
  string(REGEX MATCH "^[0-9]+[0-9.]*" version "${chai3d_VERSION}")
  add_library(${target} MODULE ${PROJECT_SOURCE_DIR}/haptics/adapters/chai3d_module.cpp)
  # Its own target says nothing about how to use it; and its headers ask for the system by a name that
  # its configuration file does not pass on.
  target_include_directories(${target} SYSTEM PRIVATE ${CHAI3D_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE ${CHAI3D_DEFINITIONS}
    $<$<PLATFORM_ID:Linux>:LINUX> TACTUS_CHAI3D_VERSION="${version}")
  target_link_directories(${target} PRIVATE ${CHAI3D_LIBRARY_DIRS})
  target_link_libraries(${target} PRIVATE ${CHAI3D_LIBRARIES})
  # Nothing of it is seen outside but the one function that is marked.
  target_link_options(${target} PRIVATE LINKER:--exclude-libs,ALL)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  # Our flags, but not what they define for our Eigen: CHAI3D was compiled with another.
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:tactus_flags,INTERFACE_COMPILE_OPTIONS>)
  target_link_options(${target} PRIVATE $<TARGET_PROPERTY:tactus_flags,INTERFACE_LINK_OPTIONS>)
endfunction()
