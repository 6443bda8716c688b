/* replay.c: ./grade class whose engine grades nothing, as build/class-replay: for tests of all that
 * is around it, with as many gradings as they like.
 *
 *     tests/class/record               once: grades a few files, into build/replay/NAME.json
 *     build/class-replay ARGUMENT...   as ./grade class ARGUMENT...
 *
 * What an attempt is given follows from the lines that its file begins with:
 *
 *     // replay = lab2-no_shared    the recorded grade of that name
 *     // score = 4711 of 10000      this score; alone: a small grade that holds little else
 *     // fail = yes                 no result, as of a task that died
 *
 * and a file without such a line gets the recorded grade of its lab's solution. KIT_REPLAY_DIE=N
 * ends the program by SIGKILL after N results are merged. */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/class/engine/engine.h"

/* --- recorded grades --- */

struct record {
  char *name;
  json_t *grade;
  json_int_t seed; /* of text */
  size_t attempt;  /* where it stands there */
  char *text; /* the grade of any attempt, whose name is to be put into it; NULL: not made yet */
};

struct replay {
  const struct engine_run *run;
  struct record *records;
  int count;
};

static struct record *record_find(struct replay *replay, const char *name) {
  for (int i = 0; i < replay->count; i++)
    if (strcmp(replay->records[i].name, name) == 0) return &replay->records[i];
  autofree char *path = xprintf("%s/build/replay/%s.json", replay->run->root, name);
  json_error_t error;
  json_t *grade = json_load_file(path, 0, &error);
  if (!grade) die("%s: %s; tests/class/record makes it", path, error.text);
  replay->records =
      xrealloc(replay->records, sizeof *replay->records * (size_t)(replay->count + 1));
  replay->records[replay->count++] = (struct record){.name = xstrdup(name), .grade = grade};
  return &replay->records[replay->count - 1];
}

static const char any_attempt[] = "----------------";

/* The record's text for an attempt: the time to make it anew would be counted as merging. */
static const char *record_text(struct record *record, const char *attempt, json_int_t seed,
                               const char *backend) {
  if (record->text && record->seed != seed) {
    free(record->text);
    record->text = NULL;
  }
  if (!record->text) {
    json_object_set_new(record->grade, "attempt", json_string(any_attempt));
    json_object_set_new(record->grade, "seed", json_integer(seed));
    json_object_set_new(record->grade, "backend", json_string(backend));
    json_object_set_new(record->grade, "seconds", json_real(0));
    record->text = json_dumps(record->grade, JSON_COMPACT);
    record->seed = seed;
    char *at = strstr(record->text, any_attempt);
    record->attempt = (size_t)(at - record->text);
  }
  memcpy(record->text + record->attempt, attempt, strlen(any_attempt));
  return record->text;
}

/* Of one item, and nothing that was measured. */
static json_t *small_grade(const char *lab) {
  return json_pack(
      "{s:i, s:s, s:s, s:s, s:s, s:n, s:n, s:[{s:s, s:s, s:s, s:b, s:s, s:n, s:n, s:n}],"
      " s:[], s:[], s:[], s:[], s:n}",
      "schema", 1, "kit_version", "replay", "lab", lab, "conf_hash", "replay", "backend", "sim",
      "device", "sandbox", "items", "id", "replayed", "title", "Replayed", "class", "correctness",
      "hidden", 0, "status", "partial", "value", "reason", "hint", "hazards", "launches", "shares",
      "cases", "cause");
}

/* --- what a file asks for --- */

struct wish {
  char name[64];  /* "": no recorded grade */
  int score, max; /* max 0: the grade's own */
  bool fails;
};

static struct wish read_wish(const char *source) {
  struct wish wish = {0};
  for (const char *line = source; line && strncmp(line, "// ", 3) == 0;
       line = strchr(line, '\n'), line += line != NULL) {
    (void)!sscanf(line, "// replay = %63[A-Za-z0-9_.-]", wish.name);
    (void)!sscanf(line, "// score = %d of %d", &wish.score, &wish.max);
    wish.fails |= strncmp(line, "// fail =", 9) == 0;
  }
  return wish;
}

/* The score, and all of it on the first item. */
static void set_score(json_t *grade, const struct wish *wish) {
  json_t *item = json_array_get(json_object_get(grade, "items"), 0);
  json_object_set_new(grade, "score", json_integer(wish->score));
  json_object_set_new(grade, "max", json_integer(wish->max));
  json_object_set_new(grade, "verdict", json_string(wish->score < wish->max ? "partial" : "pass"));
  json_object_set_new(item, "points", json_integer(wish->score));
  json_object_set_new(item, "max", json_integer(wish->max));
}

/* --- the engine --- */

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

static void write_whole(const char *temporary, const char *path, const char *text) {
  FILE *file = fopen(temporary, "w");
  if (!file || fputs(text, file) == EOF || fclose(file) != 0 || rename(temporary, path) != 0)
    die("%s: %s", path, strerror(errno));
}

/* False: the file wants to have no result. */
static bool publish(struct replay *replay, const char *attempt) {
  const char *state = replay->run->state;
  autofree char *job_path = xprintf("%s/spool/%s.job", state, attempt),
                *temporary = xprintf("%s/spool/.%s.replay", state, attempt),
                *path = xprintf("%s/spool/%s.json", state, attempt);
  json_auto_t *job = json_load_file(job_path, 0, NULL);
  const char *lab, *source_name, *backend;
  json_int_t seed;
  if (!job || json_unpack(job, "{s:s, s:s, s:I, s:s}", "lab", &lab, "source", &source_name, "seed",
                          &seed, "backend", &backend) != 0)
    die("%s: it is no job", job_path);
  autofree char *source_path = xprintf("%s/%s", state, source_name),
                *source = file_read(source_path, NULL);
  if (!source) die("%s: %s", source_path, strerror(errno));
  struct wish wish = read_wish(source);
  autofree char *usual = xprintf("%s-solution", lab);
  struct record *record =
      *wish.name || !wish.max ? record_find(replay, *wish.name ? wish.name : usual) : NULL;
  autofree char *made = NULL;
  if (wish.max) {
    json_auto_t *grade = record ? json_copy(record->grade) : small_grade(lab);
    json_object_set_new(grade, "attempt", json_string(attempt));
    json_object_set_new(grade, "seed", json_integer(seed));
    json_object_set_new(grade, "backend", json_string(backend));
    json_object_set_new(grade, "seconds", json_real(0));
    json_object_set_new(grade, "items", json_deep_copy(json_object_get(grade, "items")));
    set_score(grade, &wish);
    made = json_dumps(grade, JSON_COMPACT);
  }
  if (!wish.fails)
    write_whole(temporary, path, made ? made : record_text(record, attempt, seed, backend));
  return !wish.fails;
}

/* In place of the one in local.c, which the linker has no need to take out of the library then.
 * Results come in waves, as they do from machines that work at once. */
int engine_local(const struct engine_run *run) {
  enum { WAVE = 64 };
  struct replay replay = {.run = run};
  const char *die_after = getenv("KIT_REPLAY_DIE");
  int missing = 0, merged = 0;
  for (int first = 0; first < run->count; first += WAVE) {
    int end = first + WAVE < run->count ? first + WAVE : run->count;
    autofree bool *there = xcalloc(WAVE, sizeof *there);
    for (int i = first; i < end; i++) {
      autofree char *path = xprintf("%s/spool/%s.json", run->state, run->attempts[i]);
      there[i - first] = is_there(path) || publish(&replay, run->attempts[i]);
    }
    for (int i = first; i < end; i++) {
      if (there[i - first]) {
        run->arrived(run->context, run->attempts[i]);
      } else {
        run->lost(run->context, run->attempts[i], "it was to fail");
        missing++;
      }
      if (die_after && ++merged == atoi(die_after)) raise(SIGKILL);
    }
    run->waiting(run->context, 0);
  }
  for (int i = 0; i < replay.count; i++) {
    json_decref(replay.records[i].grade);
    free_all(replay.records[i].name, replay.records[i].text);
  }
  free(replay.records);
  return missing;
}
