/* test_class_similar.c: what of a file is compared, what the similarity tester's words mean, and
 * which files it finds alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/base/text.h"
#include "grader/class/report/similar.h"
#include "grader/sandbox/process.h"

static const char skeleton[] =
    "#include <cstdio>\n"
    "__global__ void product(const float *A, float *C, int n) {\n"
    "  // TODO(1) Write it.\n"
    "  (void)A, (void)C, (void)n;\n"
    "}\n"
    "void matmul() { product<<<1, 1>>>(0, 0, 0); }\n";

static void expect_strip(const char *text, const char *given, const char *wanted) {
  autofree char *got = similar_strip(text, given);
  assert_string_equal(got, wanted);
}

static void test_strip(void **state) {
  (void)state;
  expect_strip(skeleton, skeleton, "");
  expect_strip(
      "#include <cstdio>\n"
      "/* __global__ { in a comment */\n"
      "__device__ float square(float x)\n"
      "{\n"
      "  return x * x; // its square }\n"
      "}\n"
      "__global__ void product(const float * A, float *C, int n) {\n"
      "\n"
      "  /* two\n     lines { */ int i = threadIdx.x;\n"
      "  const char *word = \"} // no comment\", quote = '\"';\n"
      "  if (i < n) { C[i] = square(A[i]); }\n"
      "}\n"
      "void matmul() { puts(\"host\"); }\n",
      skeleton,
      "__device__ float square(float x)\n"
      "{\n"
      "  return x * x;\n"
      "                int i = threadIdx.x;\n"
      "  const char *word = \"} // no comment\", quote = '\"';\n"
      "  if (i < n) { C[i] = square(A[i]); }\n");
  expect_strip("int host_only = 1;\n// gone\n", skeleton, "int host_only = 1;\n");
  expect_strip("__global__ void never_closed() {\n  int a;\n", NULL,
               "__global__ void never_closed() {\n  int a;\n");
  expect_strip("", NULL, "");
  expect_strip("\"open", NULL, "\"open\n");
  expect_strip("/* open", NULL, "");
}

static void test_parse(void **state) {
  (void)state;
  static const char good[] =
      "Total input: 3 files (3 new, 0 old), 70 tokens\n\n"
      "2 consists for 100 % of 0 material\n"
      "0 consists for 61 % of 2 material\n";
  int percent[9] = {0};
  char *error = NULL;
  assert_true(similar_parse(good, 3, percent, &error));
  assert_int_equal(percent[2 * 3 + 0], 100);
  assert_int_equal(percent[0 * 3 + 2], 61);
  assert_int_equal(percent[1 * 3 + 2], 0);
  static const char *const bad[] = {
      "",
      "Total input: 2 files (2 new, 0 old), 70 tokens\n",
      "0 consists for 61 % of 2 material\n",
      "Total input: 3 files (3 new, 0 old), 70 tokens\n0 consists for 61 % of 3 material\n",
      "Total input: 3 files (3 new, 0 old), 70 tokens\n0 consists for 161 % of 2 material\n",
      "Total input: 3 files (3 new, 0 old), 70 tokens\n0 consists for 6 % of 2 material, maybe\n",
      "Total input: 3 files (3 new, 0 old), 70 tokens\nFile 1: >>>> cannot open <<<<\n",
      "Total input: 3 files (3 new, 0 old), 70 tokens\n\033[2J\n",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_false(similar_parse(bad[i], 3, percent, &error));
    assert_non_null(error);
    assert_null(strchr(error, '\033'));
    free(error);
    error = NULL;
  }
}

static const char original[] =
    "__global__ void product(const float *A, const float *B, float *C, int n) {\n"
    "  int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  int column = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (row >= n || column >= n) return;\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + column];\n"
    "  C[row * n + column] = sum;\n"
    "}\n";
static const char renamed[] =
    "__global__ void p(const float *a, const float *b, float *c, int size) {\n"
    "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (y >= size || x >= size) return;\n"
    "  float total = 0;\n"
    "  for (int i = 0; i < size; i++) total += a[y * size + i] * b[i * size + x];\n"
    "  c[y * size + x] = total;\n"
    "}\n";
static const char other[] =
    "__global__ void p(float4 *to, const float4 *from) {\n"
    "  __shared__ float4 tile[8][33];\n"
    "  for (int step = 0; step < 4; ++step) tile[step + threadIdx.y][threadIdx.x] = from[step];\n"
    "  __syncthreads();\n"
    "  while (to != nullptr) { *to++ = tile[threadIdx.y & 7][(threadIdx.x ^ 3) % 33]; break; }\n"
    "}\n";

static void test_compare(void **state) {
  (void)state;
  autofree char *program = program_find("sim_c++");
  if (!program) skip();
  autofree char *spaced = xprintf("\n\n   %s", original);
  struct similar_file files[] = {
      {.student = "a", .text = (char *)original}, {.student = "b", .text = (char *)other},
      {.student = "c", .text = spaced},           {.student = "d", .text = (char *)renamed},
      {.student = "e", .text = "int i;\n"},
  };
  struct similar similar;
  char *error = NULL;
  assert_int_equal(similar_compare(files, 5, &similar, &error), 0);
  assert_int_equal(similar.same_as[2], 0);
  assert_int_equal(similar.same_as[3], 3);
  assert_true(similar.too_short[4]);
  assert_int_equal(similar.compared, 3);
  assert_int_equal(similar.pair_count, 3);
  assert_int_equal(similar.pairs[0].a, 0);
  assert_int_equal(similar.pairs[0].b, 3);
  assert_int_equal(similar_percent(&similar.pairs[0]), 100);
  assert_true(similar_percent(&similar.pairs[1]) < 50);
  similar_free(&similar);
  assert_int_equal(similar_compare(files, 0, &similar, &error), 0);
  assert_int_equal(similar.pair_count, 0);
  similar_free(&similar);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_strip),
      cmocka_unit_test(test_parse),
      cmocka_unit_test(test_compare),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
