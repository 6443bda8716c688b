/* list_command.c: ./grade list, ./grade gpus. */
#include "grader/commands/commands.h"
#include "grader/lab/gpus.h"
#include "grader/show/show.h"

int list_labs(const struct kit *kit) {
  enum { INDENT = 8 };
  struct screen screen;
  screen_open(&screen, stdout);
  char **ids = lab_ids(kit, NULL);
  for (char **id = ids; *id; id++) {
    struct lab lab;
    lab_open(kit, *id, &lab);
    const struct conf *conf = &lab.conf;
    freed_by(text_free) struct text facts = {0};
    text_add(&facts, "%ld points", conf->max_points);
    if (conf->minutes) text_add(&facts, ", %ld minutes", conf->minutes);
    for (int i = 0; i < conf->after_count; i++)
      text_add(&facts, "%s%s", i ? ", " : ", after ", conf->after[i]);
    screen_line(&screen, BOLD, "%-*s%s", INDENT, lab.id, conf->title);
    if (conf->teaches) screen_wrap(&screen, PLAIN, INDENT, "        ", conf->teaches);
    screen_line(&screen, DIM, "%*s%s: %s", INDENT, "", short_path(lab.source), text_get(&facts));
    lab_free(&lab);
  }
  lab_free_ids(ids);
  return 0;
}

int list_gpus(const struct kit *kit) {
  struct screen screen;
  screen_open(&screen, stdout);
  gpus_print(&screen, kit);
  return 0;
}

void use_gpu(const struct kit *kit, const char *name) { gpus_select(kit, name); }
