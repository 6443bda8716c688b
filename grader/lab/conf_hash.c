/* conf_hash.c: hashes of what a grade was made with: FNV-1a, as nobody gains by a collision. */
#include "grader/lab/conf_hash.h"

#include <inttypes.h>

#include "grader/base/text.h"

char *conf_hash(const struct lab *lab) {
  return xprintf("%016" PRIx64, lab_hash_conf(lab, HASH_START));
}

char *conf_case_hash(const struct conf *conf, int case_index) {
  const struct case_conf *entry = &conf->cases[case_index];
  const char *function = entry->entry;
  if (!function) function = conf->entry_count ? conf->entries[0] : conf->family->problem->name;
  freed_by(text_free) struct text facts = {0};
  text_add(&facts, "%s\n%s\n%s\n%ld %ld %ld %ld %ld %ld %ld %ld %ld\n", conf->family->problem->name,
           entry->name, function, entry->sets, conf->instruction_budget, conf->copy_budget,
           conf->call_budget, conf->cpu_limit, conf->sleep_limit, conf->memory_limit,
           conf->thread_limit, conf->output_limit);
  for (int i = 0; i < conf->family->problem->dim_count; i++)
    text_add(&facts, "%ld ", entry->dims[i]);
  uint64_t hash = hash_bytes(HASH_START, facts.data, facts.length);
  return xprintf("%016" PRIx64, hash);
}
