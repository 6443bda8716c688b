/* access_map.c: which banks or sectors the lanes of a warp touch, as a table for a chart. */
#include "grader/show/access_map.h"

#include <stdlib.h>
#include <string.h>

enum { BANK_BYTES = 4, SECTOR_BYTES = 32, LINE_BYTES = 128 };
static const double gap_width = 0.25; /* between sectors that are no neighbours, in sectors */

/* Rounded down, also below 0: an access may start before its array. */
static long floor_div(long a, long b) { return a / b - (a % b < 0); }

/* --- shared memory --- */

static bool is_op(const struct access_record *access, const char *op) {
  return strcmp(access->op, op) == 0;
}

/* Lanes that take one turn: adds their cells. Atomics of one word are served one by one. */
static void take_turn(const struct access_record *access, const struct access_warp *warp,
                      uint32_t lanes, struct bank_map *map) {
  int depth[MAP_BANKS] = {0}, first = map->cell_count, deepest = 0;
  long words[MAP_CELLS];
  for (int lane = 0; lane < MAP_LANES; lane++) {
    if (!(lanes >> lane & 1)) continue;
    long start = access->base + warp->offsets[lane];
    for (long word = floor_div(start, BANK_BYTES);
         word <= floor_div(start + access->bytes - 1, BANK_BYTES); word++) {
      int cell = first;
      while (cell < map->cell_count && (words[cell] != word || is_op(access, "atomic"))) cell++;
      if (cell == map->cell_count) {
        if (cell == MAP_CELLS) continue;
        int bank = (int)(word & (MAP_BANKS - 1));
        map->cells[cell] = (struct bank_cell){.wavefront = depth[bank]++, .bank = bank};
        words[map->cell_count++] = word;
        map->words[bank]++;
        if (depth[bank] > deepest) deepest = depth[bank];
      }
      map->cells[cell].lanes |= 1u << lane;
    }
  }
  int ideal = (map->cell_count - first + MAP_BANKS - 1) / MAP_BANKS;
  for (int cell = first; cell < map->cell_count; cell++) {
    map->cells[cell].extra = map->cells[cell].wavefront >= ideal;
    map->cells[cell].wavefront += map->wavefronts;
  }
  map->wavefronts += deepest;
  map->ideal += ideal;
}

/* Does each of the lanes touch what lane ^ distance touches, if that one is among them? */
static bool lanes_agree(const struct access_warp *warp, uint32_t lanes, int distance) {
  for (int lane = 0; lane < MAP_LANES; lane++) {
    int other = lane ^ distance;
    bool both = lanes >> lane & 1 && lanes >> other & 1;
    if (both && warp->offsets[lane] != warp->offsets[other]) return false;
  }
  return true;
}

void bank_map_make(const struct access_record *access, const struct access_warp *warp,
                   struct bank_map *map) {
  memset(map, 0, sizeof *map);
  int turns = access->bytes > BANK_BYTES ? access->bytes / BANK_BYTES : 1;
  if (turns == 1) {
    take_turn(access, warp, warp->mask, map);
    return;
  }
  int width = MAP_LANES / turns;
  uint32_t turn = (1u << width) - 1;
  for (int t = 0; t < turns; t += 2) {
    uint32_t one = warp->mask & turn << (t * width), two = warp->mask & turn << ((t + 1) * width);
    if (is_op(access, "load") && one && two &&
        (lanes_agree(warp, one | two, 1) || lanes_agree(warp, one | two, 2))) {
      take_turn(access, warp, one | two, map);
    } else {
      take_turn(access, warp, one, map);
      take_turn(access, warp, two, map);
    }
  }
}

/* "7", "0-31", "8x": the lane, the lanes without gaps, or how many. */
static void add_lanes(uint32_t lanes, struct text *table) {
  int count = __builtin_popcount(lanes), first = __builtin_ctz(lanes);
  if (count == 1)
    text_add(table, "%d", first);
  else if ((lanes >> first & ((lanes >> first) + 1)) == 0)
    text_add(table, "%d-%d", first, first + count - 1);
  else
    text_add(table, "%dx", count);
}

static void add_banks(const struct access_record *access, const struct access_warp *warp,
                      struct text *table) {
  static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
  struct bank_map map;
  bank_map_make(access, warp, &map);
  text_add(table, "# wavefront\tbank\tlanes\tlane in one character\textra\n");
  for (int i = 0; i < map.cell_count; i++) {
    const struct bank_cell *cell = &map.cells[i];
    bool alone = (cell->lanes & (cell->lanes - 1)) == 0;
    text_add(table, "%d\t%d\t", cell->wavefront, cell->bank);
    add_lanes(cell->lanes, table);
    text_add(table, "\t%c\t%d\n", alone ? digits[__builtin_ctz(cell->lanes)] : '*', cell->extra);
  }
}

void bank_map_table(const struct access_record *access, struct text *table) {
  freed_by(text_free) struct text rows = {0};
  text_add(table, "# row\tbank\twords\n");
  text_add(&rows, "\n\n# row\twarp\twavefronts\n");
  for (int row = 0; row < access->warp_count; row++) {
    struct bank_map map;
    bank_map_make(access, &access->warps[row], &map);
    for (int bank = 0; bank < MAP_BANKS; bank++)
      if (map.words[bank]) text_add(table, "%d\t%d\t%d\n", row, bank, map.words[bank]);
    text_add(&rows, "%d\t%d\t%d\n", row, access->warps[row].warp, map.wavefronts);
  }
  text_append(table, rows.data, rows.length);
}

/* --- global memory --- */

static int by_offset(const void *a, const void *b) {
  const struct sector *x = a, *y = b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static struct sector *find_sector(struct sector_map *map, long offset) {
  for (int i = 0; i < map->sector_count; i++)
    if (map->sectors[i].offset == offset) return &map->sectors[i];
  return NULL;
}

/* A lane's bytes within one sector. */
struct piece {
  int lane;
  long sector; /* its offset */
  int from, to;
};

/* Fills at most MAP_SECTORS of them, by lane; returns how many. */
static int list_pieces(const struct access_record *access, const struct access_warp *warp,
                       struct piece *pieces) {
  int count = 0;
  for (int lane = 0; lane < MAP_LANES; lane++) {
    if (!(warp->mask >> lane & 1)) continue;
    long at = warp->offsets[lane], end = at + access->bytes;
    while (at < end) {
      long sector = floor_div(at, SECTOR_BYTES) * SECTOR_BYTES, stop = sector + SECTOR_BYTES;
      if (stop > end) stop = end;
      pieces[count++] = (struct piece){lane, sector, (int)(at - sector), (int)(stop - sector)};
      at = stop;
    }
  }
  return count;
}

void sector_map_make(const struct access_record *access, const struct access_warp *warp,
                     struct sector_map *map) {
  struct piece pieces[MAP_SECTORS];
  int count = list_pieces(access, warp, pieces);
  memset(map, 0, sizeof *map);
  for (int i = 0; i < count; i++) {
    struct sector *sector = find_sector(map, pieces[i].sector);
    if (!sector) sector = &map->sectors[map->sector_count++];
    sector->offset = pieces[i].sector;
    for (int byte = pieces[i].from; byte < pieces[i].to; byte++) sector->used |= 1u << byte;
  }
  for (int i = 0; i < map->sector_count; i++)
    map->used_bytes += __builtin_popcount(map->sectors[i].used);
  map->ideal = (map->used_bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
  qsort(map->sectors, (size_t)map->sector_count, sizeof *map->sectors, by_offset);
}

/* "96", "4K", "3M". */
static void add_offset(long offset, struct text *table) {
  const char *unit = "";
  if (offset && offset % (1 << 20) == 0)
    offset >>= 20, unit = "M";
  else if (offset && offset % (1 << 10) == 0)
    offset >>= 10, unit = "K";
  text_add(table, "%ld%s", offset, unit);
}

/* Words of 4 bytes that are used in part or whole. */
static int words_used(const struct sector *sector) {
  int words = 0;
  for (int i = 0; i < SECTOR_BYTES / BANK_BYTES; i++) words += (sector->used >> i * 4 & 15) != 0;
  return words;
}

static void add_sectors(const struct access_record *access, const struct access_warp *warp,
                        struct text *table) {
  struct sector_map map;
  sector_map_make(access, warp, &map);
  double x[MAP_SECTORS] = {0};
  text_add(table, "# sector\tx\toffset\tbefore it\twords used\n");
  for (int i = 0; i < map.sector_count; i++) {
    const struct sector *sector = &map.sectors[i];
    int before = 0;
    if (i > 0) {
      bool next = sector->offset == sector[-1].offset + SECTOR_BYTES;
      before = !next ? 2 : sector->offset % LINE_BYTES == 0 ? 1 : 0;
      x[i] = x[i - 1] + 1 + (before == 2 ? gap_width : 0);
    }
    text_add(table, "%d\t%g\t", i, x[i]);
    add_offset(sector->offset, table);
    text_add(table, "\t%d\t%d\n", before, words_used(sector));
  }
  text_add(table, "\n\n# sector\tx\tlane\tfrom byte\tto byte\n");
  struct piece pieces[MAP_SECTORS];
  int count = list_pieces(access, warp, pieces);
  for (int p = 0; p < count; p++) {
    int i = (int)(find_sector(&map, pieces[p].sector) - map.sectors);
    text_add(table, "%d\t%g\t%d\t%d\t%d\n", i, x[i], pieces[p].lane, pieces[p].from, pieces[p].to);
  }
}

/* --- both --- */

int access_cost(const struct access_record *access, const struct access_warp *warp, int *ideal) {
  if (access->shared) {
    struct bank_map map;
    bank_map_make(access, warp, &map);
    *ideal = map.ideal;
    return map.wavefronts;
  }
  struct sector_map map;
  sector_map_make(access, warp, &map);
  *ideal = map.ideal;
  return map.sector_count;
}

void access_map_table(const struct access_record *access, const struct access_warp *warp,
                      struct text *table) {
  if (access->shared)
    add_banks(access, warp, table);
  else
    add_sectors(access, warp, table);
}
