// gone SIGNAL: the simulated device ends by a signal while the program still needs it.
#include <csignal>
#include <cstdio>
#include <cstdlib>
int main(int, char **argument) {
  int device = 0;
  cudaFree(nullptr);
  FILE *children = fopen("/proc/thread-self/children", "r");
  if (!children || fscanf(children, "%d", &device) != 1) return 1;
  kill(device, atoi(argument[1]));
  cudaDeviceSynchronize();
}
