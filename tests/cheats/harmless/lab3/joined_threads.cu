// Two host threads, each with a stream, joined.
// least: 82
#include "good.h"
#include <thread>
#include <vector>

void transpose(const float *in, float *out, int rows, int cols) {
  std::vector<std::thread> threads;
  for (int part = 0; part < 2; part++)
    threads.emplace_back([=] {
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      if (part == 0) good(in, out, rows, cols, stream);
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
    });
  for (auto &thread : threads) thread.join();
}
