/* hold.h: HOLD(&lock) holds a mutex until the end of the block. */
#ifndef KIT_HOLD_H
#define KIT_HOLD_H

#include <pthread.h>

static inline pthread_mutex_t *hold_lock(pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  return lock;
}

static inline void hold_unlock(pthread_mutex_t **lock) { pthread_mutex_unlock(*lock); }

#define HOLD(lock) \
  __attribute__((cleanup(hold_unlock), unused)) pthread_mutex_t *held = hold_lock(lock)

#endif
