tactus_test(builtin_test SOURCES builtin_test.cpp LINKS tactus_models)
