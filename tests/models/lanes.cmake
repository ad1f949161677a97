tactus_test(lanes_elementary_test
  SOURCES lanes/elementary_test.cpp
  LINKS tactus_models)
