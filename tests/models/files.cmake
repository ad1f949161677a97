tactus_test(models_files
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/files/bad_files_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/files/byte_stream_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/files/corpus_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/files/gltf_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/files/mesh_writer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/files/polygon_cutter_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/files/text_formats_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/files/toml_entries_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/files/vertex_welder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/files/words_test.cpp
  LINKS tactus_models)
