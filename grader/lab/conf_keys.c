/* conf_keys.c: the table of keys of lab.conf, and how a value of each type is read. */
#include "grader/lab/conf_keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/dims.h"

const char *const conf_section_titles[SECTIONS] = {"[lab]",         "[case NAME]",   "[item ID]",
                                                   "[answer ID]",   "[question ID]", "[sweep]",
                                                   "[series NAME]", "[sizes]"};
const char *const case_fail_names[CASE_FAILS + 1] = {"nothing", "malloc", "pinned", "copy",
                                                     "launch"};
const char *const case_elapsed_names[CASE_ELAPSED + 1] = {"no", "kernels", "work"};
const char *const item_class_names[ITEM_CLASSES + 1] = {"correctness", "hazard", "technique",
                                                        "performance", "prediction"};
const char *const item_of_names[ITEM_OFS + 1] = {"value", "baseline", "reference"};
const char *const item_scale_names[ITEM_SCALES + 1] = {"linear", "log"};

#define IN_LAB(key) SECTION_LAB, #key, offsetof(struct conf, key)
#define IN_CASE(key) SECTION_CASE, #key, offsetof(struct case_conf, key)
#define IN_ITEM(key) SECTION_ITEM, #key, offsetof(struct item_conf, key)
#define IN_ANSWER(key) SECTION_ANSWER, #key, offsetof(struct answer_conf, key)
#define IN_QUESTION(key) SECTION_QUESTION, #key, offsetof(struct question_conf, key)
#define IN_SWEEP(key) SECTION_SWEEP, #key, offsetof(struct sweep_conf, key)
#define IN_SERIES(key) SECTION_SERIES, #key, offsetof(struct series_conf, key)
#define IN_SIZES(key) SECTION_SIZES, #key, offsetof(struct sizes_conf, key)
#define WHOLE(from, to) CONF_WHOLE, .min = (from), .max = (to)
enum {
  CHECKED = 1 << ITEM_CORRECTNESS,
  HAZARDS = 1 << ITEM_HAZARD,
  COUNTED = 1 << ITEM_TECHNIQUE,
  TIMED = 1 << ITEM_PERFORMANCE,
  PREDICTED = 1 << ITEM_PREDICTION
};

const struct conf_key conf_keys[] = {
    {IN_LAB(title), CONF_TEXT, .required = true, .sentence = "what the lab is called"},
    {IN_LAB(teaches), CONF_TEXT, .sentence = "what one learns by it, for ./grade list"},
    {IN_LAB(minutes), WHOLE(1, 10000), .sentence = "that it takes a student"},
    {IN_LAB(after), CONF_WORDS, .count_at = offsetof(struct conf, after_count),
     .if_not_given = "it needs no other", .sentence = "labs to do first"},
    {IN_LAB(leaders), CONF_TEXT, .if_not_given = "by score",
     .sentence = "the item whose value ranks a class on the leaderboard, if it is about that"},
    {SECTION_LAB, "problem", offsetof(struct conf, family), CONF_FAMILY, .required = true,
     .only_in_lab_conf = true,
     .sentence = "the problem family: its arrays, its dimensions and how to check a result"},
    {IN_LAB(baseline), CONF_TEXT,
     .sentence = "another lab, whose solution items of 'of = baseline' are compared with"},
    {IN_LAB(entries), CONF_ENTRIES, .count_at = offsetof(struct conf, entry_count),
     .only_in_lab_conf = true, .if_not_given = "one, named as the problem",
     .sentence = "functions of the student's file that the harness may call; NAME:PROBLEM for one "
                 "of another problem than the lab's"},
    {IN_LAB(instruction_budget), WHOLE(1, 1 << 30), .if_not_given = "from the cases",
     .sentence = "millions of warp instructions, of all cases of a grading together"},
    {IN_LAB(copy_budget), WHOLE(1, 1 << 30), .if_not_given = "from the cases",
     .sentence = "MiB that calls allocate, copy and fill, of all cases together"},
    {IN_LAB(call_budget), WHOLE(1, 1 << 30), .normal = 100000,
     .sentence = "calls to the device, launches among them, of all cases together"},
    {IN_LAB(cpu_limit), WHOLE(1, 1 << 20), .normal = 60,
     .sentence = "seconds of processor time of host code, of all cases together"},
    {IN_LAB(sleep_limit), WHOLE(1, 3600), .normal = 20,
     .sentence = "seconds in which everything that was started sleeps"},
    {IN_LAB(memory_limit), WHOLE(64, 1 << 20), .normal = 4096, .sentence = "MiB, of a case"},
    {IN_LAB(thread_limit), WHOLE(1, 1 << 16), .normal = 256, .sentence = "host threads, of a case"},
    {IN_LAB(output_limit), WHOLE(1, 1 << 12), .normal = 64, .sentence = "MiB that a case prints"},
    {IN_LAB(build_cpu_limit), WHOLE(1, 3600), .normal = 60,
     .sentence = "seconds of processor time of each process that compiles the file"},
    {IN_LAB(build_memory_limit), WHOLE(256, 1 << 20), .normal = 3072,
     .sentence = "MiB, of compiling the file"},
    {IN_LAB(build_disk_limit), WHOLE(16, 1 << 16), .normal = 512,
     .sentence = "MiB of files that compiling makes"},

    {IN_CASE(dims), CONF_DIMS, .required = true,
     .sentence = "every dimension of the problem: M=17 N=17 K=17"},
    {IN_CASE(sets), WHOLE(1, 100), .normal = 1,
     .sentence = "sets of inputs, each of which the function is called with"},
    {IN_CASE(show), CONF_YES_NO,
     .sentence = "its launch is on the score card (at most 3 cases; none of hidden.conf)"},
    {IN_CASE(elapsed), CONF_CHOICE, .words = case_elapsed_names,
     .sentence = "the time that the function reports must be that of its kernels, or of all its "
                 "work: from the first copy or kernel to the last"},
    {IN_CASE(entry), CONF_TEXT, .if_not_given = "the first of entries",
     .sentence = "the function to call"},
    {IN_CASE(fail), CONF_CHOICE, .words = case_fail_names,
     .sentence =
         "one such call of CUDA fails in each call of the function: the case is right if that "
         "returns an error, or the program ends with one (on the simulator only)"},
    {IN_CASE(fail_at), WHOLE(1, 100), .normal = 1,
     .sentence = "which of these calls fails, of 'fail'; if the function makes fewer, the case is "
                 "like any other"},

    {IN_ITEM(class), CONF_CHOICE, .words = item_class_names, .normal = -1, .required = true,
     .sentence = "what earns the points"},
    {IN_ITEM(title), CONF_TEXT, .required = true, .sentence = "what the item is called"},
    {IN_ITEM(points), WHOLE(1, 10000), .required = true,
     .sentence = "points for all of it; those of all items add up to 100"},
    {IN_ITEM(hint), CONF_TEXT, .sentence = "what to try when points are lost"},
    {IN_ITEM(cases), CONF_WORDS, .count_at = offsetof(struct item_conf, case_count),
     .required = true, .classes = CHECKED, .sentence = "cases whose results must be right"},
    {IN_ITEM(kinds), CONF_WORDS, .count_at = offsetof(struct item_conf, kind_count),
     .classes = HAZARDS, .if_not_given = "all but leak",
     .sentence = "kinds of hazards that lose the points; leaks are looked for only where an item "
                 "lists leak"},
    {IN_ITEM(answers), CONF_WORDS, .count_at = offsetof(struct item_conf, answer_count),
     .required = true, .classes = PREDICTED, .sentence = "answers that must be right"},
    {SECTION_ITEM, "case", offsetof(struct item_conf, case_name), CONF_TEXT, .required = true,
     .classes = COUNTED | TIMED,
     .sentence = "the case that is measured, which a correctness item must list, too"},
    {IN_ITEM(metric), CONF_TEXT, .required = true, .classes = COUNTED | TIMED,
     .sentence = "what is measured: a metric of grader/lab/metric.c"},
    {IN_ITEM(of), CONF_CHOICE, .words = item_of_names, .classes = COUNTED | TIMED,
     .sentence = "the metric's own value, or how it compares with a solution's: the baseline's, or "
                 "the reference's (this lab's); percent_of_ceiling stays a percentage, and the "
                 "thresholds are parts of that solution's"},
    {IN_ITEM(scale), CONF_CHOICE, .words = item_scale_names, .classes = COUNTED | TIMED,
     .sentence = "how points fall from 'full' to 'zero': evenly over the value, or over its "
                 "logarithm, so that each point takes the same factor"},
    {IN_ITEM(full), CONF_THRESHOLD, .required = true, .classes = COUNTED | TIMED,
     .sentence = "up to where all points are earned"},
    {IN_ITEM(zero), CONF_THRESHOLD, .classes = COUNTED | TIMED,
     .sentence = "from where none are; points fall evenly towards it (of a time: on a log scale "
                 "only)"},
    {IN_ITEM(half), CONF_THRESHOLD, .classes = TIMED,
     .other_class = "'half' is for times; what is counted has 'zero', towards which points fall",
     .sentence = "up to where half of the points are earned"},
    {IN_ITEM(needs), CONF_WORDS, .count_at = offsetof(struct item_conf, need_count),
     .sentence = "items of which one must earn points, or this one earns none: what is not there "
                 "cannot be right"},

    {IN_ANSWER(question), CONF_TEXT, .required = true,
     .sentence = "what is predicted, in the student's file by a line `// ID = NUMBER`"},
    {SECTION_ANSWER, "case", offsetof(struct answer_conf, case_name), CONF_TEXT,
     .sentence = "the case in which the model solution has what is predicted"},
    {IN_ANSWER(metric), CONF_TEXT, .sentence = "that metric's value is right"},
    {IN_ANSWER(value), WHOLE(1, 1 << 30), .if_not_given = "the metric's in the case",
     .sentence = "a fact that is not counted: this value is right"},
    {IN_ANSWER(within), WHOLE(1, 50), .normal = 1, .sentence = "percent that it may be off"},

    {IN_QUESTION(ask), CONF_TEXT, .required = true,
     .sentence = "what the report of `./grade LAB --report` has to answer in the student's own "
                 "words"},

    {SECTION_SWEEP, "case", offsetof(struct sweep_conf, case_name), CONF_TEXT, .required = true,
     .sentence = "the case that is run with every block shape"},
    {IN_SWEEP(parameters), CONF_WORDS, .count_at = offsetof(struct sweep_conf, parameter_count),
     .required = true,
     .sentence = "two macros of the student's file: the block's extent in x and in y"},
    {IN_SWEEP(values), CONF_WHOLES, .count_at = offsetof(struct sweep_conf, value_count), .min = 1,
     .max = 1024, .room = SWEEP_VALUES, .required = true,
     .sentence = "the values that each of the two may have"},
    {IN_SWEEP(max_threads), WHOLE(1, 1024), .required = true, .former = "most",
     .sentence = "threads that a block may have: larger shapes are left out"},

    {IN_SERIES(title), CONF_TEXT, .if_not_given = "from case and dimension",
     .sentence = "what its chart is called"},
    {SECTION_SERIES, "case", offsetof(struct series_conf, case_name), CONF_TEXT, .required = true,
     .sentence = "the case that is run with one of its dimensions changed"},
    {IN_SERIES(dimension), CONF_TEXT, .required = true,
     .sentence = "that dimension: a number, such as STEP"},
    {IN_SERIES(from), WHOLE(0, PROBLEM_MAX_DIM), .normal = 1, .sentence = "its first value"},
    {IN_SERIES(to), WHOLE(1, PROBLEM_MAX_DIM), .if_not_given = "'values' are",
     .sentence = "its last value; all between them are run, too, 64 values at most"},
    {IN_SERIES(values), CONF_WHOLES, .count_at = offsetof(struct series_conf, value_count),
     .min = 1, .max = PROBLEM_MAX_DIM, .room = SERIES_VALUES, .if_not_given = "'from' to 'to'",
     .sentence = "its values, in place of 'from' and 'to'"},
    {IN_SERIES(metric), CONF_TEXT, .if_not_given = "sectors per load",
     .sentence = "what is shown beside the time: a metric of grader/lab/metric.c"},

    {SECTION_SIZES, "case", offsetof(struct sizes_conf, case_name), CONF_TEXT,
     .if_not_given = "the first that is shown",
     .sentence = "./grade LAB --sizes: the case whose function is run over sizes"},
    {IN_SIZES(dims), CONF_WORDS, .count_at = offsetof(struct sizes_conf, dim_count),
     .if_not_given = "all",
     .sentence = "dimensions that are as large as the size; the others are those of the case"},
    {0}};

/* --- values --- */

static void *value_at(const struct conf_key *key, void *section) {
  return (char *)section + key->at;
}

static const void *value_in(const struct conf_key *key, const void *section) {
  return (const char *)section + key->at;
}

static int *count_at(const struct conf_key *key, void *section) {
  return (int *)(void *)((char *)section + key->count_at);
}

static void free_value(const struct conf_key *key, void *section) {
  if (key->type == CONF_TEXT) {
    char **text = value_at(key, section);
    free(*text);
    *text = NULL;
  } else if (key->type == CONF_WORDS) {
    char ***words = value_at(key, section);
    int *count = count_at(key, section);
    while (*count > 0) free((*words)[--*count]);
    free(*words);
    *words = NULL;
  } else if (key->type == CONF_ENTRIES) {
    struct entry_conf **entries = value_at(key, section);
    int *count = count_at(key, section);
    while (*count > 0) free((*entries)[--*count].name);
    free(*entries);
    *entries = NULL;
  }
}

void conf_free_values(enum conf_section section, void *values) {
  for (const struct conf_key *key = conf_keys; key->name; key++)
    if (key->section == section) free_value(key, values);
}

void conf_set_defaults(enum conf_section section, void *values) {
  for (const struct conf_key *key = conf_keys; key->name; key++) {
    if (key->section != section || !key->normal) continue;
    if (key->type == CONF_WHOLE) *(long *)value_at(key, values) = key->normal;
    if (key->type == CONF_CHOICE) *(int *)value_at(key, values) = (int)key->normal;
  }
}

bool conf_key_given(const struct conf_key *key, const void *section) {
  const void *value = value_in(key, section);
  switch (key->type) {
    case CONF_TEXT:
      return *(char *const *)value != NULL;
    case CONF_WORDS:
    case CONF_WHOLES:
    case CONF_ENTRIES:
      return *(const int *)(const void *)((const char *)section + key->count_at) > 0;
    case CONF_WHOLE:
      return *(const long *)value != key->normal;
    case CONF_CHOICE:
      return *(const int *)value != key->normal;
    case CONF_YES_NO:
      return *(const bool *)value;
    case CONF_THRESHOLD:
      return ((const struct threshold *)value)->given;
    case CONF_DIMS:
      return *(const long *)value > 0;
    case CONF_FAMILY:
      return *(const struct family *const *)value != NULL;
  }
  return false;
}

bool conf_key_applies(const struct conf_key *key, int item_class) {
  return !key->classes || (key->classes & 1u << item_class);
}

static char *set_text(char **to, const char *value, bool continued) {
  char *text = continued && *to ? xprintf("%s %s", *to, value) : xstrdup(value);
  free(*to);
  *to = text;
  return NULL;
}

static char *set_whole(const struct conf_key *key, long *to, const char *value) {
  char *end;
  errno = 0;
  long number = strtol(value, &end, 10);
  if (end == value || *end || errno || number < key->min || number > key->max)
    return xprintf("'%s' is not a whole number from %ld to %ld", value, key->min, key->max);
  *to = number;
  return NULL;
}

static char *set_choice(int *to, const char *value, const char *const *words) {
  freed_by(text_free) struct text list = {0};
  for (int i = 0; words[i]; i++) {
    if (strcmp(words[i], value) == 0) {
      *to = i;
      return NULL;
    }
    text_add(&list, "%s%s", i ? ", " : "", words[i]);
  }
  char *error = xprintf("'%s' is none of: %s", value, text_get(&list));
  return error;
}

static char *set_threshold(struct threshold *to, const char *value) {
  if (strncmp(value, "<=", 2) == 0 || strncmp(value, ">=", 2) == 0) {
    char *end;
    double number = strtod(value + 2, &end);
    if (end != value + 2 && !*end && number >= 0 && number < 1e300) {
      *to = (struct threshold){true, value[0] == '>', number};
      return NULL;
    }
  }
  return xprintf("'%s' is not a threshold such as <= 4 or >= 0.5", value);
}

/* transpose_tiled, gram_shared:gram */
static char *set_entry(struct entry_conf *entry, const char *word) {
  const char *problem = strchr(word, ':');
  entry->name = problem ? xprintf("%.*s", (int)(problem - word), word) : xstrdup(word);
  if (strspn(entry->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") !=
          strlen(entry->name) ||
      !*entry->name)
    return xprintf("'%s' is no name of a function, nor NAME:PROBLEM", word);
  entry->family = problem ? family_find(problem + 1) : NULL;
  return problem && !entry->family ? xprintf("there is no problem '%s'", problem + 1) : NULL;
}

/* One word of a list. */
static char *set_word(const struct conf_key *key, void *section, char *word,
                      const struct problem *problem) {
  int *count = count_at(key, section);
  int which;
  if (key->type == CONF_DIMS) return dims_set(problem, word, value_at(key, section), &which);
  if (key->type == CONF_ENTRIES) {
    struct entry_conf **entries = value_at(key, section);
    return set_entry(array_add(*entries, *count), word);
  }
  if (key->type == CONF_WORDS) {
    char ***words = value_at(key, section);
    *array_add(*words, *count) = xstrdup(word);
    return NULL;
  }
  if (*count == (int)key->room) return xprintf("more values than %zu", key->room);
  long *numbers = value_at(key, section);
  return set_whole(key, &numbers[(*count)++], word);
}

/* A list that a later file gives anew replaces the one before. */
static char *set_list(const struct conf_key *key, void *section, const char *value, bool continued,
                      const struct problem *problem) {
  if (key->type == CONF_DIMS && !problem)
    return xstrdup("[lab] with its problem must come before the cases");
  if (!continued) free_value(key, section);
  if (!continued && key->type == CONF_WHOLES) *count_at(key, section) = 0;
  long *dims = value_at(key, section);
  for (int i = 0; i < PROBLEM_MAX_DIMS && !continued && key->type == CONF_DIMS; i++) dims[i] = -1;
  char *copy = xstrdup(value), *rest = copy, *word, *error = NULL;
  while (!error && (word = strsep(&rest, " \t")) != NULL)
    if (*word) error = set_word(key, section, word, problem);
  free(copy);
  for (int i = 0; key->type == CONF_DIMS && i < problem->dim_count && !error; i++)
    if (dims[i] < 0) error = xprintf("dims lacks %s", problem->dims[i]);
  return error;
}

char *conf_key_set(const struct conf_key *key, void *section, const char *value, bool continued,
                   const struct problem *problem) {
  static const char *const no_yes[] = {"no", "yes", NULL};
  void *to = value_at(key, section);
  switch (key->type) {
    case CONF_TEXT:
      return set_text(to, value, continued);
    case CONF_WHOLE:
      return set_whole(key, to, value);
    case CONF_CHOICE:
      return set_choice(to, value, key->words);
    case CONF_THRESHOLD:
      return set_threshold(to, value);
    case CONF_YES_NO: {
      int yes = 0;
      char *error = set_choice(&yes, value, no_yes);
      *(bool *)to = yes;
      return error;
    }
    case CONF_FAMILY:
      *(const struct family **)to = family_find(value);
      return *(const struct family **)to ? NULL : xprintf("there is no problem '%s'", value);
    default:
      return set_list(key, section, value, continued, problem);
  }
}
