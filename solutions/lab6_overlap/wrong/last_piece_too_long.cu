// Every piece is as long as the first, whatever is left.
// verdict: partial
// loses: streams breadth hazards
// may-lose: halves checked leaks
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
  int size = (n + streams - 1) / streams, first = std::min(n, i * size);
  return {first, size};
}
