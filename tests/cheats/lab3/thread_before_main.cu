// A thread that a global object starts before main.
// most: 67
#include "slow.h"
#include <chrono>
#include <thread>
struct starter {
  std::thread thread{[] { std::this_thread::sleep_for(std::chrono::hours(1)); }};
} static started;

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
