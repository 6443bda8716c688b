/* fuzz.h: what libFuzzer calls, and tests/fuzz/replay.c in its place. */
#ifndef KIT_FUZZ_H
#define KIT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
