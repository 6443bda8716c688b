/* cuda_occupancy.h: Thrust includes it and calls nothing of it. What its calculator would return,
 * the runtime's cudaOccupancy... functions do. */
#include "cuda_runtime_api.h"
