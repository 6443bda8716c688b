// The same fast kernel in every step: nobody has to be slow on purpose.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_CONFLICTS
#define OWN_SUM_SEQUENTIAL
#define OWN_SUM_FIRST_ADD
#define OWN_SUM_SHUFFLES
#include "rest.h"

void sum_conflicts(const float *in, float *out, int n) { sum_many(in, out, n); }
void sum_sequential(const float *in, float *out, int n) { sum_many(in, out, n); }
void sum_first_add(const float *in, float *out, int n) { sum_many(in, out, n); }
void sum_shuffles(const float *in, float *out, int n) { sum_many(in, out, n); }
