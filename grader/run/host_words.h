/* host_words.h: the words that the host was given by the device, and those of them that it sends
 * back: what two runs have at the same place is the same word, whatever its values. */
#ifndef KIT_HOST_WORDS_H
#define KIT_HOST_WORDS_H

#include "grader/run/transfer_pairs.h"

/* A copy of shorter runs of neighbours than a sector has floats rearranges elements. */
enum { RUN_WORDS = 8 };

struct host_words;

/* For the copies among these pairs. */
struct host_words *host_words_new(const struct pairs *pairs);
void host_words_free(struct host_words *words);

/* A copy to the host. */
void host_words_receive(struct host_words *words, const struct pair *pair);
/* A copy to the device. Returns how many of its words are none that the host was given, nor the
 * same in both runs; adds to *moved_short those that are moved in runs of less than RUN_WORDS. */
size_t host_words_send(struct host_words *words, const struct pair *pair, size_t *moved_short);

/* Of so many words, the first of which has this origin (and, if that is the number of a word that
 * came in, the others the next numbers): how many a kernel wrote, or were copied from such. */
size_t host_words_count_computed(const struct host_words *words, uint64_t origin, size_t count);

#endif
