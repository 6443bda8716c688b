/* hash.cu: calls the batches of mochimodev/cuda-hashing-algos, which have no main(). -DHASH: the
 * function; arguments: bytes of each message, messages. */
#include "config.h"
#include <cstdlib>
#include <vector>
extern "C" {
#ifdef BITS
void HASH(BYTE *in, WORD inlen, BYTE *out, WORD n_outbit, WORD n_batch);
#else
void HASH(BYTE *in, WORD inlen, BYTE *out, WORD n_batch);
#endif
}
int main(int, char **argv) {
  WORD length = atoi(argv[1]), batch = atoi(argv[2]);
  std::vector<BYTE> in((size_t)length * batch), out((size_t)64 * batch);
  for (BYTE &x : in) x = (BYTE)(rand() >> 7);
#ifdef BITS
  HASH(in.data(), length, out.data(), BITS, batch);
#else
  HASH(in.data(), length, out.data(), batch);
#endif
}
