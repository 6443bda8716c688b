/* replay.c: gives a fuzz target each file named, once: those of tests/fuzz/corpus, in `make test`.
 *
 *     build/san/fuzz/replay_ptx FILE...
 *
 * Prints how many there were; a crash or a file that takes over a second under a sanitizer ends it
 * with its name.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

enum { MAX_SECONDS = 5 };

static const char *current;

static void too_long(int number) {
  (void)number;
  static const char words[] = "replay: it takes too long: ";
  ssize_t written = write(2, words, sizeof words - 1);
  written += write(2, current, strlen(current));
  (void)written;
  _exit(1);
}

static void replay(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(2);
  }
  long size = ftell(file);
  rewind(file);
  uint8_t *data = malloc((size_t)size + 1);
  if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(2);
  }
  fclose(file);
  current = path;
  fprintf(stderr, "%s\n", path);
  alarm(MAX_SECONDS);
  LLVMFuzzerTestOneInput(data, (size_t)size);
  alarm(0);
  free(data);
}

int main(int argc, char **argv) {
  signal(SIGALRM, too_long);
  for (int i = 1; i < argc; i++) replay(argv[i]);
  printf("%d inputs\n", argc - 1);
  return 0;
}
