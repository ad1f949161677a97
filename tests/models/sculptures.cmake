tactus_test(models_sculptures
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/sculptures/clay_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sculptures/solid_grid.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sculptures/sculptures_test.cpp
  LINKS tactus_models)
