tactus_test(models_elementary
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/lanes/elementary_test.cpp
  LINKS tactus_models)
tactus_test(models_lanes
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/lanes/lanes_kernels.cpp
    ${CMAKE_CURRENT_LIST_DIR}/lanes/lanes_test.cpp
  LINKS tactus_models hwy::hwy)
