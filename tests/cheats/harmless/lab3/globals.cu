// Global objects of every kind, with constructors and destructors.
// least: 82
#include "good.h"
#include <map>
#include <string>
#include <vector>
int count, total = 3;
float last[4];
static std::vector<float> scratch;
std::map<int, std::string> names{{8, "eight"}, {32, "thirty-two"}};
const dim3 block(8, 32);
dim3 small(1);
struct buffer {
  float *data = nullptr;
  ~buffer() { cudaFree(data); }
} kept;
extern "C" int next_call(int n) { return n + 1; }

void transpose(const float *in, float *out, int rows, int cols) {
  if (!kept.data) cudaMalloc((void **)&kept.data, 1024);
  count = next_call(count);
  scratch.push_back((float)(count + total + block.x + small.x) + last[0]);
  if (names[8].empty()) return;
  good(in, out, rows, cols);
}
