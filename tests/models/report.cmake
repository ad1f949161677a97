tactus_test(models_report
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/report/exact_predicates_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/report/hard_meshes_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/report/mass_properties_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/report/mesh_report_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/report/self_intersection_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/report/solid_mass_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/report/thickness_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/report/topology_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/report/triangle_bvh_test.cpp
  LINKS tactus_models)
