// Nobody looks at what cudaMalloc returned; the host then uses a null pointer.
#include <cstdio>

int main() {
  int *p = nullptr;
  cudaMalloc(&p, (size_t)1 << 50);
  printf("%d\n", p[0]);
}
