tactus_test(models_scene
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/scene/scene_reader_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/scene/shipped_scenes_test.cpp
  LINKS tactus_models)
