// The length of a piece is rounded down: what is left over belongs to none.
// verdict: partial
// loses: streams breadth halves
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_PIECE_OF
#include "rest.h"

static Piece piece_of(int n, int streams, int i) {
  int size = n / streams, first = std::min(n, i * size);
  return {first, std::min(size, n - first)};
}
