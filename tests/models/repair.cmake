tactus_test(models_repair
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/repair/cut_slivers_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/repair/repair_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/repair/winding_number_test.cpp
  LINKS tactus_models)
