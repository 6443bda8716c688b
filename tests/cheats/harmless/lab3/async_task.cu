// std::async, a mutex, random numbers: what a first program has about it.
// least: 82
#include "good.h"
#include <cmath>
#include <future>
#include <mutex>
#include <random>
static std::mutex lock;

void transpose(const float *in, float *out, int rows, int cols) {
  std::mt19937 generator{1};
  auto task = std::async(std::launch::async, [&] { return std::sqrt(std::uniform_real_distribution<float>{1, 2}(generator)); });
  std::lock_guard<std::mutex> guard(lock);
  if (task.get() > 0) good(in, out, rows, cols);
}
