// With parts_main.cpp: a program of several files. Its kernel goes past the end in a header.
#include "parts.h"

__global__ void last(int *p, int n) {
  p[0] = n - 1;
  put_last(p, 1, n);
}
void launch(int *p, int n) { last<<<1, 1>>>(p, n); }
