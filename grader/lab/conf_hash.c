/* conf_hash.c: see conf_hash.h. */
#include "conf_hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static uint64_t hash_file(uint64_t hash, const char *path) {
  size_t length;
  char *text = file_read(path, &length);
  if (!text) return hash;
  hash = hash_bytes(hash, text, length);
  free(text);
  return hash;
}

char *conf_hash(const struct lab *lab) {
  uint64_t hash = hash_file(HASH_START, lab->conf_path);
  const char *slash = strrchr(lab->conf_path, '/');
  char *hidden = xprintf("%.*s/hidden.conf", (int)(slash - lab->conf_path), lab->conf_path);
  hash = hash_file(hash, hidden);
  free(hidden);
  return xprintf("%016" PRIx64, hash);
}

char *conf_case_hash(const struct conf *conf, int case_index) {
  const struct case_conf *entry = &conf->cases[case_index];
  const char *function = entry->entry;
  if (!function) function = conf->entry_count ? conf->entries[0] : conf->problem->name;
  struct text facts = {0};
  text_add(&facts, "%s\n%s\n%s\n%ld %ld %ld\n", conf->problem->name, entry->name, function,
           entry->sets, conf->time_limit, conf->memory_limit);
  for (int i = 0; i < conf->problem->dim_count; i++) text_add(&facts, "%ld ", entry->dims[i]);
  uint64_t hash = hash_bytes(HASH_START, facts.data, facts.length);
  text_free(&facts);
  return xprintf("%016" PRIx64, hash);
}
