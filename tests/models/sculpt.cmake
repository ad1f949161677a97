tactus_test(models_sculpt
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/sculpt/distance_program_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sculpt/sculpture_mesher_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sculpt/sculpture_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sculpt/surface_extraction_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sculpt/surface_mesh_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sculpt/untangling_test.cpp
  LINKS tactus_models)
