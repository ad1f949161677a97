tactus_test(models_mesh
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/mesh/fixture_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/mesh/mesh_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/mesh/nearest_name_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/mesh/parallel_for_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/mesh/parallel_while_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/mesh/result_test.cpp
  LINKS tactus_models)
