tactus_test(models_parametric
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/parametric/boxes_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/parametric/every_model_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/parametric/gears_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/parametric/pins_and_holes_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/parametric/planar_fill_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/parametric/round_solids_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/parametric/surface_builder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/parametric/thread_test.cpp
  LINKS tactus_models)
