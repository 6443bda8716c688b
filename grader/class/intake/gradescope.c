/* gradescope.c: reads Gradescope's submission_metadata.yml. Its keys are Ruby symbols: ":name". */
#include "grader/class/intake/gradescope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <yaml.h>

#include "grader/base/text.h"

static const char *scalar(yaml_document_t *document, int index) {
  yaml_node_t *node = yaml_document_get_node(document, index);
  return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

/* With or without the colon. */
static yaml_node_t *lookup(yaml_document_t *document, const yaml_node_t *map, const char *key) {
  if (!map || map->type != YAML_MAPPING_NODE) return NULL;
  for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top;
       pair++) {
    const char *name = scalar(document, pair->key);
    if (name && strcmp(name + (*name == ':'), key) == 0)
      return yaml_document_get_node(document, pair->value);
  }
  return NULL;
}

/* A copy without control characters; NULL: empty or not there. */
static char *words(yaml_document_t *document, const yaml_node_t *map, const char *key) {
  yaml_node_t *node = lookup(document, map, key);
  if (!node || node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0) return NULL;
  freed_by(text_free) struct text text = {0};
  text_add_printable(&text, (const char *)node->data.scalar.value, node->data.scalar.length, true);
  return xstrdup(text_get(&text));
}

static void take(yaml_document_t *document, const char *folder, const yaml_node_t *map,
                 struct gradescope_metadata *metadata) {
  struct gradescope_submission *submission = array_add(metadata->submissions, metadata->count);
  *submission = (struct gradescope_submission){.folder = xstrdup(folder),
                                               .created_at = words(document, map, "created_at")};
  yaml_node_t *people = lookup(document, map, "submitters");
  if (!people || people->type != YAML_SEQUENCE_NODE) return;
  yaml_node_item_t *item = people->data.sequence.items.start;
  for (; item < people->data.sequence.items.top; item++) {
    yaml_node_t *person = yaml_document_get_node(document, *item);
    *array_add(submission->people, submission->person_count) =
        (struct gradescope_person){.name = words(document, person, "name"),
                                   .sid = words(document, person, "sid"),
                                   .email = words(document, person, "email")};
  }
}

char *gradescope_read(const char *text, size_t length, struct gradescope_metadata *metadata) {
  *metadata = (struct gradescope_metadata){0};
  yaml_parser_t parser;
  yaml_document_t document;
  if (!yaml_parser_initialize(&parser)) die("out of memory");
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  char *wrong = NULL;
  if (!yaml_parser_load(&parser, &document)) {
    wrong = xprintf("line %zu: %s", parser.problem_mark.line + 1,
                    parser.problem ? parser.problem : "it is not YAML");
  } else {
    yaml_node_t *root = yaml_document_get_root_node(&document);
    if (!root || root->type != YAML_MAPPING_NODE) {
      wrong = xstrdup("it does not list submissions");
    } else {
      for (yaml_node_pair_t *pair = root->data.mapping.pairs.start;
           pair < root->data.mapping.pairs.top; pair++) {
        const char *folder = scalar(&document, pair->key);
        if (folder)
          take(&document, folder, yaml_document_get_node(&document, pair->value), metadata);
      }
    }
    yaml_document_delete(&document);
  }
  yaml_parser_delete(&parser);
  return wrong;
}

void gradescope_free(struct gradescope_metadata *metadata) {
  for (int i = 0; i < metadata->count; i++) {
    struct gradescope_submission *submission = &metadata->submissions[i];
    for (int p = 0; p < submission->person_count; p++)
      free_all(submission->people[p].name, submission->people[p].sid, submission->people[p].email);
    free_all(submission->people, submission->folder, submission->created_at);
  }
  free(metadata->submissions);
  *metadata = (struct gradescope_metadata){0};
}

const struct gradescope_submission *gradescope_find(const struct gradescope_metadata *metadata,
                                                    const char *folder) {
  for (int i = 0; i < metadata->count; i++)
    if (strcmp(metadata->submissions[i].folder, folder) == 0) return &metadata->submissions[i];
  return NULL;
}

long long gradescope_time(const char *words) {
  int year, month, day, hour, minute, second, hours, minutes;
  if (!words ||
      sscanf(words, "%d-%d-%d%*[ T]%d:%d:%d", &year, &month, &day, &hour, &minute, &second) != 6)
    return 0;
  struct tm parts = {.tm_year = year - 1900,
                     .tm_mon = month - 1,
                     .tm_mday = day,
                     .tm_hour = hour,
                     .tm_min = minute,
                     .tm_sec = second};
  long long seconds = (long long)timegm(&parts);
  const char *zone = strlen(words) > 19 ? strpbrk(words + 19, "+-Z") : NULL;
  if (zone && *zone != 'Z' &&
      (sscanf(zone + 1, "%2d:%2d", &hours, &minutes) == 2 ||
       sscanf(zone + 1, "%2d%2d", &hours, &minutes) == 2))
    seconds -= (*zone == '-' ? -60 : 60) * (hours * 60LL + minutes);
  return seconds;
}
