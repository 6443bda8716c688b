/* fat_binary.c: finds PTX in what nvcc -fatbin writes.
 *
 * A fat binary is a header and parts, each with a header of its own, little-endian. No document of
 * NVIDIA's describes them; these fields are what nvcc 13.0 writes:
 *
 *     whole   0: magic   6: bytes of the header (u16)   8: bytes of all parts (u64)
 *     part    0: kind (u16; 1: PTX, 2: ELF)   4: bytes of the header (u32)   8: bytes of the
 * content, with padding (u64)   16: compressed bytes (u32; 0: plain)   28: architecture (u32; 90)
 */
#include "harness/sim/runtime/fat_binary.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE_HEADER = 16, PART_HEADER = 64, KIND_PTX = 1 };

struct part {
  uint16_t kind;
  uint32_t header, compressed, architecture;
  uint64_t bytes;
};

static struct part read_part(const char *at) {
  struct part part;
  memcpy(&part.kind, at, sizeof part.kind);
  memcpy(&part.header, at + 4, sizeof part.header);
  memcpy(&part.bytes, at + 8, sizeof part.bytes);
  memcpy(&part.compressed, at + 16, sizeof part.compressed);
  memcpy(&part.architecture, at + 28, sizeof part.architecture);
  return part;
}

static bool starts_with(const char *image, size_t room, const char *magic) {
  return room >= 4 && strncmp(image, magic, 4) == 0;
}

const char *fat_binary_ptx(const char *image, size_t room, char **ptx) {
  *ptx = NULL;
  if (room == 0 || !*image) return "the module's image is empty";
  if (starts_with(image, room,
                  "\x7f"
                  "ELF"))
    return "the module has machine code only, no PTX";
  if (!starts_with(image, room, "\x50\xed\x55\xba")) return NULL;
  uint16_t header;
  uint64_t left;
  if (room < WHOLE_HEADER) return "the fat binary is cut off";
  memcpy(&header, image + 6, sizeof header);
  memcpy(&left, image + 8, sizeof left);
  if (header > room || left > room - header) return "the fat binary is cut off";
  const char *at = image + header, *found = NULL;
  size_t length = 0;
  uint32_t newest = 0;
  bool compressed = false;
  while (left >= PART_HEADER) {
    struct part part = read_part(at);
    if (part.header < PART_HEADER || part.header > left || part.bytes > left - part.header)
      return "the fat binary is damaged";
    if (part.kind == KIND_PTX && part.compressed) compressed = true;
    if (part.kind == KIND_PTX && !part.compressed && part.architecture >= newest) {
      found = at + part.header;
      length = part.bytes;
      newest = part.architecture;
    }
    at += part.header + part.bytes;
    left -= part.header + part.bytes;
  }
  if (!found && compressed) return "the PTX in the fat binary is compressed";
  if (!found) return "the fat binary has machine code only, no PTX";
  *ptx = strndup(found, length);
  return *ptx ? NULL : "out of memory";
}
