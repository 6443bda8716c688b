/* identity.c: cleans, folds and compares values and names that identify people. */
#include "grader/class/people/identity.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "grader/base/text.h"

const char *const identity_names[] = {"canvas", "moodle", "gradescope", "github", "id",
                                      "login",  "email",  "folder",     NULL};

enum identity_kind identity_find(const char *name) {
  int kind = 0;
  while (kind < IDENTITY_KINDS && strcmp(identity_names[kind], name) != 0) kind++;
  return (enum identity_kind)kind;
}

bool identity_comparable(enum identity_kind a, enum identity_kind b) {
  if (a == b || a == IDENTITY_FOLDER || b == IDENTITY_FOLDER) return true;
  if (a > b) return identity_comparable(b, a);
  /* Rosters call any number "id". A login may be the number, or the address. */
  if (b == IDENTITY_ID) return a == IDENTITY_CANVAS || a == IDENTITY_MOODLE;
  if (b == IDENTITY_LOGIN) return a == IDENTITY_ID || a == IDENTITY_GITHUB;
  return b == IDENTITY_EMAIL &&
         (a == IDENTITY_GRADESCOPE || a == IDENTITY_ID || a == IDENTITY_LOGIN);
}

static bool is_blank(utf8proc_int32_t c) {
  utf8proc_category_t category = utf8proc_category(c);
  return (c >= '\t' && c <= '\r') || category == UTF8PROC_CATEGORY_ZS ||
         category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

/* The character at *at, which is moved on; -1 for a byte that is none. */
static utf8proc_int32_t next_of(const char **at) {
  utf8proc_int32_t c;
  utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)*at, -1, &c);
  *at += length > 0 ? length : 1;
  return length > 0 ? c : -1;
}

char *identity_clean(const char *value) {
  struct text text = {0};
  size_t end = 0; /* behind the last character that is no blank */
  for (const char *at = value; *at;) {
    const char *start = at;
    utf8proc_int32_t c = next_of(&at);
    if (c >= 0 && is_blank(c) && end == 0) continue;
    if (c < 0 || c == '%' || utf8proc_category(c) == UTF8PROC_CATEGORY_CC)
      text_add(&text, "%%%02X", (unsigned char)*start);
    else
      text_append(&text, start, (size_t)(at - start));
    if (c < 0 || !is_blank(c)) end = text.length;
  }
  if (text.data) text.data[end] = '\0';
  return text.data ? text.data : xstrdup("");
}

char *identity_fold(const char *value) {
  char *clean = identity_clean(value),
       *folded = (char *)utf8proc_NFKC_Casefold((const utf8proc_uint8_t *)clean);
  if (!folded) return clean;
  char *copy = xstrdup(folded);
  free_all(folded, clean);
  return copy;
}

/* --- names of people --- */

static bool is_letter(utf8proc_int32_t c) {
  utf8proc_category_t category = utf8proc_category(c);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

/* Blanks, commas and underscores end words; all else but letters, marks and digits is left out. */
static int words_of(const char *name, char *words[NAME_KEYS - 1]) {
  int count = 0;
  autofree char *folded = identity_fold(name);
  struct text word = {0};
  for (const char *at = folded;;) {
    const char *start = at;
    bool end = !*at;
    utf8proc_int32_t c = end ? ' ' : next_of(&at);
    if (c == ',' || c == '_' || (c >= 0 && is_blank(c))) {
      if (word.length && count < NAME_KEYS - 1) words[count++] = xstrdup(text_get(&word));
      text_free(&word);
      word = (struct text){0};
    } else if (c >= 0 && is_letter(c)) {
      text_append(&word, start, (size_t)(at - start));
    }
    if (end) break;
  }
  return count;
}

/* The words from `first` on, then those before it. */
static char *join(char *const *words, int count, int first, const char *between) {
  struct text text = {0};
  for (int i = 0; i < count; i++)
    text_add(&text, "%s%s", i ? between : "", words[(first + i) % count]);
  return text.data;
}

struct name_keys name_keys_make(const char *name) {
  struct name_keys keys = {0};
  char *words[NAME_KEYS - 1];
  int count = words_of(name ? name : "", words);
  if (count == 0) return keys;
  keys.count = 1;
  for (int i = 0; count > 1 && i < count; i++) keys.keys[keys.count++] = join(words, count, i, "");
  qsort(words, (size_t)count, sizeof *words, compare_strings);
  keys.keys[0] = join(words, count, 0, " ");
  for (int i = 0; i < count; i++) free(words[i]);
  return keys;
}

void name_keys_free(struct name_keys *name) {
  for (int i = 0; i < name->count; i++) free(name->keys[i]);
  name->count = 0;
}

/* Is the single word one of the other's forms without blanks? */
static bool is_joined(const struct name_keys *word, const struct name_keys *words) {
  for (int i = 1; word->count == 1 && i < words->count; i++)
    if (strcmp(word->keys[0], words->keys[i]) == 0) return true;
  return false;
}

bool name_keys_match(const struct name_keys *a, const struct name_keys *b) {
  if (a->count == 0 || b->count == 0) return false;
  return strcmp(a->keys[0], b->keys[0]) == 0 || is_joined(a, b) || is_joined(b, a);
}

static bool has_latin(char *const *words, int count) {
  for (int i = 0; i < count; i++)
    for (const char *at = words[i]; *at; at++)
      if (*at >= 'a' && *at <= 'z') return true;
  return false;
}

/* Equal, or short for the other: "rob", "robert". */
static bool words_related(const char *a, const char *b) {
  size_t x = strlen(a), y = strlen(b), shorter = x < y ? x : y;
  return strcmp(a, b) == 0 || (shorter >= 3 && strncmp(a, b, shorter) == 0);
}

bool names_related(const char *a, const char *b) {
  char *x[NAME_KEYS - 1], *y[NAME_KEYS - 1];
  int some = words_of(a ? a : "", x), others = words_of(b ? b : "", y);
  bool related = some == 0 || others == 0 || has_latin(x, some) != has_latin(y, others);
  for (int i = 0; i < some; i++)
    for (int j = 0; j < others; j++) related |= words_related(x[i], y[j]);
  for (int i = 0; i < some; i++) free(x[i]);
  for (int i = 0; i < others; i++) free(y[i]);
  return related;
}
