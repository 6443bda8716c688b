/* similar.c: runs the similarity tester and reads its output. */
#include "grader/class/report/similar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/text.h"
#include "grader/sandbox/process.h"

enum {
  SHORT = 60,    /* characters without blanks: less is no kernel of anybody's */
  SECONDS = 900, /* 300 files are compared in 15 s, and time grows with the square */
};

int similar_percent(const struct similar_pair *pair) {
  return pair->a_in_b < pair->b_in_a ? pair->a_in_b : pair->b_in_a;
}

/* --- the tester's output --- */

/* "12 consists for 34 % of 56 material": the three numbers. */
static bool parse_line(const char *line, size_t length, int *a, int *percent, int *b) {
  char copy[100];
  int end = 0;
  if (length >= sizeof copy) return false;
  memcpy(copy, line, length);
  copy[length] = '\0';
  return sscanf(copy, "%d consists for %d %% of %d material%n", a, percent, b, &end) == 3 &&
         (size_t)end == length;
}

bool similar_parse(const char *output, int count, int *percent, char **error) {
  bool headed = false;
  for (const char *at = output; *at;) {
    size_t length = strcspn(at, "\n");
    int a, b, share, files, fresh;
    if (!headed && sscanf(at, "Total input: %d files (%d new, 0 old)", &files, &fresh) == 2) {
      headed = files == count;
      if (!headed) break;
    } else if (length > 0) {
      if (!headed || !parse_line(at, length, &a, &share, &b) || a < 0 || a >= count || b < 0 ||
          b >= count || share < 0 || share > 100) {
        freed_by(text_free) struct text words = {0};
        text_add_printable(&words, at, length < 80 ? length : 80, false);
        *error = xprintf("sim_c++ printed something unexpected: '%s'", text_get(&words));
        return false;
      }
      percent[(size_t)a * (size_t)count + (size_t)b] = share;
    }
    at += length + (at[length] == '\n');
  }
  if (!headed) *error = xprintf("sim_c++ did not read the %d files it was given", count);
  return headed;
}

/* --- running it --- */

static bool write_text(const char *folder, int number, const char *text) {
  autofree char *path = xprintf("%s/%d", folder, number);
  FILE *file = fopen(path, "we");
  bool written = file && fputs(text, file) != EOF;
  return file && fclose(file) == 0 && written;
}

static void remove_texts(const char *folder, int count) {
  for (int i = 0; i < count; i++) {
    autofree char *path = xprintf("%s/%d", folder, i);
    unlink(path);
  }
  rmdir(folder);
}

/* All that was printed to a file. */
static char *read_all(int fd) {
  struct text text = {0};
  char buffer[65536];
  ssize_t got;
  lseek(fd, 0, SEEK_SET);
  while ((got = read(fd, buffer, sizeof buffer)) > 0) text_append(&text, buffer, (size_t)got);
  return text.data ? text.data : xstrdup("");
}

/* Files named 0 to count - 1 in the folder, each against each. -r16: runs of 16 tokens, a statement
 * or two; the tester's 24 are too long for kernels. Options: -p percentages, -e each pair by
 * itself, -a both ways, -T nothing about files, -t1 from 1 percent. */
static char *run_tester(const char *program, const char *folder, int count, char **error) {
  static const char *const options[] = {"-p", "-e", "-a", "-T", "-t1", "-r16"};
  enum { OPTIONS = sizeof options / sizeof *options };
  autofree const char **argv = xcalloc((size_t)count + OPTIONS + 2, sizeof *argv);
  argv[0] = program;
  memcpy(argv + 1, options, sizeof options);
  for (int i = 0; i < count; i++) argv[1 + OPTIONS + i] = xprintf("%d", i);
  char **environment = process_environment(folder), *output = NULL;
  int fd = memory_file("similar");
  struct process_end end;
  process_run(&(struct process){.argv = argv,
                                .environment = environment,
                                .directory = folder,
                                .output_fd = fd,
                                .wall_seconds = SECONDS},
              &end);
  if (end.start_error)
    *error = xprintf("%s: %s", program, strerror(end.start_error));
  else if (end.timed_out)
    *error = xprintf("sim_c++ did not finish in %d s", SECONDS);
  else if (end.signal || end.exit_code)
    *error = xprintf("sim_c++ failed (%s %d)", end.signal ? "signal" : "exit status",
                     end.signal ? end.signal : end.exit_code);
  else
    output = read_all(fd);
  close(fd);
  process_free_environment(environment);
  for (int i = 0; i < count; i++) free((char *)argv[1 + OPTIONS + i]);
  return output;
}

/* percent[count * count] of the texts, or NULL and *error. */
static int *measure(const struct similar_file *files, const int *chosen, int count, char **error) {
  autofree char *program = program_find("sim_c++");
  if (!program) {
    *error = xstrdup("similarity-tester is not installed: ./setup --class installs it");
    return NULL;
  }
  const char *tmp = getenv("TMPDIR");
  autofree char *folder = xprintf("%s/similar-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  bool written = true;
  if (!mkdtemp(folder)) die("cannot make a temporary folder: %s", strerror(errno));
  for (int i = 0; i < count && written; i++) written = write_text(folder, i, files[chosen[i]].text);
  if (!written) *error = xprintf("%s: %s", folder, strerror(errno));
  autofree char *output = written ? run_tester(program, folder, count, error) : NULL;
  remove_texts(folder, count);
  int *percent = xcalloc((size_t)count * (size_t)count, sizeof *percent);
  if (output && similar_parse(output, count, percent, error)) return percent;
  free(percent);
  return NULL;
}

/* --- pairs --- */

/* Files that are the same but for layout, and files with nothing in them. */
static void find_same(const struct similar_file *files, int count, struct similar *similar) {
  autofree char **bare = xcalloc((size_t)count, sizeof *bare);
  for (int i = 0; i < count; i++) {
    bare[i] = similar_bare(files[i].text);
    similar->too_short[i] = strlen(bare[i]) < SHORT;
    similar->same_as[i] = i;
    for (int j = 0; j < i && similar->same_as[i] == i && !similar->too_short[i]; j++)
      if (strcmp(bare[i], bare[j]) == 0) similar->same_as[i] = j;
  }
  for (int i = 0; i < count; i++) free(bare[i]);
}

static int by_percent(const void *x, const void *y) {
  const struct similar_pair *a = x, *b = y;
  if (similar_percent(a) != similar_percent(b)) return similar_percent(b) - similar_percent(a);
  int other = b->a_in_b + b->b_in_a - a->a_in_b - a->b_in_a;
  return other ? other : a->a != b->a ? a->a - b->a : a->b - b->b;
}

static void make_pairs(const int *chosen, int count, const int *percent, struct similar *similar) {
  similar->pairs = xcalloc((size_t)count * (size_t)count, sizeof *similar->pairs);
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++)
      similar->pairs[similar->pair_count++] = (struct similar_pair){
          chosen[i], chosen[j], percent[i * count + j], percent[j * count + i]};
  if (similar->pair_count == 0) return;
  qsort(similar->pairs, (size_t)similar->pair_count, sizeof *similar->pairs, by_percent);
  similar->typical = similar_percent(&similar->pairs[similar->pair_count / 2]);
}

int similar_compare(const struct similar_file *files, int count, struct similar *similar,
                    char **error) {
  *similar = (struct similar){.same_as = xcalloc((size_t)count + 1, sizeof *similar->same_as),
                              .too_short = xcalloc((size_t)count + 1, sizeof *similar->too_short)};
  find_same(files, count, similar);
  autofree int *chosen = xcalloc((size_t)count + 1, sizeof *chosen), *percent = NULL;
  for (int i = 0; i < count; i++)
    if (similar->same_as[i] == i && !similar->too_short[i]) chosen[similar->compared++] = i;
  if (similar->compared > 1) percent = measure(files, chosen, similar->compared, error);
  if (percent) make_pairs(chosen, similar->compared, percent, similar);
  return similar->compared > 1 && !percent ? -1 : 0;
}

void similar_free(struct similar *similar) {
  free_all(similar->same_as, similar->too_short, similar->pairs);
  *similar = (struct similar){0};
}
