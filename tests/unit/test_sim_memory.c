/* test_sim_memory.c: memory as the runtime and as kernels see it: allocations, copies and symbols;
 * loads and stores of every width in every space; atomics; and what lanes and warps tell each other
 * without memory: shuffles, votes, reducing barriers; and printf. What is right is computed here, a
 * lane at a time, from the PTX ISA.
 * test-all: under sanitizers; the other run, which make test has, is of the same code. */
#include "harness/sim/base/memory.h"
#include "tests/unit/sim_device.h"

static const struct source_place nowhere;

/* The text of a kernel k from a format, and a device that has it. */
static struct sim *__attribute__((format(printf, 3, 4)))
open_text(const char *variables, int threads, const char *format, ...) {
  static char body[1 << 16], ptx[1 << 17];
  va_list args;
  va_start(args, format);
  assert_in_range(vsnprintf(body, sizeof body, format, args), 1, sizeof body - 1);
  va_end(args);
  snprintf(ptx, sizeof ptx, "%s%s\n%s%s\n}\n", SIM_HEADER, variables, SIM_ENTRY("k"), body);
  return sim_open(ptx, threads);
}

/* ---- the runtime's side ---- */

/* Marks of a launch hold for it alone, also once stamps come again. */
static void touched_lines_of_a_launch(void **state) {
  (void)state;
  struct touched touched = {0};
  size_t bytes = 10 * 128 + 4; /* the last line is a part of one */
  for (uint64_t launch = 1000; launch < 1600; launch++) {
    touched_begin(&touched, bytes, launch);
    uint8_t stamp = touched_stamp(launch);
    assert_int_not_equal(stamp, 0);
    struct touched_bytes none = touched_bytes(&touched, bytes, launch);
    assert_int_equal(none.loaded + none.stored + none.either, 0);
    touched.loaded[3] = touched.loaded[4] = touched.stored[4] = stamp;
    if (launch % 2) touched.stored[10] = stamp;
    struct touched_bytes some = touched_bytes(&touched, bytes, launch);
    assert_int_equal(some.loaded, 2 * 128);
    assert_int_equal(some.stored, launch % 2 ? 2 * 128 : 128);
    assert_int_equal(some.either, launch % 2 ? 3 * 128 : 2 * 128);
    assert_int_equal(touched_bytes(&touched, bytes, launch + 1).either, 0);
  }
  memset(touched.loaded, touched_stamp(1599), touched_lines(bytes));
  assert_int_equal(touched_bytes(&touched, bytes, 1599).loaded, bytes);
  touched_release(&touched);
}

/* Addresses come again as late as possible, unless one is asked for that is free. */
static void an_address_that_is_preferred(void **state) {
  (void)state;
  struct memory *memory = memory_open(1 << 30, 1 << 30);
  struct allocation *a = memory_allocate(memory, 100, false),
                    *lives = memory_allocate(memory, 100, false);
  uint64_t first = a->address;
  memory_free(memory, a);
  a = memory_allocate(memory, 100, false);
  assert_int_not_equal(a->address, first);
  memory_prefer(memory, first);
  struct allocation *again = memory_allocate(memory, 3000, false);
  assert_int_equal(again->address, first);
  assert_ptr_equal(memory_find(memory, first, 3000), again);
  a = memory_allocate(memory, 100, false); /* the wish is granted once */
  assert_true(a->address != first && a->address != lives->address);
  memory_prefer(memory, lives->address);
  a = memory_allocate(memory, 100, false);
  assert_int_not_equal(a->address, lives->address);
  memory_prefer(memory, first + 4); /* where none began */
  memory_free(memory, again);
  a = memory_allocate(memory, 100, false);
  assert_int_not_equal(a->address, first);
  memory_close(memory);
}

/* Small arrays lie one behind the other, at multiples of 512 bytes; others elsewhere. */
static void where_arrays_lie_on_a_gpu(void **state) {
  (void)state;
  struct memory *memory = memory_open(1 << 30, 1 << 30);
  static const struct {
    size_t bytes;
    uint32_t first_line;
  } arrays[] = {{4, 0}, {512, 4}, {513, 8}, {1000, 16}, {1, 24}, {1, 28}};
  struct allocation *a[LENGTH(arrays)];
  for (int i = 0; i < LENGTH(arrays); i++) {
    a[i] = memory_allocate(memory, arrays[i].bytes, false);
    memory_pack(memory, a[i]);
    assert_int_equal(a[i]->first_line, arrays[i].first_line);
  }
  struct allocation *large = memory_allocate(memory, 1 << 20, false);
  memory_pack(memory, large);
  assert_true(large->first_line > 32);
  memory_free(memory, a[1]);
  memory_free(memory, a[5]);
  static const uint32_t then[] = {4, 28}; /* where there is room */
  for (int i = 0; i < 2; i++) {
    a[i] = memory_allocate(memory, 8, false);
    memory_pack(memory, a[i]);
    assert_int_equal(a[i]->first_line, then[i]);
  }
  memory_close(memory);
}

static void allocations(void **state) {
  (void)state;
  struct sim *sim = sim_open_bare((struct device_options){.threads = 1});
  struct device *d = sim->device;
  size_t free_before, free_now, total;
  uint64_t a, b, c = 1;
  assert_int_equal(device_memory_info(d, &free_before, &total), 0);
  assert_int_equal(free_before, total);
  assert_int_equal(device_malloc(d, 0, nowhere, &c), 0);
  assert_int_equal(c, 0);
  assert_int_equal(device_malloc(d, 1, nowhere, &a), 0);
  assert_int_equal(device_malloc(d, 1000, nowhere, &b), 0);
  assert_true(a != b && a % 256 == 0 && b % 256 == 0 && address_is_device(a) &&
              address_is_device(b + 999));
  assert_false(address_is_device(0));
  assert_false(address_is_device((uint64_t)(uintptr_t)&a));
  assert_int_equal(device_memory_info(d, &free_now, &total), 0);
  assert_int_equal(free_before - free_now, 1001);
  assert_int_equal(device_malloc(d, total, nowhere, &c), cudaErrorMemoryAllocation);
  assert_int_equal(c, 0);

  assert_int_equal(device_free(d, 0), 0);
  assert_int_equal(device_free(d, b + 4), cudaErrorInvalidValue);
  assert_int_equal(device_free(d, 4096), cudaErrorInvalidValue);
  assert_int_equal(device_free(d, a), 0);
  assert_int_equal(device_free(d, a), cudaErrorInvalidValue);
  assert_int_equal(device_fill(d, a, 0, 1), cudaErrorInvalidValue);
  assert_int_equal(device_free(d, b), 0);
  assert_int_equal(device_memory_info(d, &free_now, &total), 0);
  assert_int_equal(free_now, total);
  for (int i = 0; i < 40000; i++) { /* windows of addresses are used again */
    assert_int_equal(device_malloc(d, 16, nowhere, &a), 0);
    assert_int_equal(device_free(d, a), 0);
  }
  assert_int_equal(device_error(d), 0);
  sim_close(sim);
}

/* Bytes that the device takes over are an array like one that was allocated and written. */
static void adopted_bytes(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 7, 256, 100001};
  struct sim *sim = sim_open(SIM_KERNEL("",
                                        "mul.wide.u32 %rd10, %r0, 1; add.s64 %rd10, %rd0, %rd10;\n"
                                        "add.s64 %rd11, %rd1, %rd4; ld.global.u8 %r10, [%rd10];\n"
                                        "st.global.u32 [%rd11], %r10; ret;"),
                             1);
  uint64_t address, to = sim_zeros(sim, 4);
  double before = device_time_ns(sim->device);
  for (int i = 0; i < LENGTH(sizes); i++) {
    size_t bytes = sizes[i], free_before, free_now, total;
    unsigned char *contents = malloc(bytes), *back = malloc(bytes);
    assert_true(contents && back);
    for (size_t k = 0; k < bytes; k++) contents[k] = (unsigned char)(k * 7 + 1);
    assert_int_equal(device_memory_info(sim->device, &free_before, &total), 0);
    assert_int_equal(device_adopt(sim->device, contents, bytes, &address), 0);
    assert_int_equal(device_memory_info(sim->device, &free_now, &total), 0);
    assert_int_equal(free_before - free_now, bytes);
    assert_true(device_time_ns(sim->device) > before); /* it counts as a copy from the host */
    before = device_time_ns(sim->device);
    sim_read(sim, back, address, bytes);
    for (size_t k = 0; k < bytes; k++) assert_int_equal(back[k], (unsigned char)(k * 7 + 1));
    uint32_t got;
    assert_int_equal(sim_try(sim, sim_line(1, 1), address + bytes - 1, to, 0, 0), 0);
    assert_int_equal(sim->hazard_count, 0);
    sim_read(sim, &got, to, 4);
    assert_int_equal(got, back[bytes - 1]);
    assert_int_equal(device_write(sim->device, address, back, bytes + 1), cudaErrorInvalidValue);
    assert_int_equal(device_free(sim->device, address), 0);
    free(back);
  }
  sim_close(sim);
  sim = sim_open_bare((struct device_options){.threads = 1, .memory_limit = 1 << 20});
  assert_int_equal(device_adopt(sim->device, malloc(2 << 20), 2 << 20, &address),
                   cudaErrorMemoryAllocation);
  assert_int_equal(address, 0);
  sim_close(sim);
}

/* Lanes of one warp, farther apart in one array than 31 bits count. */
static void lanes_far_apart(void **state) {
  (void)state;
  enum { APART = 100 << 20 };
  size_t bytes = (size_t)31 * APART + 4;
  struct sim *sim = sim_open(SIM_KERNEL("",
                                        "ld.param.u32 %r5, [p2];\n"
                                        "mul.wide.u32 %rd10, %r0, %r5;\n"
                                        "add.s64 %rd10, %rd0, %rd10; add.s64 %rd11, %rd1, %rd4;\n"
                                        "ld.global.u32 %r11, [%rd10];\n"
                                        "st.global.u32 [%rd11], %r11; ret;"),
                             1);
  unsigned char *contents = calloc(bytes, 1); /* nearly all of which stays untouched */
  uint64_t address, to = sim_zeros(sim, 32 * 4);
  uint32_t got[32];
  assert_non_null(contents);
  for (uint32_t i = 0; i < 32; i++) memcpy(contents + (size_t)i * APART, &i, sizeof i);
  assert_int_equal(device_adopt(sim->device, contents, bytes, &address), 0);
  sim_run(sim, 1, 32, address, to, APART, 0);
  sim_read(sim, got, to, sizeof got);
  for (uint32_t i = 0; i < 32; i++) assert_int_equal(got[i], i);
  sim_close(sim);
}

static void copies(void **state) {
  (void)state;
  enum { BYTES = 1001 };
  struct sim *sim = sim_open_bare((struct device_options){.threads = 1});
  struct device *d = sim->device;
  unsigned char from[BYTES], to[BYTES];
  for (int i = 0; i < BYTES; i++) from[i] = (unsigned char)(i * 7);
  uint64_t a = sim_buffer(sim, from, BYTES), b = sim_zeros(sim, BYTES);

  assert_int_equal(device_copy(d, b + 1, a, BYTES - 1), 0);
  sim_read(sim, to, b, BYTES);
  assert_int_equal(to[0], 0);
  assert_memory_equal(to + 1, from, BYTES - 1);
  assert_int_equal(device_copy(d, a + 3, a, 500), 0); /* overlapping */
  sim_read(sim, to, a, BYTES);
  assert_memory_equal(to + 3, from, 500);
  assert_memory_equal(to + 503, from + 503, BYTES - 503);
  assert_int_equal(device_fill(d, a + 10, 0xab, 5), 0);
  sim_read(sim, to, a + 9, 7);
  assert_memory_equal(to + 1, "\xab\xab\xab\xab\xab", 5);
  assert_int_equal(to[0], from[6]);
  assert_int_equal(to[6], from[12]);

  assert_int_equal(device_write(d, a + 1, from, BYTES), cudaErrorInvalidValue);
  assert_int_equal(device_write(d, a - 1, from, 2), cudaErrorInvalidValue);
  assert_int_equal(device_read(d, to, a + BYTES, 1), cudaErrorInvalidValue);
  assert_int_equal(device_read(d, to, (uint64_t)(uintptr_t)from, 1), cudaErrorInvalidValue);
  assert_int_equal(device_copy(d, a, b + 2, BYTES - 1), cudaErrorInvalidValue);
  assert_int_equal(device_copy(d, a + 2, b, BYTES - 1), cudaErrorInvalidValue);
  assert_int_equal(device_fill(d, a, 0, (size_t)-1), cudaErrorInvalidValue);
  assert_int_equal(device_read(d, to, a + BYTES, 0), 0);
  assert_int_equal(device_write(d, 0, from, 0), 0);
  assert_int_equal(device_error(d), 0); /* none of this is sticky */
  sim_close(sim);
}

/* Bytes that a copy or a fill wrote are initialised, and no others. */
static void what_copies_initialise(void **state) {
  (void)state;
  struct sim *sim =
      sim_open(SIM_KERNEL("", "add.s64 %rd6, %rd0, %rd4; ld.global.u32 %r10, [%rd6]; ret;"), 1);
  unsigned char bytes[256] = {0};
  for (int how = 0; how < 3; how++) {
    uint64_t a = sim_buffer(sim, NULL, sizeof bytes), b = sim_zeros(sim, sizeof bytes);
    assert_int_equal(how == 0   ? device_write(sim->device, a + 5, bytes, 100)
                     : how == 1 ? device_fill(sim->device, a + 5, 1, 100)
                                : device_copy(sim->device, a + 5, b, 100),
                     0);
    assert_int_equal(sim_try(sim, sim_line(1, 64), a, 0, 0, 0), 0);
    assert_int_equal(sim->hazard_count, 1);
    assert_int_equal(sim->hazards[0].kind, HAZARD_uninit);
    assert_int_equal(sim->hazards[0].count, 64 - 24); /* words 2 to 25 are whole */
    assert_int_equal(device_fill(sim->device, a, 1, 5), 0);
    assert_int_equal(device_fill(sim->device, a + 105, 1, sizeof bytes - 105), 0);
    sim_run(sim, 1, 64, a, 0, 0, 0);
  }
  sim_close(sim);
}

static void symbols(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL(
          ".visible .global .align 4 .u32 count = 41;\n.visible .const .align 4 .b8 factors[16] = "
          "{1, 0, 0, 0, 2};\n"
          ".global .align 8 .b8 room[40];\n.global .align 8 .u64 where = room;\n",
          "ld.global.u32 %r10, [count]; ld.const.u32 %r11, [factors+4]; add.s32 %r12, %r10, %r11;\n"
          "st.global.u32 [count], %r12; ld.global.u32 %r13, [room+36]; st.global.u32 [%rd0], "
          "%r13;\n"
          "ld.const.u32 %r14, [factors+12]; st.global.u32 [%rd0+4], %r14; ret;"),
      1);
  struct device *d = sim->device;
  uint64_t count, factors, room, none;
  size_t bytes;
  assert_int_equal(device_get_symbol(d, sim->module, "count", &count, &bytes), 0);
  assert_int_equal(bytes, 4);
  assert_int_equal(device_get_symbol(d, sim->module, "factors", &factors, &bytes), 0);
  assert_int_equal(bytes, 16);
  assert_int_equal(device_get_symbol(d, sim->module, "room", &room, &bytes), 0);
  assert_int_equal(bytes, 40);
  assert_int_equal(device_get_symbol(d, sim->module, "k", &none, &bytes), cudaErrorInvalidSymbol);
  assert_int_equal(device_get_symbol(d, sim->module + 1, "count", &none, &bytes),
                   cudaErrorInvalidSymbol);
  assert_int_equal(device_get_symbol(d, -1, "count", &none, &bytes), cudaErrorInvalidSymbol);

  uint32_t seven = 7, hundred = 100, got[2], value;
  assert_int_equal(device_write(d, room + 36, &seven, 4), 0);
  assert_int_equal(device_write(d, factors + 12, &hundred, 4), 0);
  uint64_t out = sim_zeros(sim, sizeof got);
  sim_run(sim, 1, 1, out, 0, 0, 0);
  sim_read(sim, got, out, sizeof got);
  assert_int_equal(got[0], 7);
  assert_int_equal(got[1], 100);
  sim_run(sim, 1, 1, out, 0, 0, 0);
  sim_read(sim, &value, count, 4);
  assert_int_equal(value, 45);
  sim_close(sim);
}

/* ---- loads and stores ---- */

static const char *const types[] = {"u8",  "s8",  "u16", "s16", "u32", "s32",
                                    "b32", "u64", "s64", "f32", "f64"};
static const char *const spaces[] = {"global", "shared", "local", "const", "generic"};

static uint64_t extended(const unsigned char *bytes, const char *type, int size, int width) {
  uint64_t value = 0;
  memcpy(&value, bytes, (size_t)size);
  if (type[0] == 's' && size < 8 && value >> (8 * size - 1)) value |= ~UINT64_C(0) << (8 * size);
  return width == 8 ? value : value & 0xffffffff;
}

/* Every thread copies 64 bytes of its own to the space, loads `count` elements there, 16 bytes from
 * the start, and stores each as 64 bits. Narrow elements go to 32- and to 64-bit registers. */
static void load_case(const char *space, const char *type, int count, bool wide_register) {
  enum { THREADS = 70, BYTES = 64 };
  int size = atoi(type + 1) / 8, width = size == 8 || wide_register ? 8 : 4;
  bool is_const = strcmp(space, "const") == 0, is_float = type[0] == 'f';
  const char *reg = is_float ? size == 8 ? "%fd" : "%f" : width == 8 ? "%rd" : "%r";
  char base[600], list[200] = "", stores[600] = "";
  if (strcmp(space, "global") == 0 || strcmp(space, "generic") == 0)
    snprintf(base, sizeof base, "add.s64 %%rd8, %%rd1, %%rd7;\n");
  else if (is_const)
    snprintf(base, sizeof base, "mov.u64 %%rd8, data; add.s64 %%rd8, %%rd8, %%rd7;\n");
  else
    snprintf(base, sizeof base,
             ".%s .align 16 .b8 own[%d]; mov.u64 %%rd8, own; add.s64 %%rd9, %%rd1, %%rd7; %s\n"
             "ld.global.v4.u32 {%%r10, %%r11, %%r12, %%r13}, [%%rd9+16]; st.%s.v4.u32 [%%rd8+16], "
             "{%%r10, %%r11, %%r12, %%r13};\n",
             space, strcmp(space, "shared") == 0 ? THREADS * BYTES : BYTES,
             strcmp(space, "shared") == 0 ? "add.s64 %rd8, %rd8, %rd7;" : "", space);
  for (int i = 0; i < count; i++) {
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s%d", i ? ", " : "", reg, 30 + i);
    if (is_float)
      snprintf(stores + strlen(stores), sizeof stores - strlen(stores), "mov.b%d %s%d, %s%d; ",
               8 * size, size == 8 ? "%rd" : "%r", 30 + i, reg, 30 + i);
    if (width == 4)
      snprintf(stores + strlen(stores), sizeof stores - strlen(stores),
               "cvt.u64.u32 %%rd%d, %%r%d; ", 30 + i, 30 + i);
    snprintf(stores + strlen(stores), sizeof stores - strlen(stores),
             "st.global.u64 [%%rd6+%d], %%rd%d;\n", 8 * i, 30 + i);
  }
  struct sim *sim = open_text(
      ".const .align 16 .b8 data[4480];", 1,
      "mul.wide.u32 %%rd6, %%r0, 32; add.s64 %%rd6, %%rd0, %%rd6; mul.wide.u32 %%rd7, %%r0, %d;\n"
      "%sld%s%s%s.%s %s%s%s, [%%rd8+16];\n%sret;",
      BYTES, base, strcmp(space, "generic") ? "." : "", strcmp(space, "generic") ? space : "",
      count == 1   ? ""
      : count == 2 ? ".v2"
                   : ".v4",
      type, count > 1 ? "{" : "", list, count > 1 ? "}" : "", stores);
  unsigned char data[THREADS * BYTES];
  struct sim_random random = {(uint64_t)size};
  for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)sim_next(&random);
  uint64_t got[THREADS][4], symbol, out = sim_zeros(sim, sizeof got),
                                    in = sim_buffer(sim, data, sizeof data);
  size_t bytes;
  assert_int_equal(device_get_symbol(sim->device, sim->module, "data", &symbol, &bytes), 0);
  assert_int_equal(bytes, sizeof data);
  assert_int_equal(device_write(sim->device, symbol, data, sizeof data), 0);
  sim_run(sim, 1, THREADS, out, in, 0, 0);
  sim_read(sim, got, out, sizeof got);
  for (int t = 0; t < THREADS; t++)
    for (int i = 0; i < count; i++) {
      uint64_t right = extended(data + t * BYTES + 16 + i * size, type, size, width);
      if (got[t][i] != right)
        fail_msg("ld.%s.v%d.%s, %d-byte register, thread %d: %llx, not %llx", space, count, type,
                 width, t, (unsigned long long)got[t][i], (unsigned long long)right);
    }
  sim_close(sim);
}

static void loads(void **state) {
  (void)state;
  for (int s = 0; s < LENGTH(spaces); s++)
    for (int t = 0; t < LENGTH(types); t++)
      for (int count = 1; count <= 4; count *= 2) {
        int size = atoi(types[t] + 1) / 8;
        if (size * count > 16) continue;
        load_case(spaces[s], types[t], count, false);
        if (size < 8 && types[t][0] != 'f') load_case(spaces[s], types[t], count, true);
      }
}

/* Every thread stores the low bytes of its registers between two words that must stay. */
static void stores(void **state) {
  (void)state;
  enum { THREADS = 70 };
  static const struct {
    const char *store;
    int bytes;
  } cases[] = {{"st.global.u8 [%rd6+4], %r10;", 1},
               {"st.global.u16 [%rd6+4], %r10;", 2},
               {"st.global.u32 [%rd6+4], %r10;", 4},
               {"st.global.u8 [%rd6+4], %rd10;", 1},
               {"st.global.u16 [%rd6+4], %rs10;", 2},
               {"st.global.v2.u8 [%rd6+4], {%r10, %r11};", 2},
               {"st.global.v4.u8 [%rd6+4], {%r10, %r11, %r12, %r13};", 4},
               {"st.global.v2.u16 [%rd6+4], {%r14, %r15};", 4},
               {"st.u32 [%rd6+4], %r10;", 4}};
  for (int c = 0; c < LENGTH(cases); c++) {
    struct sim *sim = open_text(
        "", 1,
        "mul.wide.u32 %%rd6, %%r0, 12; add.s64 %%rd6, %%rd0, %%rd6; add.s32 %%r10, %%r0, "
        "0x03020100;\n"
        "shr.u32 %%r11, %%r10, 8; shr.u32 %%r12, %%r10, 16; shr.u32 %%r13, %%r10, 24; mov.u32 "
        "%%r14, %%r10;\n"
        "shr.u32 %%r15, %%r10, 16; cvt.u64.u32 %%rd10, %%r10; cvt.u16.u32 %%rs10, %%r10;\n%s ret;",
        cases[c].store);
    uint32_t got[THREADS][3];
    uint64_t out = sim_buffer(sim, NULL, sizeof got);
    assert_int_equal(device_fill(sim->device, out, 0xee, sizeof got), 0);
    sim_run(sim, 1, THREADS, out, 0, 0, 0);
    sim_read(sim, got, out, sizeof got);
    for (uint32_t t = 0; t < THREADS; t++) {
      uint32_t value = 0x03020100 + t, right = 0xeeeeeeee;
      memcpy(&right, &value, (size_t)cases[c].bytes);
      if (got[t][0] != 0xeeeeeeee || got[t][1] != right || got[t][2] != 0xeeeeeeee)
        fail_msg("%s thread %u: %x %x %x, not %x", cases[c].store, t, got[t][0], got[t][1],
                 got[t][2], right);
    }
    sim_close(sim);
  }
}

/* out[i] = (int)a_long_long: a contiguous store of 64-bit registers' low words, every lane. */
static void contiguous_stores_of_wide_registers(void **state) {
  (void)state;
  enum { THREADS = 64 };
  static const char *const stores[] = {
      "st.global.u32 [%rd8], %rd7;",
      "mov.u64 %rd9, s; add.s64 %rd9, %rd9, %rd5; st.shared.u32 [%rd9], %rd7;\n"
      "ld.shared.u32 %r10, [%rd9]; st.global.u32 [%rd8], %r10;",
  };
  for (int c = 0; c < LENGTH(stores); c++) {
    struct sim *sim =
        open_text(".shared .align 4 .b8 s[256];", 1,
                  "add.s64 %%rd8, %%rd0, %%rd4; mul.wide.u32 %%rd6, %%r0, 8;\n"
                  "add.s64 %%rd6, %%rd1, %%rd6; ld.global.u64 %%rd7, [%%rd6];\n%s ret;",
                  stores[c]);
    uint64_t values[THREADS];
    uint32_t got[THREADS];
    for (unsigned t = 0; t < THREADS; t++) values[t] = UINT64_C(0x123456789a) * (t + 1);
    uint64_t in = sim_buffer(sim, values, sizeof values), out = sim_zeros(sim, sizeof got);
    sim_run(sim, 1, THREADS, out, in, 0, 0);
    sim_read(sim, got, out, sizeof got);
    for (int t = 0; t < THREADS; t++)
      if (got[t] != (uint32_t)values[t])
        fail_msg("%s thread %d: %x, not %x", stores[c], t, got[t], (uint32_t)values[t]);
    sim_close(sim);
  }
}

/* p = p->next: a load into the register of its own address. Lanes' distances change each time. */
static void loads_onto_their_own_address(void **state) {
  (void)state;
  enum { THREADS = 64, STEPS = 3 };
  struct sim *sim = sim_open(
      SIM_KERNEL(
          "",
          "mul.wide.u32 %rd6, %r3, 16; add.s64 %rd7, %rd1, %rd6; add.s64 %rd8, %rd0, %rd6;\n"
          "ld.global.u64 %rd7, [%rd7]; ld.global.u64 %rd7, [%rd7]; ld.global.u64 %rd7, [%rd7];\n"
          "add.s64 %rd9, %rd1, %rd6; ld.global.v2.u64 {%rd9, %rd10}, [%rd9];\n"
          "st.global.u64 [%rd8], %rd7; st.global.u64 [%rd8+8], %rd10; ret;"),
      1);
  uint64_t nodes[THREADS][2], got[THREADS][2];
  uint64_t out = sim_zeros(sim, sizeof got), in = sim_buffer(sim, NULL, sizeof nodes);
  for (unsigned t = 0; t < THREADS; t++)
    nodes[t][0] = in + 16 * ((t * 13 + 5) % THREADS ^ 3), nodes[t][1] = t * 1000;
  assert_int_equal(device_write(sim->device, in, nodes, sizeof nodes), 0);
  sim_run(sim, 1, THREADS, out, in, 0, 0);
  sim_read(sim, got, out, sizeof got);
  for (unsigned t = 0; t < THREADS; t++) {
    uint64_t right = in + 16 * t;
    for (int i = 0; i < STEPS; i++) right = nodes[(right - in) / 16][0];
    if (got[t][0] != right || got[t][1] != nodes[t][1])
      fail_msg("thread %u: %llx %llx, not %llx %llx", t, (unsigned long long)got[t][0],
               (unsigned long long)got[t][1], (unsigned long long)right,
               (unsigned long long)nodes[t][1]);
  }
  sim_close(sim);
}

/* The same in a kernel's parameters: a vector's first element lands on the second's address. */
static void parameters_onto_their_own_address(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_HEADER
      ".visible .entry k(.param .u64 p0, .param .align 16 .b8 data[32])\n{\n" SIM_REGISTERS
      "ld.param.u64 %rd0, [p0]; mov.b64 %rd1, data; ld.param.v2.u64 {%rd1, %rd2}, [%rd1+16];\n"
      "st.global.u64 [%rd0], %rd1; st.global.u64 [%rd0+8], %rd2; ret;\n}\n",
      1);
  uint64_t got[2], out = sim_zeros(sim, sizeof got), params[6] = {out, 0, 11, 22, 33, 44};
  assert_int_equal(sim_try_params(sim, "k", sim_line(1, 1), params), 0);
  sim_read(sim, got, out, sizeof got);
  assert_int_equal(got[0], 33);
  assert_int_equal(got[1], 44);
  sim_close(sim);
}

/* A call's parameter hides the function's result: their names are equal, so it is refused. */
static void names_that_hide_a_parameter(void **state) {
  (void)state;
  struct sim *sim = sim_open(SIM_HEADER ".func (.param .b32 r0) g()\n{\nst.param.b32 [r0], 1; "
  "ret;\n}\n"
                             ".func (.param .b32 r0) f()\n{\n.reg .b32 %r<2>; st.param.b32 [r0], "
                             "2;\n"
                             "{ .param .b32 r0; call.uni (r0), g, (); ld.param.b32 %r1, [r0]; "
                             "}\nret;\n}\n" SIM_ENTRY("k")
                             "{ .param .b32 v0; call.uni (v0), f, (); ld.param.b32 %r10, [v0]; }\n"
                             "st.global.u32 [%rd0], %r10; ret;\n}\n",
                             1);
  uint64_t out = sim_zeros(sim, 4);
  assert_int_equal(sim_try(sim, sim_line(1, 1), out, 0, 0, 0), 801);
  assert_non_null(
      strstr(sim->hazards[0].message, "the name r0 for a variable and a parameter of f"));
  sim_close(sim);
}

/* Narrow results of conversions extend into wider registers, as the type says. */
static void conversions_into_wider_registers(void **state) {
  (void)state;
  static const struct {
    const char *convert;
    uint32_t right;
  } cases[] = {{"cvt.s16.s32 %r10, %r11;", 0xffff8001},
               {"cvt.u16.u32 %r10, %r11;", 0x8001},
               {"cvt.s16.s64 %r10, %rd10;", 0xffff8001},
               {"cvt.s16.u16 %r10, %rs10;", 0xffff8001},
               {"cvt.rzi.s16.f32 %r10, %f10;", 0xfffffffe},
               {"cvt.s8.s32 %r10, %r12;", 0xffffff80},
               {"cvt.u8.s32 %r10, %r12;", 0x80},
               {"cvt.s16.s8 %r10, %r12;", 0xffffff80}};
  for (int c = 0; c < LENGTH(cases); c++) {
    struct sim *sim = open_text("", 1,
                                "mov.u32 %%r11, 0x12348001; mov.u32 %%r12, 0x180; cvt.u64.u32 "
                                "%%rd10, %%r11; cvt.u16.u32 %%rs10, %%r11;\n"
                                "mov.f32 %%f10, -2.5; %s st.global.u32 [%%rd0], %%r10; ret;",
                                cases[c].convert);
    uint32_t got;
    uint64_t out = sim_zeros(sim, sizeof got);
    sim_run(sim, 1, 1, out, 0, 0, 0);
    sim_read(sim, &got, out, sizeof got);
    if (got != cases[c].right)
      fail_msg("%s gives %x, not %x", cases[c].convert, got, cases[c].right);
    sim_close(sim);
  }
}

/* A decimal constant is a double; an f32 instruction takes it rounded. */
static void decimal_constants(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL(
          "",
          "mov.f32 %f1, 1.5; add.f32 %f2, %f1, 0.1; mov.f64 %fd1, 1.5; add.f64 %fd2, %fd1, 0.1;\n"
          "st.global.f32 [%rd0], %f2; st.global.f32 [%rd0+4], 2.5; st.global.f64 [%rd0+8], %fd2; "
          "ret;"),
      1);
  struct {
    float f[2];
    double d;
  } got;
  uint64_t out = sim_zeros(sim, sizeof got);
  sim_run(sim, 1, 1, out, 0, 0, 0);
  sim_read(sim, &got, out, sizeof got);
  assert_true(got.f[0] == 1.5f + 0.1f && got.f[1] == 2.5f && got.d == 1.5 + 0.1);
  sim_close(sim);
}

/* Lanes of one warp point to shared, local and global memory; one instruction stores, one loads,
 * one adds atomically. */
static void generic_addresses(void **state) {
  (void)state;
  enum { THREADS = 100 };
  struct sim *sim = sim_open(
      SIM_KERNEL(".shared .align 4 .b8 s[400];",
                 ".local .align 4 .b8 own[16]; rem.u32 %r10, %r0, 3; setp.eq.u32 %p1, %r10, 0; "
                 "setp.eq.u32 %p2, %r10, 1;\n"
                 "mov.u64 %rd6, s; cvta.shared.u64 %rd6, %rd6; add.s64 %rd6, %rd6, %rd5; mov.u64 "
                 "%rd7, own; cvta.local.u64 %rd7, %rd7;\n"
                 "add.s64 %rd8, %rd0, %rd4; cvta.global.u64 %rd8, %rd8; selp.b64 %rd9, %rd6, %rd8, "
                 "%p1; selp.b64 %rd9, %rd7, %rd9, %p2;\n"
                 "add.s32 %r11, %r3, 1000; st.u32 [%rd9], %r11; ld.u32 %r12, [%rd9];\n"
                 "@!%p2 atom.add.u32 %r13, [%rd9], 5; @!%p2 ld.u32 %r12, [%rd9];\n"
                 "isspacep.shared %p3, %rd9; isspacep.local %p4, %rd9; isspacep.global %p5, %rd9;\n"
                 "@%p3 add.s32 %r12, %r12, 10000; @%p4 add.s32 %r12, %r12, 20000; @%p5 add.s32 "
                 "%r12, %r12, 30000;\n"
                 "@%p3 cvta.to.shared.u64 %rd10, %rd9; @%p3 ld.shared.u32 %r14, [%rd10]; @%p4 "
                 "cvta.to.local.u64 %rd10, %rd9;\n"
                 "@%p4 ld.local.u32 %r14, [%rd10]; @%p5 ld.global.u32 %r14, [%rd9]; add.s64 %rd11, "
                 "%rd1, %rd4; st.global.u32 [%rd11], %r12;\n"
                 "add.s64 %rd12, %rd2, %rd4; st.global.u32 [%rd12], %r14; ret;"),
      2);
  uint32_t a[2 * THREADS], sums[2 * THREADS], plain[2 * THREADS];
  uint64_t p0 = sim_zeros(sim, sizeof a), p1 = sim_zeros(sim, sizeof a),
           p2 = sim_zeros(sim, sizeof a);
  sim_run(sim, 2, THREADS, p0, p1, p2, 0);
  sim_read(sim, a, p0, sizeof a);
  sim_read(sim, sums, p1, sizeof a);
  sim_read(sim, plain, p2, sizeof a);
  for (uint32_t t = 0; t < 2 * THREADS; t++) {
    uint32_t kind = t % THREADS % 3, value = t + 1000 + (kind != 1 ? 5 : 0);
    assert_int_equal(a[t], kind == 2 ? value : 0);
    assert_int_equal(plain[t], value);
    assert_int_equal(sums[t], value + (kind == 0 ? 10000 : kind == 1 ? 20000 : 30000));
  }
  sim_close(sim);
}

/* A structure as parameter, read with an index that differs from lane to lane; one in .const. */
static void parameters_by_index(void **state) {
  (void)state;
  struct sim *sim = sim_open(SIM_HEADER
                             ".const .align 4 .b8 table[64];\n.visible .entry k(.param .u8 small, "
                             ".param .u64 p0, .param .align 8 .b8 s[64])\n{\n" SIM_REGISTERS
                             "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 15; "
                             "mul.wide.u32 %rd1, %r1, 4; mov.b64 %rd2, s;\n"
                             "add.s64 %rd2, %rd2, %rd1; ld.param.u32 %r2, [%rd2]; mov.u64 %rd3, "
                             "table; add.s64 %rd3, %rd3, %rd1; ld.const.u32 %r3, [%rd3];\n"
                             "add.s32 %r2, %r2, %r3; ld.param.u8 %r4, [small]; add.s32 %r2, %r2, "
                             "%r4; ld.param.u64 %rd5, [s+8]; cvt.u32.u64 %r5, %rd5;\n"
                             "add.s32 %r2, %r2, %r5; setp.lt.u32 %p1, %r1, 5; @%p1 ld.param.u32 "
                             "%r2, [s+60]; mul.wide.u32 %rd4, %r0, 4;\n"
                             "add.s64 %rd4, %rd0, %rd4; st.global.u32 [%rd4], %r2; ret;\n}\n",
                             1);
  struct {
    uint8_t small;
    uint64_t p0;
    uint32_t s[16];
  } params = {.small = 200};
  struct kernel_info info;
  assert_int_equal(device_get_kernel(sim->device, sim->module, "k", &info), 0);
  assert_int_equal(info.param_count, 3);
  assert_int_equal(info.param_bytes, sizeof params);
  assert_int_equal(info.params[0].size, 1);
  assert_int_equal(info.params[1].offset, 8);
  assert_int_equal(info.params[2].offset, 16);
  assert_int_equal(info.params[2].size, 64);
  assert_int_equal(info.const_bytes, 0);
  assert_int_equal(device_get_kernel(sim->device, sim->module, "none", &info),
                   cudaErrorInvalidDeviceFunction);
  uint32_t table[16], got[50];
  for (uint32_t i = 0; i < 16; i++) params.s[i] = i * i, table[i] = 1000 * i;
  uint64_t symbol;
  size_t bytes;
  assert_int_equal(device_get_symbol(sim->device, sim->module, "table", &symbol, &bytes), 0);
  assert_int_equal(device_write(sim->device, symbol, table, sizeof table), 0);
  params.p0 = sim_zeros(sim, sizeof got);
  assert_int_equal(sim_try_params(sim, "k", sim_line(1, 50), &params), 0);
  assert_int_equal(sim->hazard_count, 0);
  sim_read(sim, got, params.p0, sizeof got);
  for (uint32_t t = 0; t < 50; t++) {
    uint32_t i = t % 16;
    assert_int_equal(got[t], i < 5 ? 225 : i * i + 1000 * i + 200 + 4);
  }
  sim_close(sim);
}

static void local_arrays(void **state) {
  (void)state;
  enum { THREADS = 75 };
  struct sim *sim =
      sim_open(SIM_KERNEL("",
                          ".local .align 16 .b8 a[64]; .local .align 1 .b8 b[16]; mov.u64 %rd6, a; "
                          "mov.u64 %rd7, b; mov.u32 %r20, 0;\n"
                          "loop: mul.wide.u32 %rd8, %r20, 4; add.s64 %rd8, %rd8, %rd6; mad.lo.s32 "
                          "%r21, %r20, 100, %r0; st.local.u32 [%rd8], %r21;\n"
                          "cvt.u64.u32 %rd9, %r20; add.s64 %rd9, %rd9, %rd7; st.local.u8 [%rd9], "
                          "%r21; add.s32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 16;\n"
                          "@%p1 bra loop; and.b32 %r22, %r0, 15; mul.wide.u32 %rd8, %r22, 4; "
                          "add.s64 %rd8, %rd8, %rd6; ld.local.u32 %r23, [%rd8];\n"
                          "cvt.u64.u32 %rd9, %r22; add.s64 %rd9, %rd9, %rd7; ld.local.s8 %r24, "
                          "[%rd9]; ld.local.v4.u32 {%r25, %r26, %r27, %r28}, [a+48];\n"
                          "ld.local.u64 %rd11, [a+8]; mul.wide.u32 %rd10, %r3, 24; add.s64 %rd10, "
                          "%rd10, %rd0; st.global.u32 [%rd10], %r23;\n"
                          "st.global.u32 [%rd10+4], %r24; st.global.u32 [%rd10+8], %r25; "
                          "st.global.u32 [%rd10+12], %r28; st.global.u64 [%rd10+16], %rd11; ret;"),
               2);
  uint32_t got[2 * THREADS][6];
  uint64_t out = sim_zeros(sim, sizeof got);
  sim_run(sim, 2, THREADS, out, 0, 0, 0);
  sim_read(sim, got, out, sizeof got);
  for (uint32_t t = 0; t < 2 * THREADS; t++) {
    uint32_t x = t % THREADS, i = x % 16;
    uint32_t right[6] = {i * 100 + x, (uint32_t)(int8_t)(i * 100 + x), 1200 + x, 1500 + x, 200 + x,
                         300 + x};
    assert_memory_equal(got[t], right, sizeof right);
  }
  struct kernel_info info;
  assert_int_equal(device_get_kernel(sim->device, sim->module, "k", &info), 0);
  assert_int_equal(info.local_bytes, 80);
  sim_close(sim);
}

/* ---- atomics ---- */

static uint64_t combine(const char *kind, const char *type, uint64_t old, uint64_t v,
                        uint64_t second) {
  int64_t so = type[1] == '6' ? (int64_t)old : (int32_t)old,
          sv = type[1] == '6' ? (int64_t)v : (int32_t)v;
  bool is_signed = type[0] == 's';
#define KIND(name) (strcmp(kind, #name) == 0)
  if (KIND(add) && strcmp(type, "f32") == 0) {
    float a, b;
    uint64_t sum = 0;
    memcpy(&a, &old, 4), memcpy(&b, &v, 4);
    a += b;
    memcpy(&sum, &a, 4);
    return sum;
  }
  if (KIND(add) && strcmp(type, "f64") == 0) {
    double a, b;
    memcpy(&a, &old, 8), memcpy(&b, &v, 8);
    a += b;
    memcpy(&old, &a, 8);
    return old;
  }
  if (KIND(add)) return old + v;
  if (KIND(exch)) return v;
  if (KIND(cas)) return old == v ? second : old;
  if (KIND(min)) return is_signed ? (so < sv ? old : v) : (old < v ? old : v);
  if (KIND(max)) return is_signed ? (so > sv ? old : v) : (old > v ? old : v);
  if (KIND(inc)) return old >= v ? 0 : old + 1;
  if (KIND(dec)) return old == 0 || old > v ? v : old - 1;
  if (KIND(and)) return old & v;
  if (KIND(or)) return old | v;
  return old ^ v;
}

static const struct {
  const char *kind, *types[6];
} atomics[] = {
    {"add", {"u32", "s32", "u64", "f32", "f64"}},
    {"exch", {"b32", "b64"}},
    {"cas", {"b32", "b64"}},
    {"min", {"u32", "s32", "u64", "s64"}},
    {"max", {"u32", "s32", "u64", "s64"}},
    {"inc", {"u32"}},
    {"dec", {"u32"}},
    {"and", {"b32", "b64"}},
    {"or", {"b32", "b64"}},
    {"xor", {"b32", "b64"}},
};

/* All threads work on four words, in turn by their number; old values, if asked for, and the last
 * ones are those of threads that come in order. Random values; small ones where they must meet
 * (cas, inc, dec). */
static void atomic_case(const char *kind, const char *type, const char *space, bool old_too,
                        int threads) {
  enum { BLOCKS = 6, THREADS = 50, ALL = BLOCKS * THREADS, WORDS = 4 };
  bool shared = strcmp(space, ".shared") == 0, is_float = type[0] == 'f';
  bool shared_generic =
      strcmp(space, "") == 0 && old_too; /* the generic address of shared memory */
  bool in_shared = shared || shared_generic;
  int size = atoi(type + 1) / 8, blocks = in_shared ? 1 : BLOCKS, all = blocks * THREADS;
  bool meets = KIND(cas) || KIND(inc) || KIND(dec);
  const char *reg = size == 8 ? "%rd" : "%r";
  char op[300];
  if (old_too)
    snprintf(op, sizeof op, "atom%s.%s.%s %s40, [%%rd10], %s41%s%s;", space, kind, type, reg, reg,
             KIND(cas) ? ", " : "", KIND(cas) ? size == 8 ? "%rd42" : "%r42" : "");
  else
    snprintf(op, sizeof op, "red%s.%s.%s [%%rd10], %s41; mov.b%d %s40, 0;", space, kind, type, reg,
             8 * size, reg);
  struct sim *sim = open_text(
      ".shared .align 8 .b8 s[32];", threads,
      "and.b32 %%r10, %%r3, 3; mul.wide.u32 %%rd6, %%r10, %d; mul.wide.u32 %%rd7, %%r3, %d; "
      "add.s64 %%rd8, %%rd1, %%rd7;\n"
      "ld.global.b%d %s41, [%%rd8]; ld.global.b%d %s42, [%%rd8+%d]; add.s64 %%rd10, %%rd0, %%rd6;\n"
      "%s%s%s\n%s\nadd.s64 %%rd8, %%rd2, %%rd7; st.global.b%d [%%rd8], %s40;\n%sret;",
      size, size, 8 * size, reg, 8 * size, reg, size,
      in_shared ? "mov.u64 %rd11, s; add.s64 %rd12, %rd11, %rd6; setp.lt.u32 %p1, %r0, 4;\n" : "",
      !in_shared  ? ""
      : size == 8 ? "@%p1 ld.global.b64 %rd43, [%rd10]; @%p1 st.shared.b64 [%rd12], %rd43; mov.b64 "
                    "%rd9, %rd10; mov.b64 %rd10, %rd12; bar.sync 0;\n"
                  : "@%p1 ld.global.b32 %r43, [%rd10]; @%p1 st.shared.b32 [%rd12], %r43; mov.b64 "
                    "%rd9, %rd10; mov.b64 %rd10, %rd12; bar.sync 0;\n",
      shared_generic ? "cvta.shared.u64 %rd10, %rd10;" : "", op, 8 * size, reg,
      !in_shared ? ""
      : size == 8
          ? "bar.sync 0; @%p1 ld.shared.b64 %rd43, [%rd12]; @%p1 st.global.b64 [%rd9], %rd43;\n"
          : "bar.sync 0; @%p1 ld.shared.b32 %r43, [%rd12]; @%p1 st.global.b32 [%rd9], %r43;\n");
  unsigned char values[(ALL + 1) * 8], words[WORDS * 8] = {0}, right[WORDS * 8], olds[ALL * 8],
                                                     right_olds[ALL * 8] = {0};
  struct sim_random random = {7};
  for (int i = 0; i < all + 1; i++) {
    uint64_t v = meets ? sim_below(&random, 6) : sim_next(&random);
    double d = (double)(int64_t)v / 1e12;
    float f = (float)d;
    if (is_float && size == 8) memcpy(&v, &d, 8);
    if (is_float && size == 4) memcpy(&v, &f, 4);
    memcpy(values + i * size, &v, (size_t)size);
    if (i < WORDS && !is_float) memcpy(words + i * size, &v, (size_t)size);
  }
  memcpy(right, words, sizeof words);
  for (int t = 0; t < all; t++) {
    uint64_t old = 0, v = 0, second = 0;
    memcpy(&old, right + t % 4 * size, (size_t)size);
    memcpy(&v, values + t * size, (size_t)size);
    memcpy(&second, values + (t + 1) * size, (size_t)size);
    if (old_too) memcpy(right_olds + t * size, &old, (size_t)size);
    old = combine(kind, type, old, v, second);
    memcpy(right + t % 4 * size, &old, (size_t)size);
  }
  size_t used = (size_t)(all * size);
  uint64_t p0 = sim_buffer(sim, words, sizeof words), p1 = sim_buffer(sim, values, sizeof values),
           p2 = sim_zeros(sim, sizeof olds);
  sim_run(sim, (unsigned)blocks, THREADS, p0, p1, p2, 0);
  sim_read(sim, words, p0, sizeof words);
  sim_read(sim, olds, p2, sizeof olds);
  if (memcmp(words, right, (size_t)(WORDS * size)) != 0 || memcmp(olds, right_olds, used) != 0)
    fail_msg("%s: wrong %s (%d threads)", op,
             memcmp(olds, right_olds, used) ? "old value" : "result", threads);
  sim_close(sim);
}

static void atomic_operations(void **state) {
  (void)state;
  static const char *const where[] = {".global", ".shared", ""};
  for (int k = 0; k < LENGTH(atomics); k++)
    for (int t = 0; atomics[k].types[t]; t++)
      for (int s = 0; s < LENGTH(where); s++)
        for (int threads = 1; threads <= 4; threads += 3) {
          const char *kind = atomics[k].kind;
          atomic_case(kind, atomics[k].types[t], where[s], true, threads);
          if (!KIND(exch) && !KIND(cas))
            atomic_case(kind, atomics[k].types[t], where[s], false, threads);
        }
}

/* Many blocks at once on one word and on a histogram. */
static void atomics_of_many_blocks(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL(
          "",
          "red.global.add.u32 [%rd0], 1; and.b32 %r10, %r3, 63; mul.wide.u32 %rd6, %r10, 4;\n"
          "add.s64 %rd6, %rd6, %rd1; red.global.add.u32 [%rd6], %r1; red.global.max.u32 [%rd0+4], "
          "%r3; ret;"),
      7);
  uint32_t counts[2], bins[64];
  uint64_t p0 = sim_zeros(sim, sizeof counts), p1 = sim_zeros(sim, sizeof bins);
  sim_run(sim, 500, 96, p0, p1, 0, 0);
  sim_read(sim, counts, p0, sizeof counts);
  sim_read(sim, bins, p1, sizeof bins);
  assert_int_equal(counts[0], 500 * 96);
  assert_int_equal(counts[1], 500 * 96 - 1);
  uint32_t right[64] = {0};
  for (uint32_t t = 0; t < 500 * 96; t++) right[t % 64] += t / 96;
  assert_memory_equal(bins, right, sizeof bins);
  sim_close(sim);
}

/* ---- lanes and warps ---- */

static int shuffle_source(const char *mode, int lane, uint32_t b, uint32_t c, bool *inside) {
  int by = (int)(b & 31), clamp = (int)(c & 31), segment = (int)(c >> 8 & 31), from;
  int highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
  if (mode[0] == 'u')
    from = lane - by, *inside = from >= highest;
  else if (mode[0] == 'd')
    from = lane + by, *inside = from <= highest;
  else if (mode[0] == 'b')
    from = lane ^ by, *inside = from <= highest;
  else
    from = lowest | (by & ~segment), *inside = from <= highest;
  return *inside ? from : lane;
}

/* Widths 1 to 32, every distance, also each lane's own; all lanes, and the first 20 in a branch. */
static void shuffles(void **state) {
  (void)state;
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  for (int m = 0; m < 4; m++)
    for (int partial = 0; partial < 2; partial++) {
      struct sim *sim =
          open_text("", 1,
                    "add.s64 %%rd6, %%rd0, %%rd4; add.s64 %%rd7, %%rd1, %%rd4; setp.ge.u32 %%p1, "
                    "%%r4, %d; @%%p1 bra over;\n"
                    "ld.global.u32 %%r10, [%%rd7]; cvt.u32.u64 %%r11, %%rd2; mul.lo.s32 %%r12, "
                    "%%r3, 3; add.s32 %%r12, %%r12, 5;\n"
                    "mov.u32 %%r13, -7; setp.ne.u32 %%p2, %%r0, %%r0;\n"
                    "shfl.sync.%s.b32 %%r13|%%p2, %%r12, %%r10, %%r11, %d; selp.b32 %%r14, 1, 0, "
                    "%%p2; shl.b32 %%r13, %%r13, 1;\n"
                    "or.b32 %%r13, %%r13, %%r14; st.global.u32 [%%rd6], %%r13; over: ret;",
                    partial ? 20 : 32, modes[m], partial ? 0xfffff : -1);
      uint32_t got[64], by[64];
      uint64_t out = sim_zeros(sim, sizeof got), in = sim_zeros(sim, sizeof by);
      for (uint32_t width = 1; width <= 32; width *= 2)
        for (uint32_t distance = 0; distance <= 33; distance++) {
          uint32_t c = (32 - width) << 8 | (m == 0 ? 0 : 31);
          for (uint32_t t = 0; t < 64; t++) by[t] = distance < 33 ? distance : t * 7;
          assert_int_equal(device_write(sim->device, in, by, sizeof by), 0);
          sim_run(sim, 1, 64, out, in, c, 0);
          sim_read(sim, got, out, sizeof got);
          for (int t = 0; t < 64; t++) {
            bool inside;
            int from = shuffle_source(modes[m], t % 32, by[t], c, &inside);
            if (partial && (t % 32 >= 20 || from >= 20))
              continue; /* not active, or reads of a lane that is not */
            uint32_t right = (uint32_t)((t / 32 * 32 + from) * 3 + 5) << 1 | inside;
            if (got[t] != right)
              fail_msg("shfl.%s width %u distance %u thread %d: %x, not %x", modes[m], width, by[t],
                       t, got[t], right);
          }
        }
      sim_close(sim);
    }
}

static void votes(void **state) {
  (void)state;
  static const char *const guards[] = {"setp.lt.u32 %p3, %r4, 32;", "setp.lt.u32 %p3, %r4, 13;"};
  static const uint32_t members[] = {0xffffffff, 0x1fff};
  static const uint32_t patterns[] = {0,          1,          0xffffffff, 0x1fff,
                                      0xffffe000, 0x80000000, 0x12345678, 0xfff};
  for (int g = 0; g < 2; g++) {
    struct sim *sim = open_text(
        "", 1,
        "%s @!%%p3 bra over; cvt.u32.u64 %%r10, %%rd1; shr.u32 %%r10, %%r10, %%r4; and.b32 %%r10, "
        "%%r10, 1;\n"
        "setp.eq.u32 %%p1, %%r10, 1; vote.sync.ballot.b32 %%r11, %%p1, %u; vote.sync.all.pred "
        "%%p4, %%p1, %u;\n"
        "vote.sync.any.pred %%p5, %%p1, %u; vote.sync.uni.pred %%p6, %%p1, %u; vote.sync.any.pred "
        "%%p7, !%%p1, %u;\n"
        "activemask.b32 %%r12; selp.b32 %%r13, 1, 0, %%p4; selp.b32 %%r14, 2, 0, %%p5; selp.b32 "
        "%%r15, 4, 0, %%p6;\n"
        "selp.b32 %%r16, 8, 0, %%p7; or.b32 %%r13, %%r13, %%r14; or.b32 %%r13, %%r13, %%r15; "
        "or.b32 %%r13, %%r13, %%r16;\n"
        "mul.wide.u32 %%rd6, %%r3, 12; add.s64 %%rd6, %%rd6, %%rd0; st.global.u32 [%%rd6], %%r11;\n"
        "st.global.u32 [%%rd6+4], %%r12; st.global.u32 [%%rd6+8], %%r13; over: ret;",
        guards[g], members[g], members[g], members[g], members[g], members[g]);
    uint32_t got[64][3];
    uint64_t out = sim_zeros(sim, sizeof got);
    for (int i = 0; i < LENGTH(patterns); i++) {
      sim_run(sim, 1, 52, out, patterns[i], 0, 0);
      sim_read(sim, got, out, sizeof got);
      for (uint32_t t = 0; t < 52; t++) {
        uint32_t there = members[g] & (t < 32 ? 0xffffffff : 0xfffff), yes = patterns[i] & there;
        bool active = there >> t % 32 & 1, all = yes == there, any = yes != 0;
        uint32_t flags =
            (uint32_t)all | (uint32_t)any << 1 | (uint32_t)(all || !any) << 2 | (uint32_t)!all << 3;
        uint32_t right[3] = {active ? yes : 0, active ? there : 0, active ? flags : 0};
        assert_memory_equal(got[t], right, sizeof right);
      }
    }
    sim_close(sim);
  }
}

/* Each half of a warp votes apart, as the tiles of cooperative groups do. */
static void votes_of_half_warps(void **state) {
  (void)state;
  struct sim *sim = open_text("", 1, "%s",
                              "and.b32 %r10, %r4, 16; mov.u32 %r11, 65535; shl.b32 %r11, %r11, "
                              "%r10; cvt.u32.u64 %r12, %rd1;\n"
                              "shr.u32 %r12, %r12, %r4; and.b32 %r12, %r12, 1; setp.eq.u32 %p1, "
                              "%r12, 1; vote.sync.ballot.b32 %r13, %p1, %r11;\n"
                              "vote.sync.all.pred %p2, %p1, %r11; vote.sync.any.pred %p3, %p1, "
                              "%r11; selp.b32 %r14, 1, 0, %p2; selp.b32 %r15, 2, 0, %p3;\n"
                              "or.b32 %r14, %r14, %r15; mul.wide.u32 %rd6, %r3, 8; add.s64 %rd6, "
                              "%rd6, %rd0; st.global.u32 [%rd6], %r13;\n"
                              "st.global.u32 [%rd6+4], %r14; ret;");
  static const uint32_t patterns[] = {0,       0xffffffff, 0xffff,    0xffff0000,
                                      0x10001, 0x80000000, 0x7fffffff};
  uint32_t got[32][2];
  uint64_t out = sim_zeros(sim, sizeof got);
  for (int i = 0; i < LENGTH(patterns); i++) {
    sim_run(sim, 1, 32, out, patterns[i], 0, 0);
    sim_read(sim, got, out, sizeof got);
    for (uint32_t t = 0; t < 32; t++) {
      uint32_t members = 0xffffu << (t & 16), yes = patterns[i] & members;
      assert_int_equal(got[t][0], yes);
      assert_int_equal(got[t][1], (yes == members) | (yes != 0) << 1);
    }
  }
  sim_close(sim);
}

static void reducing_barriers(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL(
          "",
          "cvt.u32.u64 %r10, %rd1; setp.lt.u32 %p1, %r0, %r10; barrier.red.popc.u32 %r11, 0, %p1;\n"
          "bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, %p1; bar.red.popc.u32 %r12, 0, "
          "!%p1;\n"
          "selp.b32 %r13, 1, 0, %p2; selp.b32 %r14, 2, 0, %p3; or.b32 %r13, %r13, %r14; "
          "mul.wide.u32 %rd6, %r3, 12;\n"
          "add.s64 %rd6, %rd6, %rd0; st.global.u32 [%rd6], %r11; st.global.u32 [%rd6+4], %r12;\n"
          "st.global.u32 [%rd6+8], %r13; ret;"),
      2);
  uint32_t got[140][3];
  uint64_t out = sim_zeros(sim, sizeof got);
  static const uint32_t limits[] = {0, 1, 31, 33, 69, 70, 1000};
  for (int i = 0; i < LENGTH(limits); i++) {
    sim_run(sim, 2, 70, out, limits[i], 0, 0);
    sim_read(sim, got, out, sizeof got);
    for (int t = 0; t < 140; t++) {
      uint32_t count = limits[i] < 70 ? limits[i] : 70;
      uint32_t right[3] = {count, 70 - count, (uint32_t)(count == 70) | (uint32_t)(count > 0) << 1};
      assert_memory_equal(got[t], right, sizeof right);
    }
    assert_int_equal(sim->report.counters.value[COUNTER_barriers], 2 * 3 * 4);
  }
  sim_close(sim);
}

/* ---- printf ---- */

/* A .global array of the bytes of a string. */
static char *string_variable(const char *name, const char *value) {
  static char text[4][2000];
  static int turn;
  char *to = text[turn++ % 4];
  int n = snprintf(to, sizeof text[0], ".global .align 1 .b8 %s[%zu] = {", name, strlen(value) + 1);
  for (const char *at = value; *at; at++)
    n += snprintf(to + n, sizeof text[0] - (size_t)n, "%d, ", *at);
  snprintf(to + n, sizeof text[0] - (size_t)n, "0};\n");
  return to;
}

static void prints(void **state) {
  (void)state;
  char variables[5000];
  snprintf(variables, sizeof variables,
           ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n%s%s",
           string_variable("format", "%d|%5u|%-4x|%c|%s|%.2f|%lld|100%%|%08.3e|%p\n"),
           string_variable("word", "two"));
  struct sim *sim = open_text(variables, 4,
                              ".local .align 8 .b8 args[72]; add.s32 %%r10, %%r3, -1; mov.u32 "
                              "%%r11, 65; add.s32 %%r11, %%r11, %%r3; cvt.rn.f64.u32 %%fd1, %%r3;\n"
                              "add.f64 %%fd1, %%fd1, 0d3FE0000000000000; mov.u64 %%rd6, word; "
                              "cvta.global.u64 %%rd6, %%rd6; mov.b64 %%rd7, -5000000000;\n"
                              "st.local.u32 [args], %%r10; st.local.u32 [args+4], %%r3; "
                              "st.local.u32 [args+8], %%r11; st.local.u32 [args+12], %%r11;\n"
                              "st.local.u64 [args+16], %%rd6; st.local.f64 [args+24], %%fd1; "
                              "st.local.u64 [args+32], %%rd7; st.local.f64 [args+40], %%fd1;\n"
                              "st.local.u64 [args+48], %%rd3; mov.u64 %%rd8, args; cvta.local.u64 "
                              "%%rd8, %%rd8; mov.u64 %%rd9, format; cvta.global.u64 %%rd9, %%rd9;\n"
                              "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], "
                              "%%rd9; st.param.b64 [a], %%rd8; call (r), vprintf, (f, a);\n"
                              "ld.param.b32 %%r12, [r]; } ret;");
  sim_run(sim, 10, 2, 0, 0, 0, 0xabc);
  char right[4000] = "";
  for (int t = 0; t < 20; t++) /* in the order of blocks, whatever the number of threads */
    snprintf(right + strlen(right), sizeof right - strlen(right),
             "%d|%5u|%-4x|%c|%s|%.2f|%lld|100%%|%08.3e|0xabc\n", t - 1, (unsigned)t, 65 + t, 65 + t,
             "two", t + 0.5, -5000000000LL, t + 0.5);
  assert_string_equal(sim->printed, right);
  sim_close(sim);
}

/* Stores that become one must not wait for each other behind a load that only some threads have. */
static void a_guarded_load_between_stores(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL(
          ".shared .align 16 .b8 s[16];",
          "setp.eq.u32 %p1, %r0, 0; @!%p1 ret; mov.u64 %rd8, s; st.shared.u32 [%rd8+12], 1;\n"
          "st.shared.u32 [%rd8+12], 7; @%p1 ld.shared.u32 %r10, [%rd8+12];\n"
          "st.shared.u32 [%rd8], 2; st.shared.u32 [%rd8+4], 3; st.shared.u32 [%rd8+8], 4;\n"
          "st.global.u32 [%rd0], %r10; ret;"),
      1);
  uint32_t read = 0;
  uint64_t to = sim_zeros(sim, 4);
  sim_run(sim, 1, 32, to, 0, 0, 0);
  sim_read(sim, &read, to, 4);
  assert_int_equal(read, 7);
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(touched_lines_of_a_launch),
      cmocka_unit_test(where_arrays_lie_on_a_gpu),
      cmocka_unit_test(an_address_that_is_preferred),
      cmocka_unit_test(allocations),
      cmocka_unit_test(adopted_bytes),
      cmocka_unit_test(lanes_far_apart),
      cmocka_unit_test(copies),
      cmocka_unit_test(what_copies_initialise),
      cmocka_unit_test(symbols),
      cmocka_unit_test(loads),
      cmocka_unit_test(stores),
      cmocka_unit_test(contiguous_stores_of_wide_registers),
      cmocka_unit_test(loads_onto_their_own_address),
      cmocka_unit_test(parameters_onto_their_own_address),
      cmocka_unit_test(decimal_constants),
      cmocka_unit_test(names_that_hide_a_parameter),
      cmocka_unit_test(conversions_into_wider_registers),
      cmocka_unit_test(generic_addresses),
      cmocka_unit_test(parameters_by_index),
      cmocka_unit_test(local_arrays),
      cmocka_unit_test(atomic_operations),
      cmocka_unit_test(atomics_of_many_blocks),
      cmocka_unit_test(shuffles),
      cmocka_unit_test(votes),
      cmocka_unit_test(votes_of_half_warps),
      cmocka_unit_test(reducing_barriers),
      cmocka_unit_test(prints),
      cmocka_unit_test(a_guarded_load_between_stores),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
