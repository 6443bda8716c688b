/* mandelbrot.cu: calls nvanderw/mandelbrot-cuda, a library. Arguments: pixels a side, iterations. */
#include <cstdlib>
extern "C" float *create_mandelbrot(int, int, float, float, float, float, int);
int main(int, char **argv) {
  return !create_mandelbrot(atoi(argv[1]), atoi(argv[1]), -2, -1.5, 1, 1.5, atoi(argv[2]));
}
