// Host threads of OpenMP.
#include <cstdio>

extern "C" int omp_get_num_threads(void);

int main() {
  int threads = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  threads = omp_get_num_threads();
  printf("%d\n", threads);
}
