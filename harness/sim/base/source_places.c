/* source_places.c: see source_places.h. */
#include "harness/sim/base/source_places.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/sim/base/hold.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *paths[PLACE_MAX_FILES]; /* by number; never given back */
static int count = 1;

static bool is_end(const char *whole, const char *end) {
  size_t length = strlen(whole), part = strlen(end);
  if (part > length || strcmp(whole + length - part, end) != 0) return false;
  return part == length || whole[length - part - 1] == '/';
}

/* As it is seen from our folder, and without "/./". */
static void shorten(char *path) {
  char here[4096];
  for (char *at; (at = strstr(path, "/./"));) memmove(at, at + 2, strlen(at + 2) + 1);
  while (strncmp(path, "./", 2) == 0) memmove(path, path + 2, strlen(path + 2) + 1);
  size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
  if (length && strncmp(path, here, length) == 0 && path[length] == '/')
    memmove(path, path + length + 1, strlen(path + length + 1) + 1);
}

static int number_of(const char *path) {
  if (!*path) return 0;
  for (int i = 1; i < count; i++) {
    if (is_end(paths[i], path)) {
      memmove(paths[i], path, strlen(path) + 1); /* the shorter one, in the room of the longer */
      return i;
    }
    if (is_end(path, paths[i])) return i;
  }
  char *copy = count < PLACE_MAX_FILES ? strdup(path) : NULL;
  if (!copy) return 0;
  paths[count] = copy;
  return count++;
}

int place_number(const char *path) {
  HOLD(&lock);
  char *copy = strdup(path);
  if (!copy) return 0;
  shorten(copy);
  int number = number_of(copy);
  free(copy);
  return number;
}

const char *place_path(int number) {
  HOLD(&lock);
  return number > 0 && number < count ? paths[number] : "";
}

const char *place_words(int place, char *text, size_t size) {
  HOLD(&lock);
  int file = place_file(place);
  const char *path = file > 0 && file < count ? paths[file] : "", *slash = strrchr(path, '/');
  if (*path)
    snprintf(text, size, "%.60s:%d", slash ? slash + 1 : path, place_line(place));
  else
    snprintf(text, size, "line %d", place_line(place));
  return text;
}
