/* source_places.c: see source_places.h. */
#include "harness/sim/base/source_places.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "harness/sim/base/hold.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *paths[PLACE_MAX_FILES]; /* by number; never given back */
static int count = 1;

static bool is_end(const char *whole, const char *end) {
  size_t length = strlen(whole), part = strlen(end);
  if (part > length || strcmp(whole + length - part, end) != 0) return false;
  return part == length || whole[length - part - 1] == '/';
}

int place_number(const char *path) {
  HOLD(&lock);
  while (strncmp(path, "./", 2) == 0) path += 2;
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

const char *place_path(int number) {
  HOLD(&lock);
  return number > 0 && number < count ? paths[number] : "";
}
