/* run_command.c: ./grade run PROG.cu: compiles a program with a main of its own (harness/kcc), runs
 * it in the sandbox on the simulated GPU, and tells what the device has seen.
 *
 * The program's output is its own, and so is its exit status. The device is a process beside it,
 * outside the sandbox; its report (harness/sim/remote/program_report.h) is a file in our private
 * folder.
 */
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/screen.h"
#include "grader/base/system.h"
#include "grader/commands/commands.h"
#include "grader/grading/grading.h"
#include "grader/run/locate.h"
#include "grader/run/whole_program.h"
#include "grader/sandbox/process.h"
#include "grader/show/program_summary.h"

/* ---- the command line ---- */

struct run_request {
  struct whole_program program;
  int files;
  const char *json;
  bool sanitize, unsafe, explain;
};

enum { OPTION_SANITIZE = 256, OPTION_UNSAFE, OPTION_EXPLAIN, OPTION_GPU, OPTION_FILES };

static const struct argp_option argp_options[] = {
    {"json", 'j', "FILE", 0, "Write what was found as JSON, too", 0},
    {"sanitize", OPTION_SANITIZE, NULL, 0,
     "Tell only what is wrong, and exit with 1 if something is", 0},
    {"explain", OPTION_EXPLAIN, NULL, 0, "Show the counters of every line that accesses memory", 0},
    {"gpu", OPTION_GPU, "FILE.ini", 0,
     "The GPU to simulate (harness/sim/gpus/*.ini; default: an H100)", 0},
    {"files", OPTION_FILES, "DIR", 0, "Let the program read and write files there, and start there",
     0},
    {"unsafe", OPTION_UNSAFE, NULL, 0, "Where there is no sandbox, run the program without one", 0},
    {NULL, 'I', "DIR", 0, "Look for headers there", 1},
    {NULL, 'D', "NAME[=VALUE]", 0, "Define a macro", 1},
    {"std", 's', "c++17", 0, "The version of C++", 1},
    {NULL, 'l', "LIB", 0, "Link a library", 1},
    {NULL, 'G', NULL, 0,
     "Compile device code without optimisation: at -O3 the compiler removes some faulty accesses "
     "before anyone can see them",
     1},
    {0},
};

static void add_word(struct program_words *words, const char *word, struct argp_state *state) {
  if (words->count == PROGRAM_MAX_WORDS) argp_error(state, "more than %d words", PROGRAM_MAX_WORDS);
  words->list[words->count++] = word;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct run_request *request = state->input;
  switch (key) {
    case 'j':
      request->json = argument;
      break;
    case OPTION_SANITIZE:
      request->sanitize = true;
      break;
    case OPTION_EXPLAIN:
      request->explain = true;
      break;
    case OPTION_UNSAFE:
      request->unsafe = true;
      break;
    case OPTION_GPU:
      request->program.gpu = argument;
      break;
    case OPTION_FILES:
      request->program.folder = argument;
      break;
    case 'I':
    case 'D':
    case 'l':
      add_word(&request->program.compiler, key == 'I' ? "-I" : key == 'D' ? "-D" : "-l", state);
      add_word(&request->program.compiler, argument, state);
      break;
    case 's':
      add_word(&request->program.compiler, "-std", state);
      add_word(&request->program.compiler, argument, state);
      break;
    case 'G':
      add_word(&request->program.compiler, "-G", state);
      break;
    case ARGP_KEY_ARG:
      if (access(argument, R_OK) != 0) die("%s: %s", argument, strerror(errno));
      add_word(&request->program.compiler, argument, state);
      request->files++;
      break;
    case ARGP_KEY_END:
      if (!request->files) argp_usage(state);
      break;
    default:
      return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    argp_options, parse_option, "PROG.cu [MORE.cu|.cpp|.c ...] [-- ARGUMENT...]",
    "Compiles a CUDA program, runs it on the simulated GPU, and tells what is wrong with it."
    "\vWhat stands behind -- is for the program. Its output and its exit status are its own; what "
    "the simulator has found comes after it on stderr. harness/kcc compiles programs to keep: "
    "kcc --help.",
    .children = NULL};

/* ---- what it did ---- */

/* The path as seen from our folder, if it lies there. */
static const char *path_from_here(const char *path) {
  char here[4096];
  size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
  bool inside = length && strncmp(path, here, length) == 0 && path[length] == '/';
  return inside ? path + length + 1 : path;
}

/* A crash knows addresses of the program: the first that lies in one of its own files is its place.
 */
static void locate_crash(json_t *hazard, const char *program, const char *headers) {
  enum { MOST = 16 };
  uint64_t addresses[MOST];
  int count = 0;
  size_t i;
  json_t *address;
  json_array_foreach (json_object_get(hazard, "addresses"), i, address)
    if (count < MOST) addresses[count++] = (uint64_t)json_integer_value(address);
  autofree char *places = locate_addresses(program, addresses, count);
  for (char *at = places, *end; *at; at = end) {
    end = at + strcspn(at, "\n");
    if (*end) *end++ = '\0';
    char *colon = strrchr(at, ':');
    int line = colon ? atoi(colon + 1) : 0;
    if (line <= 0 || strncmp(at, headers, strlen(headers)) == 0 || strncmp(at, "/usr/", 5) == 0)
      continue;
    *colon = '\0';
    json_object_set_new(hazard, "file", json_string(path_from_here(at)));
    json_object_set_new(hazard, "line", json_integer(line));
    return;
  }
}

int run_program(const struct kit *kit, int argc, char **argv) {
  struct run_request request = {.files = 0};
  int own = 0; /* words that are not for the program */
  while (own < argc && strcmp(argv[own], "--") != 0) own++;
  struct whole_program *program = &request.program;
  if (argc - own > PROGRAM_MAX_WORDS) die("more than %d words for the program", PROGRAM_MAX_WORDS);
  for (int i = own + 1; i < argc; i++)
    program->arguments.list[program->arguments.count++] = argv[i];
  argv[0] = "grade run";
  argp_parse(&argp, own, argv, 0, NULL, &request);
  if (program->gpu && access(program->gpu, R_OK) != 0) die("%s: %s", program->gpu, strerror(errno));
  struct stat folder;
  if (program->folder && (stat(program->folder, &folder) != 0 || !S_ISDIR(folder.st_mode)))
    die("%s: there is no such folder", program->folder);
  if (program->folder && geteuid() == 0 && !(folder.st_mode & S_IWOTH))
    note("As root the program runs as another user, who may not write in %s: chmod o+rwx %s",
         program->folder, program->folder);
  const char *work = grading_open(kit, request.unsafe);
  autofree char *path = xprintf("%s/program", work), *report = xprintf("%s/report.json", work);
  int status = 1;
  if (whole_program_compile(kit, program, work, path)) {
    struct process_end end;
    whole_program_run(kit, program, work, path, report, &end);
    if (end.start_error) {
      grading_close();
      die("the program cannot be started: %s", strerror(end.start_error));
    }
    status = end.signal ? 128 + end.signal : end.exit_code;
    json_error_t error;
    json_t *found = json_load_file(report, 0, &error);
    autofree char *headers = kit_path(kit, "harness/");
    size_t i;
    json_t *hazard;
    json_array_foreach (json_object_get(found, "hazards"), i, hazard)
      if (json_object_get(hazard, "addresses")) locate_crash(hazard, path, headers);
    if (end.signal) note("The program did not come to its end: %s", signal_in_words(end.signal));
    struct screen screen;
    screen_open(&screen, stderr);
    int faults = program_summary(&screen, found,
                                 &(struct program_summary_options){.only_faults = request.sanitize,
                                                                   .lines = request.explain});
    if (request.sanitize && faults && status == 0) status = 1;
    if (request.json && found) {
      json_object_set_new(found, "exit_status", json_integer(status));
      autofree char *text = json_dumps(found, JSON_INDENT(1));
      autofree char *whole = xprintf("%s\n", text ? text : "");
      if (strcmp(request.json, "-") == 0)
        write_all(STDOUT_FILENO, whole, strlen(whole));
      else
        file_write(request.json, whole, strlen(whole));
    }
    json_decref(found);
  }
  grading_close();
  return status;
}
