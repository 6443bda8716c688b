/* direction_numbers.c: packs the numbers of S. Joe and F. Y. Kuo from which the direction vectors
 * of Sobol's sequences follow, for harness/sim/runtime/curand_vectors.c, which reads them.
 *
 *   cc -O2 tests/curand/direction_numbers.c -o pack && ./pack <new-joe-kuo-6.21201 >numbers
 *   diff numbers harness/sim/runtime/joe_kuo.txt
 *
 * The file is at https://web.maths.unsw.edu.au/~fkuo/sobol/ and in many libraries. Its lines are
 * d s a m_1 ... m_s: a dimension, the degree of its primitive polynomial, the coefficients of that
 * between the first and the last, and odd numbers m_i < 2^i. Written, six bits a character, the
 * lowest first, are for each dimension from the second on whether the degree goes up by one, s - 1
 * bits of a, and the i - 1 bits of m_i above its lowest. */
#include <stdio.h>

enum { DIMENSIONS = 20000, WIDTH = 100 };

static unsigned pending, pending_bits, column;

static void put(unsigned value, int bits) {
  for (int i = 0; i < bits; i++) {
    pending |= (value >> i & 1) << pending_bits++;
    if (pending_bits < 6) continue;
    putchar('0' + (int)pending);
    pending = pending_bits = 0;
    if (++column % WIDTH == 0) putchar('\n');
  }
}

static const char notice[] =
    "# joe_kuo.txt: the direction numbers new-joe-kuo-6.21201 for 20,000 dimensions, as packed by\n"
    "# tests/curand/direction_numbers.c. S. Joe, F. Y. Kuo: Constructing Sobol sequences with "
    "better\n"
    "# two-dimensional projections (SIAM J. Sci. Comput. 30, 2008).\n"
    "#\n"
    "# Copyright (c) 2008, Frances Y. Kuo and Stephen Joe. All rights reserved.\n"
    "# Redistribution and use in source and binary forms, with or without modification, are\n"
    "# permitted provided that the following conditions are met: redistributions of source code "
    "must\n"
    "# retain the above copyright notice, this list of conditions and the following disclaimer;\n"
    "# redistributions in binary form must reproduce them in the documentation and/or other "
    "materials\n"
    "# provided with the distribution; neither the names of the copyright holders nor the names "
    "of\n"
    "# the University of New South Wales and the University of Waikato and its contributors may "
    "be\n"
    "# used to endorse or promote products derived from this software without specific prior "
    "written\n"
    "# permission.\n"
    "# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS \"AS IS\" AND ANY EXPRESS OR IMPLIED\n"
    "# WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND\n"
    "# FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDERS "
    "BE\n"
    "# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES\n"
    "# (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,\n"
    "# DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,\n"
    "# WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING "
    "IN\n"
    "# ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH "
    "DAMAGE.\n";

int main(void) {
  char heading[100];
  unsigned dimension, degree, before = 1, a, m;
  if (!fgets(heading, sizeof heading, stdin)) return 1;
  fputs(notice, stdout);
  while (scanf("%u %u %u", &dimension, &degree, &a) == 3) {
    if (dimension <= DIMENSIONS) {
      if (degree < before || degree > before + 1) return 1;
      put(degree - before, 1);
      put(a, (int)degree - 1);
    }
    for (unsigned i = 1; i <= degree; i++) {
      if (scanf("%u", &m) != 1 || m % 2 == 0 || m >> i) return 1;
      if (dimension <= DIMENSIONS) put(m >> 1, (int)i - 1);
    }
    before = degree;
  }
  put(0, (6 - (int)pending_bits) % 6);
  putchar('\n');
  return ferror(stdout) || fflush(stdout) || dimension < DIMENSIONS;
}
