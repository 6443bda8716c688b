/* access_map.h: where one access of a warp falls: on the banks of shared memory and their
 * wavefronts, or on the sectors of global memory; and the tables that plots/access_map.gp and
 * plots/bank_map.gp draw of it.
 *
 * The rules are those that the simulator counts by (harness/sim/exec/access.c): a bank is 4 bytes
 * wide and serves one word a wavefront, to any number of lanes. Lanes of 8 or 16 bytes take their
 * turns as halves or quarters of the warp, two turns in one if the lanes in pairs load the same. */
#ifndef KIT_ACCESS_MAP_H
#define KIT_ACCESS_MAP_H

#include "grader/base/text.h"
#include "grader/run/report.h"

enum { MAP_LANES = 32, MAP_BANKS = 32, MAP_CELLS = MAP_LANES * 4, MAP_SECTORS = MAP_LANES * 2 };

/* A word that a bank serves. */
struct bank_cell {
  int wavefront, bank;
  uint32_t lanes;
  bool extra; /* later than if the words were spread over all banks */
};

struct bank_map {
  struct bank_cell cells[MAP_CELLS]; /* by turn, then by the first lane */
  int cell_count;
  int words[MAP_BANKS]; /* of each bank */
  int wavefronts;
  int ideal; /* wavefronts, were the words spread over all banks */
};

/* 32 bytes that are moved whole. */
struct sector {
  long offset;   /* in the array */
  uint32_t used; /* a bit for each byte */
};

struct sector_map {
  struct sector sectors[MAP_SECTORS]; /* by offset */
  int sector_count;
  int used_bytes;
  int ideal; /* sectors, were the used bytes neighbours */
};

void bank_map_make(const struct access_record *access, const struct access_warp *warp,
                   struct bank_map *map);
void sector_map_make(const struct access_record *access, const struct access_warp *warp,
                     struct sector_map *map);

/* The wavefronts or sectors of a warp; *ideal: how many would do. */
int access_cost(const struct access_record *access, const struct access_warp *warp, int *ideal);

/* The warp's table for plots/access_map.gp. */
void access_map_table(const struct access_record *access, const struct access_warp *warp,
                      struct text *table);
/* All warps' table for plots/bank_map.gp. */
void bank_map_table(const struct access_record *access, struct text *table);

#endif
