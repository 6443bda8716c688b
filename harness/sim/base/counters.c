/* counters.c: the names of the counters, from the one table in counters.h. */
#include "harness/sim/base/counters.h"

const char *const counter_names[COUNTERS] = {
#define X(name, metric) #name,
    KIT_COUNTERS(X)
#undef X
};
const char *const counter_metrics[COUNTERS] = {
#define X(name, metric) metric,
    KIT_COUNTERS(X)
#undef X
};
