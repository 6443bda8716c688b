/* copies.c: finds files that are the same, and keeps who is whose copy.
 *
 * Attempts' hashes only say where to look: the files themselves are compared, as a grade is at
 * stake, and the hash of a file with headers is also that of one file which is made for it. */
#include "grader/class/engine/copies.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/base/text.h"

static bool same_file(const char *a, const char *b) {
  size_t length_a, length_b;
  autofree char *text_a = file_read(a, &length_a), *text_b = file_read(b, &length_b);
  return text_a && text_b && length_a == length_b && memcmp(text_a, text_b, length_a) == 0;
}

/* Is every file of a folder in the other one, too? */
static bool is_within(const char *folder, const char *other) {
  DIR *directory = opendir(folder);
  bool all = directory != NULL;
  for (struct dirent *item; all && (item = readdir(directory)) != NULL;) {
    if (*item->d_name == '.') continue;
    autofree char *here = xprintf("%s/%s", folder, item->d_name),
                  *there = xprintf("%s/%s", other, item->d_name);
    all = same_file(here, there);
  }
  if (directory) closedir(directory);
  return all;
}

bool copies_add(const struct class *class, const char *of, const char *work,
                struct copies *copies) {
  autofree char *a = class_path(class, "files/%s", of), *b = class_path(class, "files/%s", work);
  if (!is_within(a, b) || !is_within(b, a)) return false;
  *array_add(copies->list, copies->count) = (struct copy){.of = xstrdup(of), .work = xstrdup(work)};
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
