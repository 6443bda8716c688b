/* decode_texture.c: textures and surfaces: tex, tld4, suld, sust, txq, suq.
 *
 *     tex.2d.v4.f32.f32  {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];
 *     tex.level.a2d.v4.u32.f32 {..}, [%rd1, {%r1, %f1, %f2, %f2}], %f3;
 *     suld.b.2d.v4.b8.trap {..}, [%rd1, {%r1, %r2}];
 *     sust.b.3d.b32.zero [%rd1, {%r1, %r2, %r3, %r3}], {%r4};
 *
 * There are no mipmaps, so that levels and gradients change nothing.
 */
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

/* Coordinates that each shape has, the index of a layer included. */
static const int coordinate_count[] = {1, 2, 3, 2, 3, 3, 4};

/* The object and the coordinates of [object, {x, y}]. */
static bool take_address(struct draft *draft, const struct ptx_instruction *in,
                         const struct ptx_operand *address, struct draft_op *d) {
  int shape = decode_part(in, "1d 2d 3d a1d a2d cube acube"); /* enum texture_shape */
  if (shape < 0 || address->kind != PTX_ADDRESS || address->count != 1) return false;
  const struct ptx_operand *list = &address->elements[0];
  int count = list->kind == PTX_VECTOR ? list->count : 1;
  const struct ptx_operand *each = list->kind == PTX_VECTOR ? list->elements : list;
  if (count < coordinate_count[shape]) return false;
  if (address->reg < 0 || draft->widths[address->reg] != 'd') {
    draft_fail(draft, in->line, "%s: only texture and surface objects are supported, no references",
               in->opcode);
    return true;
  }
  d->op.texture.shape = (uint8_t)shape;
  d->reg[0] = address->reg;
  for (int i = 0; i < coordinate_count[shape]; i++)
    d->reg[COORDINATE_SLOT + i] = decode_source(draft, in, &each[i], 'w');
  d->used = (uint8_t)(COORDINATE_SLOT + coordinate_count[shape]);
  return true;
}

static bool take_data(struct draft *draft, const struct ptx_instruction *in,
                      const struct ptx_operand *data, bool load, struct draft_op *d) {
  int count = data->kind == PTX_VECTOR ? data->count : 1;
  const struct ptx_operand *each = data->kind == PTX_VECTOR ? data->elements : data;
  char width = d->op.size == 8 ? 'd' : 'w';
  if (count != d->op.count) return false;
  for (int i = 0; i < count; i++)
    d->reg[1 + i] = load ? decode_destination(draft, in, &each[i], width)
                         : decode_source(draft, in, &each[i], width);
  d->op.wide = width == 'd';
  if (load) d->writes = (uint16_t)(((1u << count) - 1) << 1);
  return true;
}

static int vector_length(const struct ptx_instruction *in) {
  return decode_has(in, "v4") ? 4 : decode_has(in, "v2") ? 2 : 1;
}

static struct draft_op begin(op_function *run, enum op_kind kind,
                             const struct ptx_instruction *in) {
  struct draft_op d = draft_blank(run, in->line);
  d.op.kind = (uint8_t)kind;
  d.op.space = PTX_GLOBAL;
  d.op.texture.gathered = NO_GATHER;
  return d;
}

static bool decode_fetch(struct draft *draft, const struct ptx_instruction *in) {
  bool gathers = decode_is(in, "tld4");
  if ((!gathers && !decode_is(in, "tex")) || in->part_count < 4) return false;
  int more = decode_has(in, "level") ? 1 : decode_has(in, "grad") ? 2 : 0;
  enum ptx_type result = ptx_type_from(in->parts[in->part_count - 2]),
                coordinates = ptx_type_from(in->parts[in->part_count - 1]);
  if (in->operand_count != 2 + more ||
      (result != PTX_F32 && result != PTX_U32 && result != PTX_S32))
    return false;
  struct draft_op d = begin(cold_fetch, OP_FETCH, in);
  d.op.size = 4;
  d.op.count = (uint8_t)vector_length(in);
  d.op.texture.float_result = result == PTX_F32;
  d.op.texture.float_coordinates = coordinates == PTX_F32;
  int component = gathers ? decode_part(in, "r g b a") : NO_GATHER;
  if (component < 0 || (coordinates != PTX_F32 && coordinates != PTX_S32)) return false;
  d.op.texture.gathered = (uint8_t)component;
  if (d.op.count != 4 || !take_address(draft, in, &in->operands[1], &d) ||
      !take_data(draft, in, &in->operands[0], true, &d))
    return false;
  decode_granule(draft->program, PTX_GLOBAL, 1); /* texels may be as small as that */
  draft_push(draft, &d);
  return true;
}

static bool decode_surface(struct draft *draft, const struct ptx_instruction *in) {
  bool load = decode_is(in, "suld");
  if ((!load && !decode_is(in, "sust")) || in->operand_count != 2 || !decode_has(in, "b"))
    return false;
  int bounds = decode_part(in, "trap clamp zero"), /* enum surface_bounds */
      bits = decode_part(in, "b8 b16 b32 b64");
  if (bounds < 0 || bits < 0) return false;
  struct draft_op d =
      load ? begin(cold_fetch, OP_FETCH, in) : begin(cold_surface_store, OP_SUST, in);
  d.op.size = (uint8_t)(1 << bits);
  d.op.count = (uint8_t)vector_length(in);
  d.op.texture.surface = true;
  d.op.texture.bounds = (uint8_t)bounds;
  if (d.op.size * d.op.count > 16 || !take_address(draft, in, &in->operands[load ? 1 : 0], &d) ||
      !take_data(draft, in, &in->operands[load ? 0 : 1], load, &d))
    return false;
  decode_granule(draft->program, PTX_GLOBAL, d.op.size);
  draft_push(draft, &d);
  return true;
}

static bool decode_query(struct draft *draft, const struct ptx_instruction *in) {
  int query = decode_part(in, "width height depth"); /* enum texture_query */
  if ((!decode_is(in, "txq") && !decode_is(in, "suq")) || query < 0 || in->operand_count != 2 ||
      in->operands[1].kind != PTX_ADDRESS || in->operands[1].reg < 0 ||
      draft->widths[in->operands[1].reg] != 'd')
    return false;
  vreg to = decode_destination(draft, in, &in->operands[0], 'w');
  struct draft_op *d = draft_add_to(draft, cold_texture_query, in->line, to, 'w');
  d->op.kind = OP_TXQ;
  d->op.texture.query = (uint8_t)query;
  d->reg[1] = in->operands[1].reg;
  d->used = 2;
  return true;
}

bool decode_texture(struct draft *draft, const struct ptx_instruction *in) {
  return decode_fetch(draft, in) || decode_surface(draft, in) || decode_query(draft, in);
}
