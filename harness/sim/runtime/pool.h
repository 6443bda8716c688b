/* pool.h: memory pools: who allocated how much in stream order (runtime_pool.c). */
#ifndef KIT_POOL_H
#define KIT_POOL_H

/* An array was freed. Does nothing for one of no pool. */
void pool_forget(const void *pointer);

#endif
