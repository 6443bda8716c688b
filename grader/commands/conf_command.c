/* conf_command.c: what is in a lab.conf, for people and programs.
 *
 *     ./grade conf --keys          every key: type, range, default, what it means
 *     ./grade conf lab2            reads lab2's lab.conf, and hidden.conf: are they right?
 *     ./grade conf lab2 --json     what was read, defaults filled in */
#include <argp.h>
#include <stdio.h>

#include "grader/commands/commands.h"
#include "grader/show/show.h"

struct options {
  const char *lab;
  bool json, keys, public;
};

static const struct argp_option argp_options[] = {
    {"keys", 'k', NULL, 0, "List the keys of lab.conf: type, range, default, meaning", 0},
    {"json", 'j', NULL, 0, "Write what was read to stdout as JSON, defaults filled in", 0},
    {"public", 'p', NULL, 0, "Leave hidden.conf out", 0},
    {0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
    case 'k':
      options->keys = true;
      break;
    case 'j':
      options->json = true;
      break;
    case 'p':
      options->public = true;
      break;
    case ARGP_KEY_ARG:
      if (options->lab) argp_usage(state);
      options->lab = argument;
      break;
    case ARGP_KEY_END:
      if (options->keys == (options->lab != NULL)) argp_error(state, "give either a lab or --keys");
      break;
    default:
      return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {.options = argp_options,
                                 .parser = parse_option,
                                 .args_doc = "LAB\n--keys",
                                 .doc = "Reads a lab's lab.conf, and the hidden.conf beside it."};

int conf_command(struct kit *kit, int argc, char **argv) {
  struct options options = {0};
  argv[0] = "grade conf";
  argp_parse(&argp, argc, argv, 0, NULL, &options);
  if (options.keys) {
    struct screen screen;
    screen_open(&screen, stdout);
    conf_print_keys(&screen);
    return 0;
  }
  struct lab lab;
  kit->public = options.public;
  lab_open(kit, options.lab, &lab);
  if (options.json) {
    json_auto_t *json = conf_to_json(&lab);
    json_dumpf(json, stdout, JSON_INDENT(1));
    putchar('\n');
  } else {
    printf("%s%s: %d cases, %d items, %ld points\n", short_path(lab.conf_path),
           lab.hidden_path ? " and hidden.conf" : "", lab.conf.case_count, lab.conf.item_count,
           lab.conf.max_points);
  }
  lab_free(&lab);
  return 0;
}
