// verdict: fail
// hazard: wrong
// Threads without end, which sleep and are not joined.
#include "attack.h"
#include <pthread.h>
static void *idle(void *) {
  for (;;) sleep(60);
}
static void attack() {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 16384);
  int count = 0;
  pthread_t thread;
  while (count < 20000 && pthread_create(&thread, &small, idle, NULL) == 0) count++;
  if (count >= 10000) succeed("10000 threads");
}
