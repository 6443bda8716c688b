/* run_request.c: reads the command line of ./grade run. */
#include "grader/commands/run_request.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/output.h"
#include "grader/base/text.h"

enum {
  OPTION_SANITIZE = 256,
  OPTION_UNSAFE,
  OPTION_EXPLAIN,
  OPTION_GPU,
  OPTION_FILES,
  OPTION_HTML,
  OPTION_PICTURE,
  OPTION_PLOT,
  OPTION_TIMELINE,
  OPTION_RESOURCES
};

static const struct argp_option argp_options[] = {
    {"json", 'j', "FILE", 0, "Write what was found as JSON, too", 0},
    {"html", OPTION_HTML, "FILE", 0,
     "Write it as a page: output, hazards, kernels, the source with counters, pictures", 0},
    {"picture", OPTION_PICTURE, "[FILE:]LINE", OPTION_ARG_OPTIONAL,
     "Draw where the memory accesses of a line go (default: of the costliest)", 0},
    {"plot", OPTION_PLOT, NULL, 0, "Show the picture in the terminal, too", 0},
    {"timeline", OPTION_TIMELINE, "FILE.json", OPTION_ARG_OPTIONAL,
     "Show when copies and kernels run, stream by stream; FILE.json: for https://ui.perfetto.dev",
     0},
    {"resources", OPTION_RESOURCES, NULL, 0,
     "Show what kernels take of a multiprocessor, how many of their blocks it holds, and what "
     "limits that",
     0},
    {"sanitize", OPTION_SANITIZE, NULL, 0,
     "Tell only what is wrong, and exit with 1 if something is", 0},
    {"explain", OPTION_EXPLAIN, NULL, 0, "Show the counters of every line that accesses memory", 0},
    {"gpu", OPTION_GPU, "NAME|FILE.ini", 0,
     "The GPU to simulate: t4, rtx3060, ... (./grade gpus lists them; default: h100)", 0},
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

/* "23" or "prog.cu:23". */
static void parse_picture(struct run_request *request, char *argument, struct argp_state *state) {
  char *colon = strrchr(argument, ':'), *number = colon ? colon + 1 : argument, *end;
  long line = strtol(number, &end, 10);
  if (end == number || *end || line < 1 || line > INT_MAX || colon == argument)
    argp_error(state, "--picture=%s: not the number of a line, or a file, a colon and a number",
               argument);
  if (colon) *colon = '\0';
  request->picture_file = colon ? argument : NULL;
  request->picture_line = (int)line;
}

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
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
    case OPTION_HTML:
      request->html = argument;
      break;
    case OPTION_PICTURE:
      request->picture = true;
      if (argument) parse_picture(request, argument, state);
      break;
    case OPTION_PLOT:
      request->plot = request->picture = true;
      break;
    case OPTION_TIMELINE:
      request->timeline = true;
      request->trace = argument;
      break;
    case OPTION_RESOURCES:
      request->resources = true;
      break;
    case OPTION_UNSAFE:
      request->unsafe = true;
      break;
    case OPTION_GPU:
      request->gpu = argument;
      break;
    case OPTION_FILES:
      request->program.folder = argument;
      break;
    case 'I':
    case 'D':
    case 'l':
      if (key == 'I' && request->folder_count < PROGRAM_MAX_WORDS)
        request->folders[request->folder_count++] = argument;
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
      if (is_folder(argument)) die("%s: a folder, not a source file", argument);
      add_word(&request->program.compiler, argument, state);
      request->names[request->files++] = argument;
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

void run_request_parse(int argc, char **argv, struct run_request *request) {
  *request = (struct run_request){.files = 0};
  int own = 0; /* words that are not for the program */
  while (own < argc && strcmp(argv[own], "--") != 0) own++;
  struct whole_program *program = &request->program;
  if (argc - own > PROGRAM_MAX_WORDS) die("more than %d words for the program", PROGRAM_MAX_WORDS);
  for (int i = own + 1; i < argc; i++)
    program->arguments.list[program->arguments.count++] = argv[i];
  /* argp puts the words into another order. */
  char **words = xcalloc((size_t)own + 1, sizeof *words);
  for (int i = 1; i < own; i++) words[i] = argv[i];
  words[0] = (char *)"grade run";
  argp_parse(&argp, own, words, 0, NULL, request);
  free(words);
  struct stat folder;
  if (program->folder && !is_folder(program->folder))
    die("%s: there is no such folder", program->folder);
  if (program->folder && geteuid() == 0 && stat(program->folder, &folder) == 0 &&
      !(folder.st_mode & S_IWOTH))
    note("As root the program runs as another user, who may not write in %s: chmod o+rwx %s",
         program->folder, program->folder);
  output_check("--json", request->json);
  output_check("--html", request->html);
  output_check("--timeline", request->trace);
}
