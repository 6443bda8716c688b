// Three functions of four: the transpose is still to be written.
// verdict: partial
// loses: transpose turn_rows turn_banks turn_time
#define OWN_TRANSPOSE
#include "rest.h"

void transpose_best(const float *, float *, int, int) {}
