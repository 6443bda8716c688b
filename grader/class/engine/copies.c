/* copies.c: finds works of the same code, and keeps who is whose copy.
 *
 * Digests only say where to look: the files themselves are compared, as a grade is at stake. */
#include "grader/class/engine/copies.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/class/engine/same_code.h"

/* A work's files, by name, in one piece, each behind its name and how long it is: as they are, or
 * what of them is code. NULL: they cannot be read. The caller's. */
static char *files_of(const struct class *class, const char *work, bool code, size_t *length) {
  autofree char *folder = class_path(class, "files/%s", work);
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, alphasort);
  struct text all = {0};
  bool readable = count >= 0;
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    autofree char *path = xprintf("%s/%s", folder, name);
    size_t bytes = 0;
    autofree char *file = *name == '.' ? NULL : file_read(path, &bytes);
    readable &= file || *name == '.';
    if (file) {
      autofree char *kept = code ? same_code(file, bytes, &bytes) : NULL;
      text_add(&all, "%s %zu\n", name, bytes);
      text_append(&all, code ? kept : file, bytes);
    }
    free(entries[i]);
  }
  if (count >= 0) free(entries);
  if (!readable) text_free(&all);
  *length = all.length;
  return readable ? text_take(&all) : NULL;
}

static bool are_the_same(const struct class *class, const char *a, const char *b, bool code) {
  size_t length_a, length_b;
  autofree char *text_a = files_of(class, a, code, &length_a),
                *text_b = files_of(class, b, code, &length_b);
  return text_a && text_b && length_a == length_b && memcmp(text_a, text_b, length_a) == 0;
}

void copies_digest(const struct class *class, const char *work, char hex[SHA256_HEX]) {
  size_t length;
  autofree char *code = files_of(class, work, true, &length);
  if (!code) length = strlen(work);
  sha256(code ? code : work, length, hex);
}

bool copies_add(const struct class *class, const char *of, const char *work,
                struct copies *copies) {
  if (!are_the_same(class, of, work, true)) return false;
  *array_add(copies->list, copies->count) = (struct copy){
      .of = xstrdup(of), .work = xstrdup(work), .exact = are_the_same(class, of, work, false)};
  return true;
}

static int by_of(const void *a, const void *b) {
  const struct copy *x = a, *y = b;
  int difference = strcmp(x->of, y->of);
  return difference ? difference : strcmp(x->work, y->work);
}

void copies_sort(struct copies *copies) { array_sort(copies->list, copies->count, by_of); }

struct copy *copies_of(const struct copies *copies, const char *of, int *count) {
  int first = 0, end = copies->count;
  while (first < end) { /* the first that does not come before */
    int middle = first + (end - first) / 2;
    if (strcmp(copies->list[middle].of, of) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  *count = 0;
  while (first + *count < copies->count && strcmp(copies->list[first + *count].of, of) == 0)
    ++*count;
  return *count ? &copies->list[first] : NULL;
}

void copies_free(struct copies *copies) {
  for (int i = 0; i < copies->count; i++) free_all(copies->list[i].of, copies->list[i].work);
  free(copies->list);
}
