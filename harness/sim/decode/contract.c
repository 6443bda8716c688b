/* contract.c: products of halves and the sums they go into as multiply-adds, as ptxas makes them.
 *
 * add, sub and mul of f16 and bf16 without .rn leave it to ptxas to contract them, and it does: a
 * product whose every use is a sum of its own basic block goes into all of them; of two such in one
 * sum, the first. The results differ from those of two instructions: they are rounded once. (Tried
 * with ptxas 13.0 for sm_90. In single and double precision, compilers do this before ptxas.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/draft.h"

/* The rows for a product on the left and on the right of a sum, without the type. */
static const struct sum {
  const char *name, *left, *right;
} sums[] = {
    {"add_", "fma.rn.", "fma.rn."},
    {"sub_", "fms.", "fnma."},
    {"add_sat_", "fma.rn.sat.", "fma.rn.sat."},
};

/* The type of a row with that name, as "f16x2"; NULL: it has another name or is on other types. */
static const char *half_type(const struct draft_op *d, const char *name) {
  size_t length = strlen(name);
  if (d->op.kind != OP_ROW || d->dead || strncmp(d->op.row->name, name, length) != 0) return NULL;
  const char *type = d->op.row->name + length;
  return decode_word("f16 f16x2 bf16 bf16x2", type) < 0 ? NULL : type;
}

static const struct sum *sum_of(const struct draft_op *d, const char **type) {
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    if ((*type = half_type(d, sums[i].name))) return &sums[i];
  return NULL;
}

struct contract {
  struct draft *draft;
  /* By register: */
  int *product; /* the operation of this block whose product it holds; -1 */
  int *reads;   /* how often it is read, where that is still so */
  int *in_sums; /* how many of them are in sums of the product's block */
  int *writes;
};

static bool is_product(const struct draft_op *d) {
  return half_type(d, "mul_") && !d->op.guarded && is_register(d->reg[0]);
}

static void find_products(struct contract *contract, int begin, int end) {
  const struct draft *draft = contract->draft;
  const char *type;
  for (int i = begin; i < end; i++) {
    const struct draft_op *d = &draft->ops[i];
    if (is_product(d) && contract->writes[d->reg[0]] == 1) contract->product[d->reg[0]] = i;
    if (!sum_of(d, &type) || d->reg[1] == d->reg[2]) continue;
    for (int k = 1; k <= 2; k++)
      if (is_register(d->reg[k]) && contract->product[d->reg[k]] >= 0)
        contract->in_sums[d->reg[k]]++;
  }
}

/* The product that source k of a sum is, if nothing else reads it, and its operands still have
 * their values; or -1. */
static int product_in(const struct contract *contract, int sum, int k, const char *type) {
  enum { FAR = 4096 }; /* bounds the work that a text can cause */
  const struct draft *draft = contract->draft;
  vreg r = draft->ops[sum].reg[k];
  int product = is_register(r) ? contract->product[r] : -1;
  if (product < 0 || product > sum || sum - product > FAR) return -1;
  const struct draft_op *p = &draft->ops[product];
  if (contract->in_sums[r] != contract->reads[r] || strcmp(half_type(p, "mul_"), type) != 0)
    return -1;
  for (int i = product + 1; i < sum; i++)
    if (draft_defines(&draft->ops[i], p->reg[1]) || draft_defines(&draft->ops[i], p->reg[2]))
      return -1;
  return product;
}

static void contract_sum(struct contract *contract, int i) {
  struct draft *draft = contract->draft;
  struct draft_op *d = &draft->ops[i];
  const char *type;
  const struct sum *sum = sum_of(d, &type);
  if (!sum || d->reg[1] == d->reg[2]) return;
  int k = 1, product = product_in(contract, i, 1, type);
  if (product < 0) product = product_in(contract, i, k = 2, type);
  if (product < 0) return;
  char key[32];
  snprintf(key, sizeof key, "%s%s", k == 1 ? sum->left : sum->right, type);
  const struct op_info *row = decode_row(draft, key);
  struct draft_op *p = &draft->ops[product];
  if (!row) return;
  vreg addend = d->reg[3 - k], r = d->reg[k];
  d->op.row = row;
  d->op.body = row->run;
  if (!d->op.guarded) d->op.run[0] = row->run;
  d->reg[1] = p->reg[1];
  d->reg[2] = p->reg[2];
  d->reg[3] = addend;
  d->used = 4;
  contract->in_sums[r]--;
  if (--contract->reads[r] == 0) p->dead = true;
}

bool contract_halves(struct draft *draft) {
  bool any = false;
  for (int i = 0; i < draft->op_count && !any; i++) any = is_product(&draft->ops[i]);
  if (!any) return true;
  size_t count = (size_t)draft->vreg_count;
  struct contract contract = {draft, malloc(count * sizeof(int)), calloc(count, sizeof(int)),
                              calloc(count, sizeof(int)), calloc(count, sizeof(int))};
  bool ok = contract.product && contract.reads && contract.in_sums && contract.writes;
  for (int i = 0; ok && i < draft->op_count; i++) {
    const struct draft_op *d = &draft->ops[i];
    for (int k = 0; k < d->used; k++)
      if (is_register(d->reg[k]))
        (is_destination(d, k) ? contract.writes : contract.reads)[d->reg[k]]++;
  }
  if (ok) memset(contract.product, -1, count * sizeof(int));
  for (int b = 0; ok && b < draft->block_count; b++) {
    int begin = draft->blocks[b].first, end = begin + draft->blocks[b].count;
    find_products(&contract, begin, end);
    for (int i = begin; i < end; i++) contract_sum(&contract, i);
    for (int i = begin; i < end; i++)
      if (is_register(draft->ops[i].reg[0])) contract.product[draft->ops[i].reg[0]] = -1;
  }
  free(contract.product);
  free(contract.reads);
  free(contract.in_sums);
  free(contract.writes);
  return ok;
}
