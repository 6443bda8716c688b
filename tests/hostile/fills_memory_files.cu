// verdict: fail
// hazard: wrong
// slow: see uses_the_kernel.cu
// Memory that no limit of a process counts: memory files, System V segments, message queues, shared memory.
#include "attack.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/shm.h>
static void attack() {
  for (int i = 0; i < 200; i++) {
    int fd = memfd_create("kit-hostile", 0);
    if (fd >= 0 && fallocate(fd, 0, 0, 32 << 20) == 0) succeed("a memory file");
    int segment = shmget(IPC_PRIVATE, 32 << 20, IPC_CREAT | 0600);
    if (segment >= 0) succeed("a segment");
    if (msgget(IPC_PRIVATE, IPC_CREAT | 0600) >= 0) succeed("a queue");
    char name[64];
    snprintf(name, sizeof name, "/dev/shm/kit-hostile-%d", i);
    if (open(name, O_RDWR | O_CREAT, 0600) >= 0) succeed("/dev/shm");
  }
}
