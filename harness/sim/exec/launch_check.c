/* launch_check.c: see launch_check.h. */
#include "harness/sim/exec/launch_check.h"

#include <stdarg.h>
#include <stdio.h>

#include "harness/sim/base/error.h"

__attribute__((format(printf, 4, 5))) static int refuse(char *why, size_t size, int code,
                                                        const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, size, format, arguments);
  va_end(arguments);
  return code;
}

int launch_check(const struct device_info *gpu, const struct kernel *kernel,
                 const struct launch *launch, char *why, size_t size) {
  const unsigned *g = launch->grid, *b = launch->block;
  uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
  bool flat = b[1] == 1 && b[2] == 1;
  const char *unit = flat ? "threads" : "TILE";
  if (g[0] == 0 || g[1] == 0 || g[2] == 0) {
    return refuse(why, size, cudaErrorInvalidConfiguration,
                  "the grid is %u x %u x %u: no blocks, so the kernel was not run. Round up when "
                  "dividing: (n + %s - 1) / %s.",
                  g[0], g[1], g[2], unit, unit);
  }
  if (threads == 0 || threads > (uint64_t)gpu->max_threads_per_block ||
      (int)b[0] > gpu->max_block[0] || (int)b[1] > gpu->max_block[1] ||
      (int)b[2] > gpu->max_block[2]) {
    uint64_t blocks = (uint64_t)g[0] * g[1] * g[2];
    bool exchanged = blocks % 32 == 0 && blocks <= (uint64_t)gpu->max_threads_per_block;
    return refuse(why, size, cudaErrorInvalidConfiguration,
                  "a block of %u x %u x %u is %llu threads; a block has 1 to %d (x and y up to %d, "
                  "z up to %d), so the kernel was not run. %s Check cudaGetLastError() after every "
                  "launch.",
                  b[0], b[1], b[2], (unsigned long long)threads, gpu->max_threads_per_block,
                  gpu->max_block[0], gpu->max_block[2],
                  exchanged ? "A launch is <<<blocks, threads of a block>>>: are the two exchanged?"
                  : flat    ? "Use at most 1024 threads."
                            : "Use at most 32 x 32.");
  }
  if (g[0] > (unsigned)gpu->max_grid[0] || g[1] > (unsigned)gpu->max_grid[1] ||
      g[2] > (unsigned)gpu->max_grid[2]) {
    return refuse(
        why, size, cudaErrorInvalidConfiguration,
        "the grid is %u x %u x %u blocks; at most %d x %d x %d are allowed, so the kernel was "
        "not run.",
        g[0], g[1], g[2], gpu->max_grid[0], gpu->max_grid[1], gpu->max_grid[2]);
  }
  if (threads > (uint64_t)kernel->info.max_threads_per_block) {
    return refuse(
        why, size, cudaErrorInvalidValue,
        "a block of %llu threads exceeds the kernel's __launch_bounds__(%d), so the kernel "
        "was not run.",
        (unsigned long long)threads, kernel->info.max_threads_per_block);
  }
  size_t shared = kernel->static_shared_bytes + launch->shared_bytes;
  if (kernel->static_shared_bytes > (size_t)gpu->shared_per_block) {
    return refuse(
        why, size, cudaErrorInvalidValue,
        "the kernel's __shared__ arrays take %zu bytes; at most %d are allowed, so a GPU's "
        "compiler would refuse it. Use smaller tiles.",
        kernel->static_shared_bytes, gpu->shared_per_block);
  }
  if (launch->shared_bytes > kernel->max_dynamic_shared ||
      shared > (size_t)gpu->shared_per_block_optin ||
      (shared > (size_t)gpu->shared_per_block &&
       kernel->max_dynamic_shared <= (size_t)gpu->shared_per_block)) {
    return refuse(why, size, cudaErrorInvalidValue,
                  "the block asks for %zu bytes of shared memory (%zu static, %zu dynamic); %d are "
                  "allowed without cudaFuncSetAttribute, so the "
                  "kernel was not run. Use smaller tiles.",
                  shared, kernel->static_shared_bytes, launch->shared_bytes, gpu->shared_per_block);
  }
  return cudaSuccess;
}
