/* transfer_pairs.h: which records of two runs' logs belong together. */
#ifndef KIT_TRANSFER_PAIRS_H
#define KIT_TRANSFER_PAIRS_H

#include "grader/run/transfer_records.h"

struct pair {
  const struct transfer *first, *second;
};

static inline bool has_data(const struct pair *pair) {
  return pair->first->data && pair->second->data;
}

struct pairs {
  struct pair *items; /* to be freed */
  size_t count;
};

/* Pairs records that are the same but for their data: in order or, where several host threads ask
 * the device, in the order of each thread. False: not all have a partner; then pairs are those in
 * front of the first that has none. */
bool transfers_pair(const struct transfers *first, const struct transfers *second,
                    struct pairs *pairs);

#endif
