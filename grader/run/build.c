/* build.c: runs harness/compile in a sandbox.
 *
 * It sees what compiling takes: CUDA's headers, the problem's header, what runners are linked with
 * (no checker of any problem) and copies of the submission's own files. It makes the runner in a
 * folder of its own, from which only that one file is taken. Where other labs' solutions are linked
 * in, the kit compiles them for itself meanwhile; a third step, in a sandbox again, links them to
 * the submission's object, and no longer has its source. */
#include "grader/run/build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/run/work.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"

enum { OUTPUT_LIMIT = 64 << 10, MAX_WORDS = 160, MAX_PATHS = 32 };
enum { FILE_BYTES = 256 << 20, PROCESSES = 128 };

/* One start of harness/compile. */
struct step {
  struct process_under_way process;
  char *words[MAX_WORDS + 1], **environment;
  int word_count, output_fd, product_fd;
};

struct building {
  const struct kit *kit;
  struct build build;
  const struct conf *conf;
  bool in_steps; /* prepare and compile, then link; else compile does it all */
  enum sandbox_level level;
  struct step prepare, compile, link;
  char *folder; /* ours, in which all of these lie */
  struct sandbox_path harness, source, made, object, prepared;
  char *name; /* of the file in source */
};

/* --- copies of a submission's files --- */

enum { MAX_HEADERS = 64, HEADER_BYTES = 1 << 20 };

/* Copies a plain file of at most `max` bytes. Returns 0 or an errno. */
static int copy(int from, const char *path, uint64_t max) {
  struct stat status;
  if (fstat(from, &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  if ((uint64_t)status.st_size > max) return EFBIG;
  int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
  if (to < 0) return errno;
  fchmod(to, 0444); /* also for the user of a sandbox, whatever the umask */
  char buffer[65536];
  ssize_t got;
  int error = 0;
  while (!error && (got = read(from, buffer, sizeof buffer)) != 0)
    if (got < 0 || !write_all(to, buffer, (size_t)got)) error = errno;
  close(to);
  return error;
}

static bool is_header(const char *name) {
  static const char *const endings[] = {".h", ".hh", ".hpp", ".cuh", ".inl", ".inc"};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(dot, endings[i]) == 0) return true;
  return false;
}

static void copy_headers(const char *beside, const char *folder) {
  DIR *entries = opendir(beside);
  if (!entries) return;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL && count < MAX_HEADERS;) {
    if (entry->d_name[0] == '.' || !is_header(entry->d_name)) continue;
    int from =
        openat(dirfd(entries), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (from < 0) continue;
    autofree char *path = xprintf("%s/%s", folder, entry->d_name);
    if (copy(from, path, HEADER_BYTES) == 0) count++;
    close(from);
  }
  closedir(entries);
}

/* Copies the file into the folder and, if its own folder is the submission's, the headers beside
 * it: plain files with a header's name, of at most 1 MiB, without following links. Returns the
 * file's name there, the caller's: its own, with whatever quotes or control characters it has
 * replaced. Ends the program if the file itself cannot be copied. */
static char *copy_files(const char *source, bool headers_too, const char *folder) {
  char *name = xstrdup(basename(source));
  for (char *c = name; *c; c++)
    if ((unsigned char)*c < ' ' || strchr("\"'\\\177", *c)) *c = '_';
  autofree char *path = xprintf("%s/%s", folder, name);
  int from = open(source, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  int error = from < 0 ? errno : copy(from, path, UINT64_MAX);
  if (error) die("%s: %s", source, strerror(error));
  close(from);
  if (headers_too) {
    autofree char *beside = xprintf("./%.*s", (int)(basename(source) - source), source);
    copy_headers(*source == '/' ? beside + 1 : beside, folder);
  }
  return name;
}

/* --- files --- */

/* A folder of the build's, and where it is in the sandbox. */
static struct sandbox_path make_place(const struct building *building, const char *name,
                                      const char *inside, unsigned mode) {
  char *path = xprintf("%s/%s", building->folder, name);
  if (mkdir(path, mode) != 0 || chmod(path, mode) != 0) die("%s: %s", path, strerror(errno));
  return (struct sandbox_path){path, inside};
}

/* All may pass through: the user of a sandbox, too, but nobody sees what is in it. */
static void make_folder(struct building *building) {
  const char *runner = building->build.runner;
  building->folder = xprintf("%.*sbuild-XXXXXX", (int)(basename(runner) - runner), runner);
  if (!mkdtemp(building->folder) || chmod(building->folder, 0711) != 0)
    die("%s: %s", building->folder, strerror(errno));
}

/* A new file for what the sandbox makes. */
static int product_file(const char *path) {
  unlink(path);
  int low = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0755);
  int fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, 64);
  /* Whatever the umask: the user of a sandbox is to run it. */
  if (fd < 0 || fchmod(fd, 0755) != 0) die("%s: %s", path, strerror(errno));
  close(low);
  return fd;
}

/* --- steps --- */

/* A word, or an option and its value. */
__attribute__((format(printf, 3, 4))) static void add_words(struct step *step, const char *option,
                                                            const char *format, ...) {
  if (step->word_count + 2 > MAX_WORDS) die("too many arguments for harness/compile");
  va_list args;
  va_start(args, format);
  if (option) step->words[step->word_count++] = xstrdup(option);
  step->words[step->word_count++] = xvprintf(format, args);
  va_end(args);
}

/* Of the lab's function number i. */
static const char *problem_of(const struct conf *conf, int i) {
  const struct family *family = conf->entries[i].family;
  return (family ? family : conf->family)->problem->name;
}

/* Is it the first of its problem? */
static bool is_first(const struct conf *conf, int i) {
  for (int j = 0; j < i; j++)
    if (strcmp(problem_of(conf, j), problem_of(conf, i)) == 0) return false;
  return true;
}

static void begin_words(const struct building *building, struct step *step, bool boxed) {
  const struct conf *conf = building->conf;
  freed_by(text_free) struct text entries = {0};
  for (int i = 0; i < conf->entry_count; i++)
    text_add(&entries, "%s%s:%s", i ? " " : "", conf->entries[i].name, problem_of(conf, i));
  add_words(step, NULL, "%s/compile",
            boxed ? sandbox_inside(&building->harness) : building->harness.path);
  add_words(step, "--backend", "%s", building->build.backend);
  add_words(step, "--lab", "%s", building->build.lab->id);
  add_words(step, "--entries", "%s", text_get(&entries));
  step->output_fd = memory_file("compiler output");
}

static void source_words(const struct building *building, struct step *step) {
  add_words(step, "--source", "%s/%s", sandbox_inside(&building->source), building->name);
  for (int i = 0; i < building->build.variant_count; i++)
    add_words(step, "--variant", "%s", building->build.variants[i]);
}

/* What it writes goes to `product`; `more`: what it reads beside the kit. */
static void start_in_box(const struct building *building, struct step *step, const char *product,
                         const struct sandbox_path *more, int more_count) {
  static const char *const parts[] = {"compile",  "clang.sh",    "ir",
                                      "launches", "inspect",     "inspect.awk",
                                      "symbols",  "sim/include", "registers.awk"};
  bool gpu = strcmp(building->build.backend, "gpu") == 0;
  const char *build = gpu ? "build/gpu" : "build";
  const struct conf *conf = building->conf;
  struct sandbox_path paths[MAX_PATHS];
  char *owned[MAX_PATHS];
  int owned_count = 0, count = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    owned[owned_count++] = kit_path(building->kit, "harness/%s", parts[i]);
  owned[owned_count++] = kit_path(building->kit, "%s/harness/base", build);
  owned[owned_count++] = kit_path(building->kit, "%s/harness/runner", build);
  for (int i = 0; i < conf->entry_count && owned_count + more_count + 4 <= MAX_PATHS; i++) {
    const char *problem = problem_of(conf, i);
    if (!is_first(conf, i)) continue;
    owned[owned_count++] = kit_path(building->kit, "harness/problems/%s/%s.h", problem, problem);
    owned[owned_count++] =
        kit_path(building->kit, "%s/harness/problems/%s/%s.o", build, problem, problem);
  }
  owned[owned_count++] = kit_path(building->kit, gpu ? "build/libgpu.a" : "build/libremote.a");
  if (!gpu) owned[owned_count++] = kit_path(building->kit, "build/headers");
  for (int i = 0; i < owned_count; i++) {
    owned[i] = real_path(owned[i]);
    paths[count++] = (struct sandbox_path){owned[i], owned[i]};
  }
  for (int i = 0; i < more_count; i++) paths[count++] = more[i];
  struct sandbox sandbox = {.confinement = CONFINE_TOOLS,
                            .paths = paths,
                            .path_count = count,
                            .folder = building->made,
                            .folder_bytes = (uint64_t)conf->build_disk_limit << 20,
                            .processes = PROCESSES,
                            .product = product,
                            .product_fd = step->product_fd};
  step->environment = process_environment(sandbox_inside(&building->made));
  process_start(&(struct process){.argv = (const char *const *)step->words,
                                  .environment = step->environment,
                                  .output_fd = step->output_fd,
                                  .sandbox = &sandbox,
                                  .sleep_seconds = (double)conf->sleep_limit,
                                  .cpu_seconds = (uint64_t)conf->build_cpu_limit,
                                  .memory_bytes = (uint64_t)conf->build_memory_limit << 20,
                                  .file_bytes = FILE_BYTES},
                &step->process);
  for (int i = 0; i < owned_count; i++) free(owned[i]);
}

static void end_step(struct step *step) {
  if (step->output_fd) close(step->output_fd);
  if (step->product_fd) close(step->product_fd);
  if (step->environment) process_free_environment(step->environment);
  for (int i = 0; i < step->word_count; i++) free(step->words[i]);
  *step = (struct step){.word_count = 0};
}

/* The kit's own solutions, which the submission's compiler is not to see. */
static void start_prepare(const struct building *building, struct step *step) {
  const struct build *build = &building->build;
  begin_words(building, step, false);
  if (build->reference) add_words(step, "--beside", "reference=%s", build->reference);
  if (build->baseline) add_words(step, "--beside", "baseline=%s", build->baseline);
  add_words(step, "--prepare", "%s", building->prepared.path);
  step->environment = process_environment(building->folder);
  process_start(&(struct process){.argv = (const char *const *)step->words,
                                  .environment = step->environment,
                                  .output_fd = step->output_fd,
                                  .sleep_seconds = (double)building->conf->sleep_limit,
                                  .file_bytes = FILE_BYTES},
                &step->process);
}

static void start_compile(struct building *building, struct step *step) {
  const char *product = building->in_steps ? "host.o" : "runner",
             *option = building->in_steps          ? "--object"
                       : building->build.registers ? "--registers"
                                                   : "--output";
  autofree char *object = xprintf("%s/host.o", building->object.path);
  begin_words(building, step, true);
  source_words(building, step);
  add_words(step, option, "%s/%s", sandbox_inside(&building->made), product);
  step->product_fd = product_file(building->in_steps ? object : building->build.runner);
  start_in_box(building, step, product, &building->source, 1);
}

static void start_link(struct building *building, struct step *step) {
  begin_words(building, step, true);
  source_words(building, step);
  add_words(step, "--link", "%s/host.o", sandbox_inside(&building->object));
  add_words(step, "--prepared", "%s", sandbox_inside(&building->prepared));
  add_words(step, "--output", "%s/runner", sandbox_inside(&building->made));
  step->product_fd = product_file(building->build.runner);
  start_in_box(building, step, "runner",
               (const struct sandbox_path[]){building->object, building->prepared}, 2);
}

/* nvcc asks the device what to compile for; a sandbox has none. */
static void find_architecture(void) {
  autofree char *program = program_find("nvidia-smi");
  if (program && !getenv("KIT_GPU_ARCH")) {
    const char *const argv[] = {program, "--query-gpu=compute_cap", "--format=csv,noheader", NULL};
    struct process_end end;
    char *output = process_output((struct process){.argv = argv, .wall_seconds = 20}, &end),
         text[64];
    int major, minor;
    if (sscanf(output, "%d.%d", &major, &minor) == 2) {
      snprintf(text, sizeof text, "%d%d", major, minor);
      setenv("KIT_GPU_ARCH", text, 1);
    }
    free(output);
  }
}

struct building *build_start(const struct kit *kit, const struct build *build) {
  struct building *building = xcalloc(1, sizeof *building);
  *building = (struct building){.kit = kit,
                                .build = *build,
                                .conf = &build->lab->conf,
                                .level = sandbox_level(),
                                .in_steps = build->reference || build->baseline};
  make_folder(building);
  char *harness = real_path(kit_path(kit, "harness"));
  building->harness = (struct sandbox_path){harness, harness};
  building->source = make_place(building, "source", "/grading/source", 0755);
  building->made = make_place(building, "made", "/grading/made", 0700);
  building->object = make_place(building, "object", "/grading/object", 0755);
  building->prepared = make_place(building, "prepared", "/grading/prepared", 0755);
  building->name = copy_files(build->source, build->own_folder, building->source.path);
  if (strcmp(build->backend, "gpu") == 0) find_architecture();
  if (building->in_steps) start_prepare(building, &building->prepare);
  start_compile(building, &building->compile);
  return building;
}

static void free_building(struct building *building) {
  end_step(&building->prepare);
  end_step(&building->compile);
  end_step(&building->link);
  work_remove_folder(building->folder);
  const struct sandbox_path *const paths[] = {&building->harness, &building->source,
                                              &building->made, &building->object,
                                              &building->prepared};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) free((char *)(uintptr_t)paths[i]->path);
  free_all(building->folder, building->name, building);
}

/* --- the end --- */

/* The compiler's messages, with the file under the name that its owner knows. */
static void add_messages(const struct building *building, const char *at, struct text *output) {
  const char *place = sandbox_inside(&building->source), *source = building->build.source;
  size_t length = strlen(place), name_length = strlen(building->name);
  for (const char *found; (found = strstr(at, place)) != NULL;) {
    text_append(output, at, (size_t)(found - at));
    at = found + length;
    if (*at != '/') {
      text_add(output, "%s", place);
    } else if (strncmp(at + 1, building->name, name_length) == 0) {
      at += 1 + name_length;
      text_add(output, "%s", source);
    } else { /* a header beside it */
      at++;
      text_append(output, source, (size_t)(basename(source) - source));
    }
  }
  text_add(output, "%s", at);
}

static enum build_end judge_step(const struct building *building, struct step *step,
                                 struct process_end end, struct text *output) {
  freed_by(text_free) struct text printed = {0};
  read_all(step->output_fd, OUTPUT_LIMIT, &printed);
  add_messages(building, text_get(&printed), output);
  enum build_end result = BUILD_FAILED;
  if (end.start_error) {
    text_add(output, "%s: %s\n", step->words[0], strerror(end.start_error));
  } else if (end.timed_out) {
    text_add(output,
             "error: the compiler waited for %ld s and did nothing: does the file include "
             "something that is not a file?\n",
             building->conf->sleep_limit);
    result = BUILD_REFUSED;
  } else if (end.out_of_memory) {
    text_add(output, "error: the compiler ran out of memory: the limit is %ld MiB per file\n",
             building->conf->build_memory_limit);
    result = BUILD_REFUSED;
  } else if (end.signal) {
    text_add(output, "harness/compile was killed by signal %d\n", end.signal);
  } else if (end.exit_code > 1) {
    result = BUILD_FAILED;
  } else if (end.exit_code == 1) {
    result = BUILD_REFUSED;
  } else if (end.product_error) {
    text_add(output, "error: the program cannot be copied out of the sandbox: %s\n",
             strerror(end.product_error));
  } else {
    result = BUILD_OK;
  }
  end_step(step);
  return result;
}

static enum build_end finish_step(const struct building *building, struct step *step,
                                  struct text *output) {
  struct process_end end;
  process_finish(&step->process, &end);
  return judge_step(building, step, end, output);
}

enum build_end build_finish(struct building *building, struct text *output) {
  enum build_end result = BUILD_OK;
  struct process_end end;
  process_finish(&building->compile.process, &end);
  if (end.start_error) sandbox_doubt(building->kit);
  if (end.start_error && building->level != sandbox_level()) { /* in the sandbox that works */
    const struct kit *kit = building->kit;
    struct build build = building->build;
    if (building->in_steps) process_stop(&building->prepare.process, NULL);
    free_building(building);
    return build_runner(kit, &build, output);
  }
  if (building->in_steps) {
    result = finish_step(building, &building->prepare, output);
    if (result == BUILD_REFUSED) result = BUILD_FAILED; /* it is the kit's own */
  }
  enum build_end compiled = judge_step(building, &building->compile, end, output);
  if (result == BUILD_OK) result = compiled;
  if (result == BUILD_OK && building->in_steps) {
    start_link(building, &building->link);
    result = finish_step(building, &building->link, output);
  }
  if (result != BUILD_OK) unlink(building->build.runner);
  free_building(building);
  return result;
}

void build_stop(struct building *building) {
  if (building->in_steps) process_stop(&building->prepare.process, NULL);
  process_stop(&building->compile.process, NULL);
  free_building(building);
}

enum build_end build_runner(const struct kit *kit, const struct build *build, struct text *output) {
  return build_finish(build_start(kit, build), output);
}

/* path:LINE:COLUMN: error: WORDS: the line, or 0. output: where its beginning may be; at: WORDS. */
static int line_before(const char *output, const char *words) {
  const char *start = words;
  while (start > output && start[-1] != '\n') start--;
  for (const char *at = start; at < words; at++) {
    char *end;
    if (*at != ':') continue;
    long number = strtol(at + 1, &end, 10);
    if (end > at + 1 && *end == ':' && number > 0 && number < 10000000) return (int)number;
  }
  return 0;
}

char *build_first_error(const char *output, int *line) {
  *line = 0;
  const char *error = strstr(output, "error: ");
  if (!error) {
    error = strstr(output, "undefined reference to ");
    if (!error) return xstrdup("the compiler refused it");
    return xprintf("%.*s", (int)strcspn(error, "\n"), error);
  }
  *line = line_before(output, error);
  error += strlen("error: ");
  return xprintf("%.*s", (int)strcspn(error, "\n"), error);
}

char *build_next_warning(const char **at, const char *name, const char *option, int *line) {
  static const char mark[] = "warning: ";
  for (const char *warning; (warning = strstr(*at, mark)) != NULL;) {
    const char *start = warning, *words = warning + strlen(mark),
               *end = words + strcspn(words, "\n");
    while (start > *at && start[-1] != '\n') start--;
    *line = line_before(start, warning);
    *at = end;
    const char *flag = memmem(words, (size_t)(end - words), " [-W", 4);
    size_t length = strlen(option);
    autofree char *place = xprintf("%s:%d:", name, *line);
    const char *found = memmem(start, (size_t)(warning - start), place, strlen(place));
    bool own = found && (found == start || found[-1] == '/');
    if (own && flag && (size_t)(end - flag) > length && strncmp(end - length, option, length) == 0)
      return xprintf("%.*s", (int)(flag - words), words);
  }
  return NULL;
}
