/* opcodes.c: what docs/simulator.md says of PTX, counters and checks, asked of the simulator
 * itself.
 *
 *     build/supported ptx <tests/supported/forms        what is decoded, a row for each instruction
 *     build/supported refused <tests/supported/forms    what is not
 *     build/supported rows | registers                  of the tables
 *     build/supported counters | checks
 *
 * Instructions that are rows of the tables are listed from them. The others are tried: a line of
 * `forms` is an instruction with its operands, in which {a|b|c} are alternatives. The first of each
 * make the instruction that all others are compared with: each other one is put in its place and
 * given to the decoder. $ is an operand of the type that ends the opcode, with .v2 and .v4 so many.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "harness/sim/base/counters.h"
#include "harness/sim/base/hazard.h"
#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/kernel.h"
#include "harness/sim/ptx/ptx.h"

/* ---- rows of the tables ---- */

static bool is_type(const char *part) {
  return ptx_type_from(part) != PTX_NONE || strcmp(part, "pred") == 0;
}

/* "fma.rn.f32" as "fma", ".rn", "f32"; and so that those of one opcode stand together. */
struct spelling {
  char opcode[32], modifiers[80], type[24];
  int order; /* of the modifiers, as they come */
};

static struct spelling *spellings;
static int spelling_count;

static void add_spelling(const char *key, size_t length) {
  autofree char *text = xprintf("%.*s", (int)length, key);
  char *first = strchr(text, '.'), *last = strrchr(text, '.');
  if (!first) return; /* comparisons: setp_lt_s32 */
  struct spelling *s = array_add(spellings, spelling_count);
  s->order = spelling_count;
  snprintf(s->opcode, sizeof s->opcode, "%.*s", (int)(first - text), text);
  if (is_type(last + 1)) {
    snprintf(s->modifiers, sizeof s->modifiers, "%.*s", (int)(last - first), first);
    snprintf(s->type, sizeof s->type, "%s", last + 1);
  } else {
    snprintf(s->modifiers, sizeof s->modifiers, "%s", first);
  }
  for (int i = 0; i < spelling_count - 1; i++)
    if (strcmp(spellings[i].opcode, s->opcode) == 0 &&
        strcmp(spellings[i].modifiers, s->modifiers) == 0)
      s->order = spellings[i].order;
}

static void add_rows(const struct op_info *rows, int count) {
  for (int i = 0; i < count; i++)
    for (const char *key = rows[i].keys; *key; key += strspn(key, " ")) {
      size_t length = strcspn(key, " ");
      add_spelling(key, length);
      key += length;
    }
}

static int by_opcode(const void *a, const void *b) {
  const struct spelling *x = a, *y = b;
  int order = strcmp(x->opcode, y->opcode);
  if (order == 0) order = x->order - y->order;
  return order ? order : strcmp(x->type, y->type);
}

static void print_rows(void) {
  add_rows(isa_best()->hot, isa_best()->hot_count);
  add_rows(cold_ops, cold_op_count);
  add_rows(half_ops, half_op_count);
  array_sort(spellings, spelling_count, by_opcode);
  for (int i = 0; i < spelling_count; i++) {
    const struct spelling *s = &spellings[i], *before = i ? s - 1 : NULL;
    bool same = before && strcmp(before->opcode, s->opcode) == 0,
         modified = same && strcmp(before->modifiers, s->modifiers) == 0;
    if (modified && strcmp(before->type, s->type) == 0) continue;
    if (!same) printf("%s| `%s` |", i ? " |\n" : "", s->opcode);
    if (!modified && *s->modifiers) printf("%s `%s`", same ? ";" : "", s->modifiers);
    if (!modified && !*s->modifiers && same) printf(";");
    if (*s->type) printf(" %s", s->type);
  }
  printf(" |\n");
  free(spellings);
}

/* ---- instructions that are tried ---- */

/* Does the decoder take it? If not, the words say why. */
static bool is_decoded(const char *instruction, char *words, size_t size) {
  char error[512] = "";
  autofree char *text = xprintf(
      ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 16 .b8 array[];\n"
      ".func f() { ret; }\n.visible .entry k(.param .align 16 .b8 p[64]) {\n.reg .pred %%p<9>;\n"
      ".reg .b16 %%h<9>;\n.reg .b32 %%r<40>;\n.reg .b64 %%d<9>;\n.reg .b128 %%q<9>;\n"
      "%s;\nL: ret;\n}\n",
      instruction);
  struct ptx_module *ptx = ptx_parse(text, strlen(text), error, sizeof error);
  if (!ptx) { /* without 128 bits */
    char *wide = strstr(text, ".reg .b128");
    memset(wide, ' ', strcspn(wide, "\n"));
    ptx = ptx_parse(text, strlen(text), error, sizeof error);
  }
  bool decoded = false;
  if (ptx) {
    struct module module = {.ptx = ptx};
    struct kernel kernel = {.module = &module};
    for (int i = 0; i < ptx->function_count; i++)
      if (ptx->functions[i].entry) kernel.function = &ptx->functions[i];
    kernel_describe(&kernel);
    kernel_decode(&kernel);
    decoded = !kernel.error[0];
    snprintf(error, sizeof error, "%s", kernel.error);
    kernel_release(&kernel);
    ptx_free(ptx);
  }
  snprintf(words, size, "%s", error);
  return decoded;
}

enum { MAX_SLOTS = 8, MAX_CHOICES = 64 };
struct form {
  char *opcode, *operands; /* the opcode with a NUL in place of each {...} */
  char *fixed[MAX_SLOTS + 1], *choices[MAX_SLOTS][MAX_CHOICES];
  int slot_count, choice_count[MAX_SLOTS];
};

static void parse_form(char *line, struct form *form) {
  *form = (struct form){.opcode = line};
  line[strcspn(line, "\n")] = '\0';
  int depth = 0;
  char *at = line;
  for (; *at && (depth || *at != ' '); at++) depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
  form->operands = *at ? at + 1 : at;
  *at = '\0';
  form->fixed[0] = at = line;
  while ((at = strchr(at, '{')) != NULL && form->slot_count < MAX_SLOTS) {
    int slot = form->slot_count++;
    *at++ = '\0';
    char *end = strchr(at, '}'), *choice;
    *end = '\0';
    while ((choice = strsep(&at, "|")) != NULL)
      form->choices[slot][form->choice_count[slot]++] = choice;
    form->fixed[slot + 1] = at = end + 1;
  }
}

/* The operand that $ stands for. */
static void add_operand(struct text *text, const char *opcode) {
  const char *last = strrchr(opcode, '.');
  size_t bytes = ptx_type_size(ptx_type_from(last + 1));
  const char *letter = strcmp(last, ".pred") == 0   ? "p"
                       : strcmp(last, ".b128") == 0 ? "q"
                       : bytes == 8                 ? "d"
                       : bytes <= 2                 ? "h"
                                                    : "r";
  int count = strstr(opcode, ".v8") ? 8 : strstr(opcode, ".v4") ? 4 : strstr(opcode, ".v2") ? 2 : 0;
  if (!count) text_add(text, "%%%s1", letter);
  for (int i = 0; i < count; i++) text_add(text, "%s%%%s%d", i ? ", " : "{", letter, i + 1);
  if (count) text_add(text, "}");
}

/* The instruction with choice `choice` in `slot`, the first ones elsewhere. */
static bool is_possible(const struct form *form, int slot, int choice, char *words, size_t size) {
  freed_by(text_free) struct text text = {0};
  text_add(&text, "%s", form->fixed[0]);
  for (int i = 0; i < form->slot_count; i++)
    text_add(&text, "%s%s", form->choices[i][i == slot ? choice : 0], form->fixed[i + 1]);
  autofree char *opcode = xstrdup(text_get(&text));
  text_add(&text, " ");
  for (const char *at = form->operands; *at; at++)
    if (*at == '$')
      add_operand(&text, opcode);
    else
      text_append(&text, at, 1);
  return is_decoded(text_get(&text), words, size);
}

static void print_form(const struct form *form) {
  freed_by(text_free) struct text lacking = {0};
  char words[512];
  printf("| `%s", form->fixed[0]);
  for (int slot = 0; slot < form->slot_count; slot++) {
    struct text possible = {0};
    bool optional = false;
    for (int i = 0; i < form->choice_count[slot]; i++) {
      const char *choice = form->choices[slot][i];
      bool can = is_possible(form, slot, i, words, sizeof words);
      optional |= !*choice;
      if (*choice)
        text_add(can ? &possible : &lacking, "%s%s", can && !possible.length ? "" : " ", choice);
    }
    if (possible.length && !optional && form->choice_count[slot] == 1)
      printf("%s", text_get(&possible));
    else if (possible.length)
      printf(optional ? "[%s]" : "{%s}", text_get(&possible));
    printf("%s", form->fixed[slot + 1]);
    text_free(&possible);
  }
  if (lacking.length)
    printf("` |%s%s%s |\n", " `", text_get(&lacking) + 1, "`");
  else
    printf("` | |\n");
}

static void read_forms(bool refused) {
  char line[4096], words[512];
  while (fgets(line, sizeof line, stdin)) {
    struct form form;
    if (line[0] == '#' || line[0] == '\n') continue;
    parse_form(line, &form);
    bool possible = is_possible(&form, -1, 0, words, sizeof words);
    if (!refused && possible &&
        (strncmp(form.opcode, "mov.", 4) != 0 || strchr(form.operands, '{')))
      print_form(&form);
    if (!refused || possible) continue;
    printf("`%s", form.fixed[0]);
    for (int slot = 0; slot < form.slot_count; slot++)
      printf("%s%s", form.choices[slot][0], form.fixed[slot + 1]);
    if (strncmp(form.opcode, "mov.", 4) == 0) printf(" %s", form.operands);
    printf("`\n");
  }
}

/* ---- counters and checks ---- */

static void print_counters(void) {
  for (int i = 0; i < COUNTERS; i++)
    if (strcmp(counter_metrics[i], "-") == 0)
      printf("| `%s` | |\n", counter_names[i]);
    else
      printf("| `%s` | `%s` |\n", counter_names[i], counter_metrics[i]);
}

static void print_checks(void) {
  for (int i = 0; i < HAZARD_KINDS; i++)
    printf("| `%s` | %s | %s |\n", hazard_names[i], hazard_titles[i], hazard_tools[i]);
}

int main(int argc, char **argv) {
  const char *what = argc == 2 ? argv[1] : "";
  if (strcmp(what, "rows") == 0)
    print_rows();
  else if (strcmp(what, "registers") == 0)
    for (int i = 0; i < SPECIALS; i++) printf("%s`%s`", i ? " " : "", special_names[i]);
  else if (strcmp(what, "ptx") == 0 || strcmp(what, "refused") == 0)
    read_forms(strcmp(what, "refused") == 0);
  else if (strcmp(what, "counters") == 0)
    print_counters();
  else if (strcmp(what, "checks") == 0)
    print_checks();
  else
    die("use: supported rows | registers | ptx | refused | counters | checks");
  return 0;
}
