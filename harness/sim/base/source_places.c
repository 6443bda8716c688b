/* source_places.c: see source_places.h. */
#include "harness/sim/base/source_places.h"

#include <pthread.h>
#include <string.h>

#include "harness/sim/base/hold.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *paths[PLACE_MAX_FILES]; /* by number; never given back */
static bool of_library[PLACE_MAX_FILES];
static int count = 1;

static bool is_end(const char *whole, const char *end) {
  size_t length = strlen(whole), part = strlen(end);
  if (part > length || strcmp(whole + length - part, end) != 0) return false;
  return part == length || whole[length - part - 1] == '/';
}

/* In a folder cub/ or thrust/, and a header: */
static bool is_of_library(const char *path) {
  const char *end = strrchr(path, '.');
  if (!end || !(strcmp(end, ".cuh") == 0 || strcmp(end, ".h") == 0 || strcmp(end, ".inl") == 0))
    return false;
  return strncmp(path, "cub/", 4) == 0 || strncmp(path, "thrust/", 7) == 0 ||
         strstr(path, "/cub/") || strstr(path, "/thrust/");
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
  of_library[count] = is_of_library(copy);
  return count++;
}

bool place_is_of_library(int place) {
  HOLD(&lock);
  return of_library[place_file(place) % PLACE_MAX_FILES];
}

const char *place_path(int number) {
  HOLD(&lock);
  return number > 0 && number < count ? paths[number] : "";
}
