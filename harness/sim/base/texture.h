/* texture.h: what a texture or surface object stands for. The runtime puts such a descriptor into
 * device memory and its address is the object, so that objects end with the device, a destroyed one
 * is recognised, and kernels get them like any pointer. Whoever reads one checks it: a program may
 * have written anything there. */
#ifndef KIT_TEXTURE_H
#define KIT_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#define TEXTURE_MAGIC UINT64_C(0x6b69742074657874)

/* CUDA's numbers. */
enum texture_address { TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER };
enum channel_kind { CHANNEL_SIGNED, CHANNEL_UNSIGNED, CHANNEL_FLOAT };

struct texture_descriptor {
  uint64_t magic;
  uint64_t address;      /* of the first texel */
  uint64_t pitch, slice; /* bytes from row to row, and from one plane, layer or face to the next */
  uint32_t extent[3];    /* texels; at least 1 */
  uint32_t layers;       /* of layered ones and cubemaps, whose layers are faces; else 1 */
  uint8_t channels;      /* 1, 2 or 4 */
  uint8_t channel_bytes; /* 1, 2 or 4 */
  uint8_t kind;          /* enum channel_kind */
  uint8_t address_mode[3]; /* enum texture_address */
  bool surface;            /* else a texture */
  bool linear;             /* filtering */
  bool normalized;         /* coordinates from 0 to 1 */
  bool reads_floats;       /* integers are read as fractions of the largest */
  bool bounded;            /* linear memory: tex1Dfetch beyond it returns zeros */
  uint8_t unused[5];
  float border[4];
};

static inline uint32_t texture_texel_bytes(const struct texture_descriptor *texture) {
  return (uint32_t)texture->channels * texture->channel_bytes;
}

#endif
