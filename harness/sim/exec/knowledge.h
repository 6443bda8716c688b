/* knowledge.h: what a thread knows of the others' pasts: for each thread that has ever released
 * something, how many of its releases lie before this moment. A vector clock, in other words.
 *
 * Values are immutable and shared: the cost of joining two is that of where they differ. A tree of
 * 64-way nodes, three levels high.
 */
#ifndef KIT_KNOWLEDGE_H
#define KIT_KNOWLEDGE_H

#include <stdint.h>

enum { KNOWLEDGE_SLOTS = 64 * 64 * 64 };

struct knowledge; /* NULL: nothing is known */

struct knowledge *knowledge_keep(struct knowledge *knowledge);
void knowledge_drop(struct knowledge *knowledge);
/* The number of known releases of the thread with this slot. */
uint32_t knowledge_count(const struct knowledge *knowledge, uint32_t slot);
/* Return new values, which the caller drops; the arguments keep their owners. A failed allocation
 * loses knowledge and sets *failed. */
struct knowledge *knowledge_with(struct knowledge *knowledge, uint32_t slot, uint32_t count,
                                 int *failed);
struct knowledge *knowledge_join(struct knowledge *a, struct knowledge *b, int *failed);

#endif
