// results.h: numbers that a program computes, on the device and on the host, and those that they
// should be.
#include <cstdio>

enum { MOST = 128 };
struct results {
  double got[MOST], want[MOST];
  int lines[MOST], count;
  __host__ __device__ void add(double is, double should_be, int line) {
    got[count] = is, want[count] = should_be, lines[count++] = line;
  }
};
#define IS(expression, value) r->add((double)(float)(expression), value, __LINE__)
#define HOLDS(expression) r->add((expression) ? 1 : 0, 1, __LINE__)

static int check(const char *where, const results *r) {
  int wrong = 0;
  for (int i = 0; i < r->count; i++) {
    if (r->got[i] == r->want[i]) continue;
    printf("%s, line %d: %.12g, not %.12g\n", where, r->lines[i], r->got[i], r->want[i]);
    wrong++;
  }
  printf("%s: %d of %d wrong\n", where, wrong, r->count);
  return wrong;
}
