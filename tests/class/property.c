/* property.c: random classes, graded by build/class-replay: a grade that it exports is that of the
 * submission which the platform's own number, account or folder handed in, or declared nobody's.
 *
 *     build/class-property                          40 classes in each of the platforms' formats
 *     build/class-property --count 1000 --format moodle
 *     build/class-property --format canvas --seed 4711 --count 1 --keep DIR
 *     build/class-property --program build/san/class-replay
 *
 * Numbers of one platform are another's, names are alike, some have no address and some share one;
 * people hand in again, alone and in groups; rosters come and go, with mistakes that are corrected
 * later (property_course.c). Where a number or account is known on both sides, the grade has to be
 * there, too. Prints `ok` or `FAIL` for each format; the seed of each class that fails. Exit status
 * 1 if one did. */
#include "tests/class/property.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/file.h"

const char *const platform_names[] = {"canvas", "moodle", "gradescope", "github", "folder", NULL};

/* --- chance --- */

/* splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
int chance_below(struct course *course, int most) {
  unsigned long long z = course->random += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (int)((z ^ (z >> 31)) % (unsigned long long)most);
}

bool chance(struct course *course, int percent) { return chance_below(course, 100) < percent; }

char *path_in(const struct course *course, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *tail;
  if (vasprintf(&tail, format, args) < 0) die("out of memory");
  va_end(args);
  char *path = xprintf("%s/%s", course->folder, tail);
  free(tail);
  return path;
}

/* --- a run --- */

static int run_program(char *const *arguments, const char *log) {
  pid_t pid = fork();
  if (pid < 0) die("fork: %s", strerror(errno));
  if (pid == 0) {
    int out = open("/dev/null", O_WRONLY), words = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(out, 1);
    dup2(words, 2);
    execv(arguments[0], arguments);
    _exit(127);
  }
  int status;
  if (waitpid(pid, &status, 0) != pid) die("waitpid: %s", strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static const char *program = "build/class-replay";

static int run_class(const struct course *course, bool roster) {
  autofree char *lab = xprintf("lab%d", course->lab + 1), *state = path_in(course, "state"),
                *lines = path_in(course, "lines.jsonl"),
                *log = path_in(course, "run%d/log", course->run),
                *list = path_in(course, "roster.csv");
  char *arguments[24] = {(char *)program,   course->download,
                         (char *)"--state", state,
                         (char *)"--lab",   lab,
                         (char *)"--jsonl", lines,
                         (char *)"--seed",  (char *)"1"};
  int count = 10;
  if (roster) {
    arguments[count++] = (char *)"--roster";
    arguments[count++] = list;
  }
  if (course->gradebook) {
    arguments[count++] = (char *)"--canvas";
    arguments[count++] = course->gradebook;
  }
  if (course->worksheet || course->made) {
    arguments[count++] = (char *)"--moodle";
    arguments[count++] = course->worksheet ? course->worksheet : course->made;
  }
  return run_program(arguments, log);
}

/* Is the roster refused, as one that gives two people one number is, or holds an empty line? */
static bool refused_roster(const struct course *course) {
  autofree char *path = path_in(course, "run%d/log", course->run), *log = file_read(path, NULL);
  return log && strstr(log, "roster ") &&
         (strstr(log, ": the same number or account in two lines:") ||
          strstr(log, "it lists nobody"));
}

static bool run_course(unsigned long long seed, enum platform platform, const char *folder,
                       struct tally *tally) {
  struct course course = {.seed = seed,
                          .random = seed * 8 + (unsigned long long)platform,
                          .platform = platform,
                          .folder = xstrdup(folder)};
  course_make(&course);
  bool good = true;
  int runs = 1 + chance_below(&course, 4);
  for (course.run = 0; good && course.run < runs; course.run++) {
    course_go_on(&course);
    files_write(&course);
    bool roster = course.roster && course.row_count > 0;
    int status = run_class(&course, roster);
    if (roster && status == 2 && refused_roster(&course)) {
      tally->refused_rosters++;
      course.roster = course.mistaken = false; /* they give it up */
      course.row_count = course.run ? course.row_count : 0;
      break;
    }
    good = check_run(&course, status, tally);
  }
  if (!good)
    fprintf(stderr, "FAIL %s: class %llu, run %d\n", platform_names[platform], seed,
            course.run - 1);
  char *const paths[] = {course.folder, course.download, course.gradebook, course.worksheet,
                         course.made};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) free(paths[i]);
  course_free(&course);
  return good;
}

static void remove_folder(const char *folder) {
  char *arguments[] = {(char *)"/bin/rm", (char *)"-rf", (char *)folder, NULL};
  run_program(arguments, "/dev/null");
}

/* --- the whole --- */

struct options {
  unsigned long long seed;
  int count;
  const char *format, *keep;
};

static struct options parse(int argc, char **argv) {
  struct options options = {.seed = (unsigned long long)time(NULL), .count = 40};
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--seed") == 0) options.seed = strtoull(argv[i + 1], NULL, 10);
    if (strcmp(argv[i], "--count") == 0) options.count = atoi(argv[i + 1]);
    if (strcmp(argv[i], "--format") == 0) options.format = argv[i + 1];
    if (strcmp(argv[i], "--keep") == 0) options.keep = argv[i + 1];
    if (strcmp(argv[i], "--program") == 0) program = argv[i + 1];
  }
  if (argc % 2 == 0 || options.count < 1)
    die("usage: build/class-property [--count N] [--seed N] [--format FORMAT] [--keep DIR] "
        "[--program FILE]");
  return options;
}

/* The classes of one format; how many failed. */
static int run_format(const struct options *options, enum platform platform, const char *folder) {
  struct tally tally = {0};
  int failed = 0;
  for (int i = 0; i < options->count; i++) {
    unsigned long long seed = options->seed + (unsigned long long)i;
    autofree char *own = options->keep
                             ? xstrdup(options->keep)
                             : xprintf("%s/%s-%llu", folder, platform_names[platform], seed);
    if (options->keep) remove_folder(own);
    failed += !run_course(seed, platform, own, &tally);
    if (!options->keep) remove_folder(own);
  }
  printf(
      "%s %s: %d classes from seed %llu, %d failed; %d grades exported, %d nobody's and reported, "
      "%d could be either's, "
      "%d rosters refused\n",
      failed ? "FAIL" : "ok", platform_names[platform], options->count, options->seed, failed,
      tally.exported, tally.nobody, tally.excused, tally.refused_rosters);
  fflush(stdout);
  return failed;
}

int main(int argc, char **argv) {
  struct options options = parse(argc, argv);
  const char *temporary = getenv("TMPDIR");
  autofree char *folder = xprintf("%s/property.XXXXXX", temporary                       ? temporary
                                                        : access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                                                                        : "/tmp");
  if (!mkdtemp(folder)) die("%s: %s", folder, strerror(errno));
  setenv("LC_ALL", "C.UTF-8", 1);
  autofree char *root = getcwd(NULL, 0);
  setenv("KIT_ROOT", root, 1);
  int failed = 0;
  for (int platform = 0; platform < PLATFORMS; platform++)
    if (!options.format || strcmp(options.format, platform_names[platform]) == 0)
      failed += run_format(&options, (enum platform)platform, folder);
  remove_folder(folder);
  return failed ? 1 : 0;
}
