/* test_sim_residency.c: where pages of managed memory are, and what moving them takes of the host's
 * time and of the link (device/residency.c). */
#include "tests/unit/sim_device.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 1 << 16, BYTES = 16 * PAGE };

static struct sim *sim;
static struct gpu gpu;
static uint64_t array;
static volatile char *host;    /* the host's side of it */
static double faulted, mapped; /* ns of the host */
static uint64_t copied_in, copied_out;

static void on_call(void *context, const struct timeline_host_span *span) {
  (void)context;
  if (strstr(span->name, "move to the host")) faulted += span->end - span->begin;
  if (strstr(span->name, "maps pages")) mapped += span->end - span->begin;
}

static void on_end(void *context, const struct timeline_span *span) {
  (void)context;
  if (span->work.kind == TIMELINE_COPY_IN) copied_in += span->work.bytes;
  if (span->work.kind == TIMELINE_COPY_OUT) copied_out += span->work.bytes;
}

static void fetch(size_t from, size_t bytes, bool to_device) {
  assert_int_equal(device_prefetch(sim->device, &(struct device_issue){.line = 5}, array + from,
                                   bytes, to_device),
                   0);
  assert_int_equal(device_synchronize(sim->device), 0);
}

/* What has been since the last such check. */
#define CHECK(...) check(__LINE__, __VA_ARGS__)
static void check(int line, double faulted_pages, double mapped_pages, uint64_t pages_in,
                  uint64_t pages_out) {
  double faults = faulted_pages * PAGE / gpu.timeline.host_fault_per_ns,
         maps = mapped_pages * PAGE / gpu.timeline.host_map_per_ns;
  if (fabs(faulted - faults) > 1 || fabs(mapped - maps) > 1 || copied_in != pages_in * PAGE ||
      copied_out != pages_out * PAGE)
    fail_msg("line %d: %.0f ns of faults, %.0f of mapping, %lu bytes in, %lu out", line, faulted,
             mapped, (unsigned long)copied_in, (unsigned long)copied_out);
  faulted = mapped = 0;
  copied_in = copied_out = 0;
}

static void pages(void **state) {
  char error[200];
  int descriptor;
  (void)state;
  assert_true(gpu_read(&gpu, NULL, error, sizeof error));
  sim = sim_open_bare((struct device_options){.threads = 1});
  device_listen(sim->device,
                &(struct device_listener){.timeline = {.ended = on_end, .called = on_call}});
  assert_int_equal(device_malloc_managed(sim->device, BYTES, (struct source_place){.line = 4},
                                         &array, &descriptor),
                   0);
  host = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  assert_true(host != MAP_FAILED);
  host[0] = 1; /* it is on the host from the beginning */
  fetch(0, BYTES, true);
  CHECK(0, 0, 16, 0);
  fetch(0, BYTES, true); /* it is there already */
  CHECK(0, 0, 0, 0);
  /* Host code gets pages back by faults, each once. */
  host[0] = 2, host[PAGE] = 2, host[PAGE + 9000] = 2;
  fetch(0, 1, false);
  CHECK(2, 0, 0, 0);
  host[0] = 3;
  fetch(0, 1, false);
  CHECK(0, 0, 0, 0);
  /* Those that a prefetch brings are to be mapped when they are touched, once. */
  fetch(0, BYTES, false);
  CHECK(0, 0, 0, 14);
  host[0] = 4, host[2 * PAGE] = 4, host[3 * PAGE] = 4, host[4 * PAGE] = 4; /* 0 is mapped */
  fetch(0, BYTES, false);
  CHECK(0, 3, 0, 0);
  host[2 * PAGE] = 5;
  fetch(0, BYTES, false);
  CHECK(0, 0, 0, 0);
  /* All of them go to the device again. */
  fetch(0, 4 * PAGE, true);
  CHECK(0, 0, 4, 0);
  host[3 * PAGE] = 6, host[5 * PAGE] = 6; /* on the device; fetched to the host before */
  fetch(0, 1, true);
  CHECK(1, 1, 0, 0);
  munmap((void *)host, BYTES);
  close(descriptor);
  sim_close(sim);
}

/* A thread moves 8 bytes of mapped memory from p0 to p1; it only reads them if that is 0. */
static const char *const moving = SIM_KERNEL("",
                                             "shl.b64 %rd4, %rd4, 1; add.s64 %rd0, %rd0, %rd4;"
                                             "ld.global.u64 %rd6, [%rd0];"
                                             "setp.eq.s64 %p1, %rd1, 0; @%p1 ret;"
                                             "add.s64 %rd1, %rd1, %rd4;"
                                             "st.global.u64 [%rd1], %rd6; ret;");

/* What goes one way takes the link's time for it. What is written back takes longer than the link
 * would both ways at once, by the time until the first bytes come. */
static void mapped_memory(void **state) {
  enum { HALF = 1 << 20 };
  uint64_t pages_of_host;
  char error[200];
  int descriptor;
  (void)state;
  assert_true(gpu_read(&gpu, NULL, error, sizeof error));
  sim = sim_open(moving, 1);
  const struct gpu_timeline *f = &gpu.timeline;
  assert_int_equal(
      device_malloc_managed(sim->device, 2 * HALF, (struct source_place){.line = LINE_OF_RUNTIME},
                            &pages_of_host, &descriptor),
      0);
  host = mmap(NULL, 2 * HALF, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  assert_true(host != MAP_FAILED);
  memset((void *)host, 1, 2 * HALF);
  sim_run(sim, HALF / 8 / 256, 256, pages_of_host, 0, 0, 0);
  assert_string_equal(sim->report.bound, "host link");
  assert_true(fabs(sim->report.time_ns - (f->mapped_ns + HALF / f->mapped_per_ns)) < 1);
  sim_run(sim, HALF / 8 / 256, 256, pages_of_host, pages_of_host + HALF, 0, 0);
  assert_true(fabs(sim->report.time_ns - (f->mapped_both_ns + 2 * HALF / f->mapped_both_per_ns)) <
              1);
  sim_run(sim, 16, 256, pages_of_host, pages_of_host + HALF, 0, 0); /* few: one after the other */
  assert_true(fabs(sim->report.time_ns - (f->mapped_ns + 2 * 16 * 256 * 8 / f->mapped_per_ns)) < 1);
  munmap((void *)host, 2 * HALF);
  close(descriptor);
  sim_close(sim);
}

static double allocated_ns;

static void on_allocation(void *context, const struct timeline_host_span *span) {
  (void)context;
  if (strcmp(span->name, "allocate") == 0) allocated_ns = span->end - span->begin;
}

/* Memory that a graph has allocated shares no block with small arrays: that it is freed takes
 * nothing away from them. */
static void small_arrays(void **state) {
  uint64_t of_graph, first, second;
  char error[200];
  (void)state;
  assert_true(gpu_read(&gpu, NULL, error, sizeof error));
  sim = sim_open_bare((struct device_options){.threads = 1});
  device_listen(sim->device, &(struct device_listener){.timeline = {.called = on_allocation}});
  assert_int_equal(device_graph_memory(sim->device, GRAPH_MEMORY_PROMISE, 4096, 1, &of_graph), 0);
  assert_int_equal(device_graph_memory(sim->device, GRAPH_MEMORY_ALLOCATE, 0, 1, &of_graph), 0);
  assert_int_equal(device_free(sim->device, of_graph), 0);
  assert_int_equal(device_malloc(sim->device, 4096, (struct source_place){.line = 2}, &first), 0);
  assert_true(fabs(allocated_ns - gpu.timeline.allocate_ns) < 1);
  assert_int_equal(device_malloc(sim->device, 4096, (struct source_place){.line = 3}, &second), 0);
  assert_true(fabs(allocated_ns - gpu.timeline.small_allocate_ns) < 1);
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_arrays), cmocka_unit_test(pages),
                                     cmocka_unit_test(mapped_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
