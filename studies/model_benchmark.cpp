#include "studies/model_benchmark.hpp"
