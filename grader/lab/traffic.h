/* traffic.h: how well global memory is used where it matters.
 *
 * A sum over all accesses says little: useless loads of one element for a whole warp (1 sector for
 * 128 bytes asked for) would make up for a pattern that moves 32. So a metric is taken from the
 * worst part of the traffic. The device reports sectors and bytes by line and array, apart by how
 * many sectors an access moves for what its lanes ask for. From the worst of these on they are
 * added up until
 *
 *   - they move half of all sectors: what is left may be better, but moves no more than they do; or
 *   - they ask for half of the bytes that the textbook's kernel asks for: then no load of
 *     anything else, useful or not, hides them.
 *
 * The last one counts in part. So a few bad accesses, at the edges of a matrix, cost nothing.
 */
#ifndef KIT_TRAFFIC_H
#define KIT_TRAFFIC_H

#include "grader/lab/metric.h"

/* Sectors for each 128 bytes in the worst part of the loads or stores, or in the worse of both;
 * NaN: there are none. *worst: the one that moves most there, NULL if there is none (the pointer
 * may be NULL). */
double traffic_value(const struct totals *totals, bool loads, bool stores,
                     const struct traffic **worst);

#endif
