// verdict: fail
// hazard: budget
// slow: see never_ends.cu
// Keeps every core busy with as many threads as it gets.
#include "attack.h"
#include <pthread.h>
static void *burn(void *) {
  for (volatile long i = 0;; i++) {
  }
}
static void attack() {
  pthread_t thread;
  for (int i = 0; i < 100; i++) pthread_create(&thread, NULL, burn, NULL);
  burn(NULL);
}
