/* test_grader_provenance.c: two logs of what a host moved, made by hand; what the grader says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grader/base/text.h"
#include "grader/run/provenance.h"

extern const struct family family_copy, family_matmul, family_transpose;

static const long product_dims[] = {4, 4, 4}, turn_dims[] = {16, 16};

static void put(struct transfers *log, struct transfer_record record, const void *key,
                const void *data, const struct transfer_run *runs) {
  transfers_append(log, &record, sizeof record);
  transfers_append(log, key, record.key_bytes);
  if (data) transfers_append(log, data, record.data_bytes);
  if (record.runs) transfers_append(log, runs, record.runs * sizeof *runs);
}

static void put_call(struct transfers *log) {
  put(log, (struct transfer_record){.kind = TRANSFER_CALL}, "", NULL, NULL);
}

static void put_rows(struct transfers *log, uint32_t kind, int line, uint64_t address,
                     const uint32_t *words, size_t count, struct transfer_run run) {
  struct transfer_rows key = {address, count * 4, count * 4, 1};
  run.words = count;
  put(log,
      (struct transfer_record){.kind = kind,
                               .line = line,
                               .key_bytes = sizeof key,
                               .data_bytes = count * 4,
                               .runs = kind == TRANSFER_OUT},
      &key, words, &run);
}

static void put_out(struct transfers *log, const uint32_t *words, size_t count, uint64_t origin) {
  put_rows(log, TRANSFER_OUT, 3, 100, words, count, (struct transfer_run){0, origin});
}
static void put_in(struct transfers *log, const uint32_t *words, size_t count) {
  put_rows(log, TRANSFER_IN, 7, 200, words, count, (struct transfer_run){0, 0});
}

static void put_launch(struct transfers *log, uint32_t thread, uint64_t a, uint32_t b) {
  struct {
    struct transfer_launch head;
    uint32_t sizes[2];
    unsigned char params[12], name;
  } __attribute__((packed))
  key = {{{1, 1, 1}, {32, 1, 1}, 0, 2, sizeof key.params}, {8, 4}, {0}, 'k'};
  memcpy(key.params, &a, 8);
  memcpy(key.params + 8, &b, 4);
  put(log,
      (struct transfer_record){
          .kind = TRANSFER_LAUNCH, .line = 9, .thread = thread, .key_bytes = sizeof key},
      &key, NULL, NULL);
}

static void put_result(struct transfers *log, int count, const struct transfer_run *runs) {
  put(log,
      (struct transfer_record){
          .kind = TRANSFER_RESULT, .key_bytes = sizeof(uint64_t), .runs = (uint64_t)count},
      &(uint64_t){0}, NULL, runs);
}

static void computed(struct transfers *log, uint64_t words) {
  put_result(log, 1, &(struct transfer_run){words, ORIGIN_KERNEL});
}

/* words NULL: nothing is found. */
static void expect(const struct family *family, const long *dims, struct transfers *first,
                   struct transfers *second, const char *words, int line) {
  int at = -1;
  assert_true(transfers_parse(first));
  assert_true(transfers_parse(second));
  char *fault = provenance_fault(family, dims, first, second, &at);
  if (!words && fault) fail_msg("%s", fault);
  if (words) {
    assert_non_null(fault);
    if (!strstr(fault, words)) fail_msg("%s", fault);
    assert_int_equal(at, line);
  }
  free(fault);
  transfers_free(first);
  transfers_free(second);
}

static const uint32_t one[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20},
                      other[] = {51, 52, 53, 54, 55, 56, 57, 58, 59, 60};

static void test_kernels_only(void **state) {
  (void)state;
  struct transfers a = {0}, b = {0};
  put_call(&a), put_launch(&a, 1, 5, 6), computed(&a, 16);
  put_call(&b), put_launch(&b, 1, 5, 6);
  expect(&family_matmul, product_dims, &a, &b, NULL, 0);
}

/* What the host sends may be what it got, in another order, with constants between. */
static void test_rearranged(void **state) {
  (void)state;
  const uint32_t sent_one[] = {14, 0, 11, 11, 20}, sent_other[] = {54, 0, 51, 51, 60};
  struct transfers a = {0}, b = {0};
  put_call(&a), put_out(&a, one, 10, ORIGIN_CARRIED), put_in(&a, sent_one, 5), computed(&a, 16);
  put_call(&b), put_out(&b, other, 10, ORIGIN_CARRIED), put_in(&b, sent_other, 5);
  expect(&family_matmul, product_dims, &a, &b, NULL, 0);
}

/* ... from the same place in both runs, which a choice by value is not. */
static void test_chosen(void **state) {
  (void)state;
  const uint32_t sent_one[] = {14}, sent_other[] = {55};
  struct transfers a = {0}, b = {0};
  put_call(&a), put_out(&a, one, 10, ORIGIN_CARRIED), put_in(&a, sent_one, 1), computed(&a, 16);
  put_call(&b), put_out(&b, other, 10, ORIGIN_CARRIED), put_in(&b, sent_other, 1);
  expect(&family_matmul, product_dims, &a, &b, "sends 1 value to the device", 7);
}

/* Words of 0 and 1: all pairs came, in many places, and say nothing. A long row of them does. */
static void test_few_values(void **state) {
  (void)state;
  uint32_t given_one[256], given_other[256], sent_one[64], sent_other[64];
  uint64_t random = 1;
  for (int i = 0; i < 256; i++) {
    random = random * 6364136223846793005 + 1442695040888963407;
    given_one[i] = random >> 40 & 1;
    given_other[i] = random >> 50 & 1;
  }
  for (int row = 0; row < 2; row++) {
    struct transfers a = {0}, b = {0};
    for (int i = 0; i < 64; i++) {
      sent_one[i] = row ? given_one[100 + i] : (unsigned)(i * 7 % 5 & 1);
      sent_other[i] = row ? given_other[100 + i] : (unsigned)(i * 11 % 3 & 1);
    }
    /* so that the row can be found by its start */
    given_one[100] = sent_one[0] = 77, given_other[100] = sent_other[0] = 78;
    put_call(&a), put_out(&a, given_one, 256, ORIGIN_KERNEL), put_in(&a, sent_one, 64),
        computed(&a, 16);
    put_call(&b), put_out(&b, given_other, 256, ORIGIN_KERNEL), put_in(&b, sent_other, 64);
    expect(&family_matmul, product_dims, &a, &b, row ? NULL : "that it has computed", 7);
  }
}

static void test_computed(void **state) {
  (void)state;
  const uint32_t sent_one[] = {11, 23}, sent_other[] = {51, 103};
  struct transfers a = {0}, b = {0};
  put_call(&a), put_out(&a, one, 10, ORIGIN_CARRIED), put_in(&a, sent_one, 2), computed(&a, 16);
  put_call(&b), put_out(&b, other, 10, ORIGIN_CARRIED), put_in(&b, sent_other, 2);
  expect(&family_matmul, product_dims, &a, &b, "sends 1 value to the device that it has computed",
         7);
}

static void test_sent_before_anything_came(void **state) {
  (void)state;
  struct transfers a = {0}, b = {0};
  put_call(&a), put_in(&a, one, 3), put_out(&a, one, 3, ORIGIN_CARRIED), computed(&a, 16);
  put_call(&b), put_in(&b, other, 3), put_out(&b, other, 3, ORIGIN_CARRIED);
  expect(&family_matmul, product_dims, &a, &b, "sends 3 values", 7);
}

static void test_argument(void **state) {
  (void)state;
  struct transfers a = {0}, b = {0};
  put_call(&a), put_launch(&a, 1, 5, 6), computed(&a, 16);
  put_call(&b), put_launch(&b, 1, 5, 7);
  expect(&family_matmul, product_dims, &a, &b, "argument 2 of the launch depends on", 9);
}

static void test_one_launch_more(void **state) {
  (void)state;
  struct transfers a = {0}, b = {0};
  put_call(&a), put_launch(&a, 1, 5, 6), put_launch(&a, 1, 5, 6), computed(&a, 16);
  put_call(&b), put_launch(&b, 1, 5, 6);
  expect(&family_matmul, product_dims, &a, &b, "whether a kernel is launched here", 9);
}

/* Threads of the host come in any order, each in its own; addresses of allocations go by that. */
static void test_threads(void **state) {
  (void)state;
  const uint64_t device = UINT64_C(0x00d0000800000000), next = device + (UINT64_C(1) << 36);
  struct transfers a = {0}, b = {0};
  put_call(&a), put_launch(&a, 1, device, 1), put_launch(&a, 2, next, 2),
      put_launch(&a, 1, device + 8, 3), computed(&a, 16);
  put_call(&b), put_launch(&b, 1, device, 2), put_launch(&b, 2, next, 1),
      put_launch(&b, 2, next + 8, 3);
  expect(&family_matmul, product_dims, &a, &b, NULL, 0);
  put_call(&a), put_launch(&a, 1, device, 1), put_launch(&a, 1, device, 2), computed(&a, 16);
  put_call(&b), put_launch(&b, 1, device, 2), put_launch(&b, 1, device, 1);
  expect(&family_matmul, product_dims, &a, &b, "depends on the values", 9);
}

/* Elements of the result: from a kernel, or through the host from one. */
static void test_results(void **state) {
  (void)state;
  static const struct {
    uint64_t came_from, result;
    const char *words;
  } rows[] = {
      {ORIGIN_KERNEL, ORIGIN_KERNEL, NULL},
      {ORIGIN_KERNEL, ORIGIN_CARRIED, "16 of the 16 elements of C came there by copies"},
      {ORIGIN_KERNEL, ORIGIN_FIRST_IN + 2, NULL}, /* words 2 to 7 of those sent */
      {ORIGIN_CARRIED, ORIGIN_FIRST_IN + 2, "6 of the 16 elements of C"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct transfers a = {0}, b = {0};
    struct transfer_run all = {16, rows[i].result},
                        runs[] = {{10, ORIGIN_KERNEL}, {6, rows[i].result}};
    put_call(&a), put_launch(&a, 0, 5, 6), put_out(&a, one, 10, rows[i].came_from),
        put_in(&a, one, 10);
    if (rows[i].result < ORIGIN_FIRST_IN)
      put_result(&a, 1, &all);
    else
      put_result(&a, 2, runs);
    put_call(&b), put_launch(&b, 0, 5, 6), put_out(&b, other, 10, rows[i].came_from),
        put_in(&b, other, 10);
    expect(&family_matmul, product_dims, &a, &b, rows[i].words, 0);
  }
}

/* Sent twice and read back in between: its origin is found through both. */
static void test_chain(void **state) {
  (void)state;
  for (int carried = 0; carried < 2; carried++) {
    struct transfers a = {0}, b = {0};
    put_call(&a), put_launch(&a, 0, 5, 6),
        put_out(&a, one, 10, carried ? ORIGIN_CARRIED : ORIGIN_KERNEL), put_in(&a, one, 10),
        put_out(&a, one, 10, ORIGIN_FIRST_IN), put_in(&a, one, 10);
    put_result(&a, 1, &(struct transfer_run){10, ORIGIN_FIRST_IN + 10});
    put_call(&b), put_launch(&b, 0, 5, 6), put_out(&b, other, 10, ORIGIN_KERNEL),
        put_in(&b, other, 10), put_out(&b, other, 10, ORIGIN_FIRST_IN), put_in(&b, other, 10);
    expect(&family_matmul, product_dims, &a, &b, carried ? "10 of the 10 elements" : NULL, 0);
  }
}

/* Where the problem is to rearrange, copies may move rows, not elements. */
static void test_copies_of_elements(void **state) {
  (void)state;
  for (uint64_t width = 4; width <= 64; width *= 4) {
    struct transfers a = {0}, b = {0};
    struct transfer_rows key[2] = {{0x100, 64, width, 16}, {0x200, 64, width, 16}};
    struct transfer_record record = {.kind = TRANSFER_COPY, .line = 5, .key_bytes = sizeof key};
    put_call(&a), put_launch(&a, 0, 5, 6), put_call(&b), put_launch(&b, 0, 5, 6);
    for (int i = 0; i < 16; i++) put(&a, record, key, NULL, NULL), put(&b, record, key, NULL, NULL);
    computed(&a, 256);
    expect(&family_transpose, turn_dims, &a, &b,
           width == 4    ? "one by one"
           : width == 16 ? "in short pieces"
                         : NULL,
           5);
  }
  struct transfers a = {0}, b = {0}; /* a product is no rearrangement */
  struct transfer_rows key[2] = {{0x100, 64, 4, 16}, {0x200, 64, 4, 16}};
  struct transfer_record record = {.kind = TRANSFER_COPY, .line = 5, .key_bytes = sizeof key};
  put_call(&a), put(&a, record, key, NULL, NULL), computed(&a, 16);
  put_call(&b), put(&b, record, key, NULL, NULL);
  expect(&family_matmul, product_dims, &a, &b, NULL, 0);
}

static void test_no_launch(void **state) {
  (void)state;
  struct transfers a = {0}, b = {0};
  put_call(&a), put_call(&b), put_result(&a, 1, &(struct transfer_run){16, ORIGIN_CARRIED});
  expect(&family_matmul, product_dims, &a, &b, "no kernel was launched", 0);
}

/* One element is where it belongs: with a kernel beside it, others must show what that does. */
static void test_single_element(void **state) {
  (void)state;
  for (int launches = 0; launches < 2; launches++) {
    struct transfers a = {0}, b = {0};
    put_call(&a), put_call(&b);
    if (launches) put_launch(&a, 0, 5, 6), put_launch(&b, 0, 5, 6);
    put_result(&a, 1, &(struct transfer_run){1, ORIGIN_CARRIED});
    expect(&family_transpose, turn_dims, &a, &b, launches ? NULL : "no kernel was launched", 0);
  }
}

static void test_not_decidable(void **state) {
  (void)state;
  const long narrow[] = {1, 100};
  struct transfers a = {0};
  put_call(&a), put_in(&a, one, 10);
  assert_true(transfers_parse(&a));
  assert_true(provenance_undecided(&family_transpose, narrow, &a));
  assert_false(provenance_undecided(&family_transpose, turn_dims, &a));
  assert_false(provenance_undecided(&family_matmul, product_dims, &a));
  const long stride_2[] = {1000, 1, 2}, short_one[] = {4, 1, 2}; /* a stride is no length */
  assert_false(provenance_undecided(&family_copy, stride_2, &a));
  assert_true(provenance_undecided(&family_copy, short_one, &a));
  transfers_free(&a);
}

static void test_damaged(void **state) {
  (void)state;
  struct transfers whole = {0};
  put_call(&whole), put_out(&whole, one, 10, ORIGIN_KERNEL), computed(&whole, 16);
  for (size_t cut = 0; cut <= whole.length; cut++) {
    struct transfers part = {0};
    transfers_append(&part, whole.bytes, cut);
    if (transfers_parse(&part)) assert_true(part.count <= 3);
    transfers_free(&part);
  }
  transfers_free(&whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels_only),  cmocka_unit_test(test_rearranged),
      cmocka_unit_test(test_chosen),        cmocka_unit_test(test_few_values),
      cmocka_unit_test(test_computed),      cmocka_unit_test(test_sent_before_anything_came),
      cmocka_unit_test(test_argument),      cmocka_unit_test(test_one_launch_more),
      cmocka_unit_test(test_threads),       cmocka_unit_test(test_results),
      cmocka_unit_test(test_chain),         cmocka_unit_test(test_copies_of_elements),
      cmocka_unit_test(test_no_launch),     cmocka_unit_test(test_single_element),
      cmocka_unit_test(test_not_decidable), cmocka_unit_test(test_damaged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
