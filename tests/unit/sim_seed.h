/* sim_seed.h: the PTX that the tests of the simulator load is what the fuzzer starts from: with
 * KIT_SEEDS=FOLDER each text becomes a file there (tests/fuzz/seeds). */
#ifndef KIT_TESTS_SIM_SEED_H
#define KIT_TESTS_SIM_SEED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A program that makes thousands of kernels ends when it has written so many. */
enum { MAX_SEEDS = 100, MAX_SEED_BYTES = 8000 };

static inline void sim_keep_seed(const char *ptx, size_t length) {
  static int kept;
  const char *folder = getenv("KIT_SEEDS");
  if (!folder || length > MAX_SEED_BYTES) return;
  if (kept++ == MAX_SEEDS) exit(0);
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)ptx[i]) * UINT64_C(0x100000001b3);
  char path[4096];
  snprintf(path, sizeof path, "%s/%016llx", folder, (unsigned long long)hash);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(ptx, 1, length, file) != length || fclose(file) != 0) {
    perror(path);
    exit(2);
  }
}

#endif
