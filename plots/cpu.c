/* cpu.c: measures the product that labs 1 and 2 speed up, as a C programmer would first write it:
 * three loops, one thread. Prints plots/data/cpu.tsv; `make data-cpu` builds it (gcc -O2), runs it.
 *
 *     cpu [RUNS [SIZE...]]      default: 20 runs of 100 500 700 1000 2000
 *
 * Time is the thread's (CLOCK_THREAD_CPUTIME_ID): other programs on the machine take none of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNS = 1000 };

/* C = A x B, all n x n and row-major. Not inlined, lest the compiler see that nobody needs C. */
__attribute__((noinline)) static void product(const float *A, const float *B, float *C, int n) {
  for (int row = 0; row < n; row++) {
    for (int column = 0; column < n; column++) {
      float sum = 0.0f;
      for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + column];
      C[row * n + column] = sum;
    }
  }
}

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Prints a line: size, median and standard deviation of `runs` runs in ns. */
static void measure(int n, int runs) {
  size_t elements = (size_t)n * (size_t)n;
  float *A = malloc(elements * sizeof *A), *B = malloc(elements * sizeof *B),
        *C = malloc(elements * sizeof *C);
  if (!A || !B || !C) {
    fprintf(stderr, "cpu: out of memory for %d x %d\n", n, n);
    exit(2);
  }
  for (size_t i = 0; i < elements; i++) {
    A[i] = (float)(i % 17) - 8.0f;
    B[i] = (float)(i % 13) - 6.0f;
  }
  product(A, B, C, n); /* the caches and the clock get warm */
  double times[MOST_RUNS], sum = 0, squares = 0;
  for (int i = 0; i < runs; i++) {
    double start = now_ns();
    product(A, B, C, n);
    times[i] = now_ns() - start;
    sum += times[i];
  }
  for (int i = 0; i < runs; i++) squares += (times[i] - sum / runs) * (times[i] - sum / runs);
  qsort(times, (size_t)runs, sizeof *times, by_value);
  double median = runs % 2 ? times[runs / 2] : (times[runs / 2 - 1] + times[runs / 2]) / 2;
  printf("%d\t%.0f\t%.0f\n", n, median, runs > 1 ? sqrt(squares / (runs - 1)) : 0.0);
  fflush(stdout);
  free(A);
  free(B);
  free(C);
}

/* "Intel(R) Xeon(R) ...", out of /proc/cpuinfo. */
static void print_cpu_name(void) {
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    printf("%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    fclose(file);
    return;
  }
  if (file) fclose(file);
  printf("unknown CPU");
}

int main(int argc, char **argv) {
  static const int sizes[] = {100, 500, 700, 1000, 2000};
  int runs = argc > 1 ? atoi(argv[1]) : 20;
  if (runs < 1 || runs > MOST_RUNS) {
    fprintf(stderr, "cpu: runs are 1 to %d\n", MOST_RUNS);
    return 2;
  }
  printf(
      "# The product of labs 1 and 2, n x n, as three plain loops in C on one thread, gcc -O2: "
      "thread time, median "
      "and standard deviation of %d runs.\n",
      runs);
  printf("# command: make data-cpu\n# source: one thread of ");
  print_cpu_name();
  printf(", gcc -O2, measured\n# size\tmedian_ns\tdeviation_ns\n");
  fflush(stdout);
  if (argc > 2) {
    for (int i = 2; i < argc; i++) measure(atoi(argv[i]), runs);
  } else {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) measure(sizes[i], runs);
  }
  return 0;
}
