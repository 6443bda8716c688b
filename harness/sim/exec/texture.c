/* texture.c: fetches from textures, and loads and stores of surfaces.
 *
 * A fetch finds the texels of each lane, loads them as ordinary loads do, one texel of all lanes at
 * a time, and filters them. So all checks of memory hold for arrays, too, and the counting rule is
 * plain: a fetch counts as so many loads from global memory as its filter has texels (1 for points;
 * linear: 2, 4 or 8), each with the sectors that its texels lie in, row by row.
 */
#include "harness/sim/exec/texel.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "harness/sim/base/texture.h"
#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/filter.h"
#include "harness/sim/exec/lanes.h"
#include "harness/sim/exec/pattern.h"
#include "harness/sim/exec/slice.h"
#include "harness/sim/include/kit_half_bits.h"

/* ---- objects ---- */

static bool is_valid(const struct texture_descriptor *t, bool surface) {
  bool bytes = t->channel_bytes == 1 || t->channel_bytes == 2 || t->channel_bytes == 4,
       channels = t->channels == 1 || t->channels == 2 || t->channels == 4;
  return t->magic == TEXTURE_MAGIC && t->surface == surface && bytes && channels &&
         t->kind <= CHANNEL_FLOAT && t->extent[0] && t->extent[1] && t->extent[2] && t->layers;
}

/* A copy of the descriptor that is the object; false: it is none. */
static bool find_texture(const struct launch_state *launch, uint64_t object, bool surface,
                         struct texture_descriptor *texture) {
  const struct allocation *a = memory_find(launch->memory, object, sizeof *texture);
  if (!a || a->address != object || a->managed) return false;
  memcpy(texture, a->data, sizeof *texture);
  return is_valid(texture, surface);
}

static void note_no_texture(struct warp *warp, const struct op *op, uint64_t object,
                            uint32_t mask) {
  const struct allocation *a = memory_window(warp->worker->launch->memory, object);
  bool destroyed = a && !a->live, surface = op->texture.surface;
  const char *what = surface ? "surface" : "texture";
  access_describe(
      access_hazard(warp, destroyed ? HAZARD_use_after_free : HAZARD_oob, op->line, 0, "", 1), warp,
      first_thread(warp, mask), "uses a %s object that %s. Pass the kernel what %s has made%s.",
      what, destroyed ? "was destroyed" : "is none",
      surface ? "cudaCreateSurfaceObject" : "cudaCreateTextureObject",
      destroyed ? ", and destroy it when no kernel needs it any more" : "");
  access_stop(warp, cudaErrorIllegalAddress);
}

/* ---- coordinates ---- */

enum { OUTSIDE = -1 };

/* Where a lane's coordinate lies on an axis: two texels (OUTSIDE: the border) and the weight of the
 * second one, of 256. */
struct position {
  int64_t texel[2];
  int weight;
};

static int64_t wrapped(int64_t i, int64_t size) {
  i %= size;
  return i < 0 ? i + size : i;
}

static int64_t addressed(const struct texture_descriptor *t, int axis, int64_t i) {
  int64_t size = t->extent[axis];
  enum texture_address mode = t->address_mode[axis];
  if (t->bounded) mode = TEXTURE_BORDER;
  if (!t->normalized && (mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR)) mode = TEXTURE_CLAMP;
  if (i >= 0 && i < size) return i;
  switch (mode) {
    case TEXTURE_WRAP:
      return wrapped(i, size);
    case TEXTURE_MIRROR:
      i = wrapped(i, 2 * size);
      return i < size ? i : 2 * size - 1 - i;
    case TEXTURE_BORDER:
      return OUTSIDE;
    case TEXTURE_CLAMP:
    default:
      return i < 0 ? 0 : size - 1;
  }
}

static struct position place(const struct texture_descriptor *t, int axis, float x, bool linear) {
  struct position p;
  int64_t first = filter_place(x, t->normalized, t->extent[axis], linear, &p.weight);
  p.texel[0] = addressed(t, axis, first);
  p.texel[1] = addressed(t, axis, first + 1);
  return p;
}

/* Of a direction: its face, and where on that (CUDA C++ Programming Guide, "Cubemap Textures"). On
 * an edge it is z's rather than y's rather than x's. */
static int cube_face(float x, float y, float z, float *s, float *t) {
  float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), major, sc, tc;
  int face;
  if (az >= ax && az >= ay) {
    face = 4 + (z < 0);
    major = az, sc = z < 0 ? -x : x, tc = -y;
  } else if (ay >= ax) {
    face = 2 + (y < 0);
    major = ay, sc = x, tc = y < 0 ? -z : z;
  } else {
    face = x < 0;
    major = ax, sc = x < 0 ? z : -z, tc = -y;
  }
  *s = (sc / major + 1) / 2;
  *t = (tc / major + 1) / 2;
  return face;
}

/* Axes that the texels of a shape have, layers aside. */
static const int shape_axes[] = {1, 2, 3, 1, 2, 2, 2};

/* A lane's footprint. */
struct footprint {
  struct position at[AXES];
  uint64_t start; /* of its layer or face */
};

static uint32_t coordinate_bits(const char *frame, const struct op *op, int n, int lane) {
  return SLOT(frame, op, COORDINATE_SLOT + n, const uint32_t)[lane];
}
static float coordinate(const char *frame, const struct op *op, int n, int lane) {
  uint32_t bits = coordinate_bits(frame, op, n, lane);
  return op->texture.float_coordinates ? kit_float_of_bits(bits) : (float)(int32_t)bits;
}

static uint64_t clamped_layer(const struct texture_descriptor *t, int64_t layer) {
  return layer < 0 ? 0 : layer >= t->layers ? t->layers - 1 : (uint64_t)layer;
}

static struct footprint find_footprint(const char *frame, const struct op *op,
                                       const struct texture_descriptor *t, int lane, bool linear) {
  enum texture_shape shape = op->texture.shape;
  int first = shape == SHAPE_A1D || shape == SHAPE_A2D || shape == SHAPE_ACUBE;
  struct footprint f = {.start = t->address};
  int64_t layer = first ? (int64_t)coordinate_bits(frame, op, 0, lane) : 0;
  float x[AXES] = {0};
  for (int a = 0; a < AXES && first + a < OP_SLOTS - COORDINATE_SLOT; a++)
    if (a < shape_axes[shape] || shape >= SHAPE_CUBE) x[a] = coordinate(frame, op, first + a, lane);
  if (shape >= SHAPE_CUBE) {
    float s, u;
    layer = layer * 6 + cube_face(x[0], x[1], x[2], &s, &u);
    x[0] = s, x[1] = u;
  }
  f.start += clamped_layer(t, layer) * t->slice;
  for (int a = 0; a < shape_axes[shape]; a++) {
    if (op->texture.float_coordinates) {
      f.at[a] = place(t, a, x[a], linear);
    } else {
      int64_t i = (int32_t)coordinate_bits(frame, op, first + a, lane);
      f.at[a] = (struct position){{addressed(t, a, i), 0}, 0};
    }
  }
  return f;
}

/* The address of one of its texels: bit a of `corner` is set for the second one on axis a. 0: it
 * is the border. */
static uint64_t texel_address(const struct texture_descriptor *t, const struct footprint *f,
                              int corner) {
  int64_t i[AXES];
  for (int a = 0; a < AXES; a++)
    if ((i[a] = f->at[a].texel[corner >> a & 1]) == OUTSIDE) return 0;
  return f->start + (uint64_t)i[2] * t->slice + (uint64_t)i[1] * t->pitch +
         (uint64_t)i[0] * texture_texel_bytes(t);
}

/* ---- access to memory ---- */

/* An operation's own registers for one access: addresses, then data. */
struct registers {
  _Alignas(FRAME_ALIGN) uint64_t address[LANES];
  uint64_t data[4][LANES]; /* as 32-bit values in the first half, or 64-bit ones */
};

static struct op plain_access(const struct op *op, enum op_kind kind, int size, int count) {
  struct op access = *op;
  access.kind = (uint8_t)kind;
  access.size = (uint8_t)size;
  access.count = (uint8_t)count;
  access.wide = size == 8;
  access.guarded = false;
  memset(&access.access, 0, sizeof access.access);
  access.slot[0] = offsetof(struct registers, address);
  for (uint32_t i = 0; i < 4; i++)
    access.slot[1 + i] = (uint32_t)offsetof(struct registers, data) + i * SLOT64;
  return access;
}

/* A memo of accesses of another size is void. */
static void fit_memo(struct memo *memo, int bytes) {
  if (memo->requested_bytes == (uint32_t)(memo->lane_count * bytes)) return;
  memo->mask = 0;
  memo->key = 0;
}

static void run_access(struct warp *warp, const struct op *access, struct registers *registers,
                       uint32_t lanes) {
  struct worker *worker = warp->worker;
  const struct isa *isa = worker->launch->isa;
  struct memo *const *memo = &worker->memos[access->group];
  uint32_t mask = warp->mask;
  if (!lanes || warp->stop) return;
  fit_memo(*memo, access->size * access->count);
  struct formers *formers = &worker->formers[access->group];
  for (int k = 0; k < formers->count; k++) fit_memo(formers->memo[k], access->size * access->count);
  warp->mask = lanes;
  (access->kind == OP_LOAD ? isa->load : isa->store)((char *)registers, access, warp);
  warp->mask = mask;
  pattern_flush(worker, access, *memo); /* the next one may be of another size */
}

/* ---- textures ---- */

/* What a channel of a texel is: a float's bits, or an integer. */
static uint32_t channel_value(const struct texture_descriptor *t, uint32_t raw) {
  int bits = 8 * t->channel_bytes;
  if (t->kind == CHANNEL_FLOAT) return bits == 16 ? kit_bits_of_float(kit_half_value(raw)) : raw;
  int32_t value =
      t->kind == CHANNEL_SIGNED ? (int32_t)(raw << (32 - bits)) >> (32 - bits) : (int32_t)raw;
  if (!t->reads_floats || bits == 32) return (uint32_t)value;
  float largest = (float)((1 << (bits - (t->kind == CHANNEL_SIGNED))) - 1),
        fraction = (float)value / largest;
  return kit_bits_of_float(fraction < -1 ? -1 : fraction);
}

static bool gives_floats(const struct texture_descriptor *t) {
  return t->kind == CHANNEL_FLOAT || t->reads_floats;
}

/* Integers are filtered as 16-bit ones, in so many parts of 1; 0: floats. */
static int filter_units(const struct texture_descriptor *t) {
  return t->kind == CHANNEL_FLOAT ? 0 : t->kind == CHANNEL_SIGNED ? INT16_MAX : UINT16_MAX;
}

/* Channels that a texel lacks: 0, 0 and 1. */
static uint32_t missing_channel(const struct texture_descriptor *t, int channel) {
  return channel < 3 ? 0 : gives_floats(t) ? kit_bits_of_float(1) : 1;
}

static uint32_t border_value(const struct texture_descriptor *t, int channel) {
  if (t->bounded) return 0;
  return gives_floats(t) ? kit_bits_of_float(t->border[channel])
                         : (uint32_t)(int32_t)t->border[channel];
}

/* The value of a channel of the texel that lane i has loaded, or of the border. */
static uint32_t loaded_value(const struct texture_descriptor *t, const struct registers *registers,
                             bool border, int channel, int lane) {
  if (border) return border_value(t, channel);
  if (channel >= t->channels) return missing_channel(t, channel);
  const uint32_t *row = (const uint32_t *)registers->data[channel];
  return channel_value(t, row[lane]);
}

/* One object, for the lanes that have it. */
static void fetch_texture(char *frame, const struct op *op, struct warp *warp,
                          const struct texture_descriptor *t, uint32_t lanes) {
  bool gathers = op->texture.gathered != NO_GATHER,
       linear = ((t->linear && gives_floats(t)) || gathers) && op->texture.float_coordinates;
  int axes = shape_axes[op->texture.shape], corners = linear ? 1 << axes : 1,
      units = filter_units(t), weight[LANES][TEXELS];
  struct op access = plain_access(op, OP_LOAD, t->channel_bytes, t->channels);
  struct footprint footprint[LANES];
  struct registers registers;
  double sum[4][LANES];
  uint32_t result[4][LANES];
  EACH_ACTIVE (i, lanes) {
    footprint[i] = find_footprint(frame, op, t, i, linear);
    int second[AXES];
    for (int a = 0; a < axes; a++) second[a] = footprint[i].at[a].weight;
    filter_weights(axes, second, weight[i]);
  }
  memset(sum, 0, sizeof sum);
  for (int corner = 0; corner < corners && !warp->stop; corner++) {
    uint32_t inside = 0;
    EACH_ACTIVE (i, lanes) {
      registers.address[i] = texel_address(t, &footprint[i], corner);
      inside |= (uint32_t)(registers.address[i] != 0) << i;
    }
    run_access(warp, &access, &registers, inside);
    slice_charge(warp, LOCAL_INSTRUCTIONS * __builtin_popcount(lanes));
    EACH_ACTIVE (i, lanes) {
      bool border = !(inside >> i & 1);
      if (gathers) { /* in the order (0,1) (1,1) (1,0) (0,0) */
        static const int order[] = {3, 2, 0, 1};
        result[order[corner]][i] = loaded_value(t, &registers, border, op->texture.gathered, i);
        continue;
      }
      for (int c = 0; c < 4; c++) {
        uint32_t value = loaded_value(t, &registers, border, c, i);
        if (!linear)
          result[c][i] = value;
        else if (weight[i][corner])
          sum[c][i] += weight[i][corner] * filter_term(kit_float_of_bits(value), units);
      }
    }
  }
  if (warp->stop) return;
  for (int c = 0; c < 4; c++) {
    EACH_ACTIVE (i, lanes) {
      uint32_t value = result[c][i];
      if (linear && !gathers) value = kit_bits_of_float(filter_result(sum[c][i], units));
      SLOT(frame, op, 1 + c, uint32_t)[i] = value;
    }
  }
}

/* ---- surfaces ---- */

static int64_t clamped(int64_t i, int64_t size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }

/* The address of a lane's element; 0: it is outside. */
static uint64_t element_address(const char *frame, const struct op *op,
                                const struct texture_descriptor *t, int lane, bool clamps) {
  enum texture_shape shape = op->texture.shape;
  int first = shape == SHAPE_A1D || shape == SHAPE_A2D, axes = shape_axes[shape];
  int64_t bytes = op->size * op->count, i[AXES] = {0},
          layer = first ? (int32_t)coordinate_bits(frame, op, 0, lane) : 0;
  for (int a = 0; a < axes; a++) {
    int64_t size = a == 0 ? (int64_t)t->extent[0] * texture_texel_bytes(t) : t->extent[a];
    i[a] = (int32_t)coordinate_bits(frame, op, first + a, lane);
    if (clamps)
      i[a] = a == 0 ? (i[a] > size - bytes ? size - bytes
                       : i[a] < 0          ? 0
                                           : i[a])
                    : clamped(i[a], size);
    else if (i[a] < 0 || (a == 0 ? i[a] + bytes : i[a] + 1) > size)
      return 0;
  }
  if (clamps) layer = clamped(layer, t->layers);
  if (layer < 0 || layer >= t->layers || i[0] < 0) return 0;
  return t->address + (uint64_t)(layer + i[2]) * t->slice + (uint64_t)i[1] * t->pitch +
         (uint64_t)i[0];
}

/* An access that traps. */
static void note_outside(struct warp *warp, const char *frame, const struct op *op,
                         const struct texture_descriptor *t, uint32_t outside) {
  int lane = __builtin_ctz(outside), first = op->texture.shape >= SHAPE_A1D;
  bool store = op->kind == OP_SUST;
  int x = (int32_t)coordinate_bits(frame, op, first, lane),
      width = (int)(t->extent[0] * texture_texel_bytes(t));
  struct hazard *h =
      access_hazard(warp, HAZARD_oob, op->line, 0, "", (uint64_t)__builtin_popcount(outside));
  access_describe(h, warp, first_thread(warp, outside),
                  "%s %d bytes of a surface from byte %d of a row on, but %s. x counts bytes: "
                  "multiply it by the size of an element; compare all coordinates with the array's "
                  "before the access.",
                  store ? "writes" : "reads", op->size * op->count, x,
                  x >= 0 && x + op->size * op->count <= width ? "there is no such row or layer"
                                                              : "its rows are shorter");
  access_stop(warp, cudaErrorIllegalAddress);
}

static void access_surface(char *frame, const struct op *op, struct warp *warp,
                           const struct texture_descriptor *t, uint32_t lanes) {
  bool store = op->kind == OP_SUST;
  struct op access = plain_access(op, store ? OP_STORE : OP_LOAD, op->size, op->count);
  struct registers registers;
  uint32_t inside = 0;
  EACH_ACTIVE (i, lanes) {
    registers.address[i] = element_address(frame, op, t, i, op->texture.bounds == BOUNDS_CLAMP);
    inside |= (uint32_t)(registers.address[i] != 0) << i;
  }
  size_t bytes = op->wide ? SLOT64 : SLOT32;
  if (inside != lanes && op->texture.bounds != BOUNDS_ZERO)
    note_outside(warp, frame, op, t, lanes & ~inside);
  if (warp->stop) return;
  memset(registers.data, 0, sizeof registers.data);
  for (int e = 0; e < op->count && store; e++)
    memcpy(registers.data[e], frame + op->slot[1 + e], bytes);
  run_access(warp, &access, &registers, inside);
  for (int e = 0; e < op->count && !store; e++) {
    EACH_ACTIVE (i, lanes)
      memcpy(frame + op->slot[1 + e] + (size_t)i * (bytes / LANES),
             (char *)registers.data[e] + (size_t)i * (bytes / LANES), bytes / LANES);
  }
}

/* ---- operations ---- */

/* Lanes may have different objects. */
static void each_object(char *frame, const struct op *op, struct warp *warp) {
  const uint64_t *given = SLOT(frame, op, 0, const uint64_t);
  uint64_t object[LANES]; /* its registers may be those of the result */
  memcpy(object, given, sizeof object);
  for (uint32_t left = warp->mask; left && !warp->stop;) {
    uint64_t now = object[__builtin_ctz(left)];
    struct texture_descriptor texture;
    uint32_t lanes = 0;
    EACH_ACTIVE (i, left) lanes |= (uint32_t)(object[i] == now) << i;
    left &= ~lanes;
    if (!find_texture(warp->worker->launch, now, op->texture.surface, &texture))
      note_no_texture(warp, op, now, lanes);
    else if (op->texture.surface)
      access_surface(frame, op, warp, &texture, lanes);
    else
      fetch_texture(frame, op, warp, &texture, lanes);
  }
}

void cold_fetch(char *frame, const struct op *op, struct warp *warp) {
  if (!warp->stop) each_object(frame, op, warp);
}

void cold_surface_store(char *frame, const struct op *op, struct warp *warp) {
  if (!warp->stop) each_object(frame, op, warp);
}

void cold_texture_query(char *frame, const struct op *op, struct warp *warp) {
  EACH_ACTIVE (i, warp->mask) {
    uint64_t object = SLOT(frame, op, 1, const uint64_t)[i];
    struct texture_descriptor t;
    if (!find_texture(warp->worker->launch, object, false, &t) &&
        !find_texture(warp->worker->launch, object, true, &t)) {
      note_no_texture(warp, op, object, 1u << i);
      return;
    }
    SLOT(frame, op, 0, uint32_t)[i] = t.extent[op->texture.query];
  }
}

uint32_t texture_first_access(const struct warp *warp, const char *frame, const struct op *op,
                              uint32_t mask, struct op *access, uint64_t address[LANES]) {
  const uint64_t *object = SLOT(frame, op, 0, const uint64_t);
  struct texture_descriptor t;
  uint32_t found = 0;
  *access = plain_access(op, op->kind == OP_FETCH ? OP_LOAD : OP_STORE, op->size, op->count);
  memset(address, 0, sizeof(uint64_t) * LANES);
  EACH_ACTIVE (i, mask) {
    if (!find_texture(warp->worker->launch, object[i], op->texture.surface, &t)) continue;
    if (op->texture.surface) {
      address[i] = element_address(frame, op, &t, i, op->texture.bounds == BOUNDS_CLAMP);
    } else {
      struct footprint f = find_footprint(frame, op, &t, i, t.linear);
      access->size = t.channel_bytes;
      access->count = t.channels;
      address[i] = texel_address(&t, &f, 0);
    }
    found |= (uint32_t)(address[i] != 0) << i;
  }
  return found;
}
