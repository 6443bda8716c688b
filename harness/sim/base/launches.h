/* launches.h: kernels and their launches, as the runtime and the device name them: the figures of a
 * kernel, what is asked of a launch, and what is reported of it: counters, also by source line, and
 * where its accesses went. */
#ifndef KIT_LAUNCHES_H
#define KIT_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sim/base/counters.h"

/* The place of an allocation or a launch in the student's source; file may be NULL. */
struct source_place {
  const char *file;
  int line;
};

struct kernel_info {
  int param_count;
  struct {
    size_t offset, size; /* bytes, in the buffer of parameters */
  } params[128];
  size_t param_bytes;
  size_t static_shared_bytes, local_bytes, const_bytes;
  int registers;
  int max_threads_per_block;
  size_t max_dynamic_shared; /* as cudaFuncSetAttribute has set it, or the default */
};
struct launch {
  int module;
  const char *kernel; /* mangled */
  unsigned grid[3], block[3];
  size_t shared_bytes; /* dynamic */
  const void *params;
  size_t param_bytes; /* of params: must equal kernel_info.param_bytes */
  struct source_place place;
  uint32_t stream;
  bool cooperative; /* all blocks are resident, so that they may wait for each other */
  bool beside_host; /* other threads of the host may use managed memory meanwhile */
};
/* The counters of one source line; lines without a counted instruction are left out. */
struct line_report {
  int line;
  struct counters counters;
};
/* What one source line loads from or stores to one array of global memory. Atomics are included, as
 * both if the kernel uses the old value; so are loads of __constant__ variables that carry data. A
 * line has several entries if its accesses differ in sectors per requested byte, so that efficient
 * accesses do not hide inefficient ones. */
struct traffic {
  int line;
  bool store;
  char array[96]; /* "A", "the array of cudaMalloc at line 12" */
  uint64_t requests, sectors, bytes;
};
/* A warp's addresses when it first executed an instruction (with all its lanes, if it ever did). */
struct warp_access {
  int warp; /* in the block */
  uint32_t mask;
  int cost;            /* sectors, or wavefronts of shared memory */
  int64_t offsets[32]; /* bytes from the array's start; 0 for lanes outside the mask */
};
/* A memory instruction, as one block executed it. */
struct access_report {
  int line, index; /* index: among the line's instructions of the same space and op */
  bool shared;     /* else global */
  const char *op;  /* "load", "store", "atomic" */
  int bytes;       /* of a lane */
  char array[96];  /* "" if it has no name */
  size_t array_bytes;
  int base; /* shared: the array's start modulo 128 bytes, all 32 banks */
  unsigned block[3];
  struct warp_access *warps;
  int warp_count;
  int place; /* in the program */
};
struct launch_report {
  char kernel[128];      /* demangled, without parameters */
  char launched_by[128]; /* the kernel that launched it; "": the host */
  unsigned grid[3], block[3];
  size_t static_shared_bytes, dynamic_shared_bytes;
  int registers; /* per thread, estimated */
  bool timed;    /* it has a modelled time, and what limits it: "shared memory" */
  double time_ns;
  double dram_bytes; /* that it moves between L2 and DRAM (model/model.h); with a time */
  char bound[32];
  struct source_place place;
  struct counters counters;
  struct line_report *lines;
  int line_count;
  struct traffic *traffic; /* by line, op, array and sectors for each byte; in ascending order */
  int traffic_count;
  struct access_report *accesses; /* NULL: the listener wants none */
  int access_count;
};

#endif
