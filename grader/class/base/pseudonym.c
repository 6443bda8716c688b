/* pseudonym.c: a keyed hash chooses two words; see pseudonym.h. */
#include "grader/class/base/pseudonym.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "grader/base/text.h"

/* Words that praise and mock nobody: stones, colours, weather; birds, trees, water. */
static const char *const first_words[] = {
    "Agate",    "Amber",    "Ashen",   "Autumn",   "Azure",   "Beryl",    "Boreal",   "Breezy",
    "Bronze",   "Cedar",    "Citrine", "Clay",     "Cloudy",  "Cobalt",   "Copper",   "Coral",
    "Cosmic",   "Crimson",  "Crystal", "Dawn",     "Desert",  "Dewy",     "Dusky",    "Eastern",
    "Ebony",    "Ember",    "Evening", "Fern",     "Flint",   "Forest",   "Frosty",   "Garnet",
    "Gilded",   "Ginger",   "Golden",  "Granite",  "Hazel",   "Highland", "Indigo",   "Inland",
    "Iron",     "Island",   "Ivory",   "Jade",     "Jasper",  "Lilac",    "Linden",   "Lunar",
    "Maple",    "Marble",   "Meadow",  "Midnight", "Misty",   "Monsoon",  "Morning",  "Mossy",
    "Northern", "Ochre",    "Olive",   "Onyx",     "Opal",    "Orchid",   "Pearl",    "Pebble",
    "Pine",     "Polar",    "Quartz",  "Rainy",    "Russet",  "Saffron",  "Sandy",    "Sapphire",
    "Scarlet",  "Sienna",   "Silver",  "Slate",    "Snowy",   "Solar",    "Southern", "Spring",
    "Starry",   "Stone",    "Summer",  "Sunny",    "Tawny",   "Teal",     "Timber",   "Topaz",
    "Tropic",   "Twilight", "Umber",   "Velvet",   "Verdant", "Violet",   "Western",  "Winter",
};
static const char *const second_words[] = {
    "Acacia",     "Albatross",  "Alder",   "Aspen",   "Avocet",   "Badger",    "Banyan",
    "Bay",        "Beaver",     "Beech",   "Bison",   "Birch",    "Bittern",   "Brook",
    "Bunting",    "Canyon",     "Caribou", "Condor",  "Coot",     "Cormorant", "Cove",
    "Crane",      "Creek",      "Curlew",  "Cypress", "Delta",    "Dipper",    "Dolphin",
    "Dove",       "Dune",       "Eagle",   "Egret",   "Elder",    "Elk",       "Elm",
    "Falcon",     "Finch",      "Fjord",   "Gannet",  "Gecko",    "Glacier",   "Goldfinch",
    "Grebe",      "Gull",       "Harbour", "Harrier", "Hawk",     "Hawthorn",  "Heron",
    "Hickory",    "Hoopoe",     "Ibex",    "Ibis",    "Iris",     "Jackdaw",   "Juniper",
    "Kestrel",    "Kingfisher", "Kite",    "Lagoon",  "Lake",     "Lapwing",   "Larch",
    "Lark",       "Laurel",     "Linnet",  "Lotus",   "Lynx",     "Magnolia",  "Magpie",
    "Marten",     "Merlin",     "Mesa",    "Myrtle",  "Nightjar", "Oak",       "Ocelot",
    "Oriole",     "Osprey",     "Otter",   "Panda",   "Pelican",  "Petrel",    "Pipit",
    "Plover",     "Poplar",     "Puffin",  "Puma",    "Quail",    "Raven",     "Reef",
    "Ridge",      "River",      "Robin",   "Rowan",   "Sable",    "Salmon",    "Sequoia",
    "Shearwater", "Siskin",     "Skylark", "Snipe",   "Sparrow",  "Spruce",    "Starling",
    "Stork",      "Summit",     "Swallow", "Swan",    "Swift",    "Sycamore",  "Tamarind",
    "Tern",       "Thistle",    "Thrush",  "Tundra",  "Valley",   "Wagtail",   "Walnut",
    "Warbler",    "Waxwing",    "Wetland", "Willow",  "Wombat",   "Woodlark",  "Wren",
    "Yarrow",     "Yew",
};
enum {
  FIRST_WORDS = sizeof first_words / sizeof *first_words,
  SECOND_WORDS = sizeof second_words / sizeof *second_words,
  TRIES = 64, /* choices among the words alone; then a number is added */
};

/* --- SipHash-2-4 --- */

static uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static void mix(uint64_t v[4], int rounds) {
  for (int i = 0; i < rounds; i++) {
    v[0] += v[1], v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0], v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1], v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2], v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
  }
}

/* Up to 8 bytes, the lowest first. */
static uint64_t little_endian(const uint8_t *bytes, size_t length) {
  uint64_t word = 0;
  for (size_t i = 0; i < length; i++) word |= (uint64_t)bytes[i] << (8 * i);
  return word;
}

uint64_t pseudonym_hash(const uint8_t key[PSEUDONYM_KEY], const void *bytes, size_t length) {
  const uint8_t *s = bytes;
  uint64_t k0 = little_endian(key, 8), k1 = little_endian(key + 8, 8);
  uint64_t v[4] = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
                   k1 ^ 0x7465646279746573u};
  size_t whole = length / 8 * 8;
  for (size_t i = 0; i <= whole; i += 8) {
    uint64_t word = i < whole ? little_endian(s + i, 8)
                              : little_endian(s + i, length - whole) | (uint64_t)length << 56;
    v[3] ^= word;
    mix(v, 2);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  mix(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

char *pseudonym_make(const uint8_t key[PSEUDONYM_KEY], const char *student, unsigned taken) {
  char *message = xprintf("%u %s", taken < TRIES ? taken : 0, student);
  uint64_t hash = pseudonym_hash(key, message, strlen(message));
  free(message);
  const char *first = first_words[hash % FIRST_WORDS],
             *second = second_words[hash / FIRST_WORDS % SECOND_WORDS];
  return taken < TRIES ? xprintf("%s %s", first, second)
                       : xprintf("%s %s %u", first, second, taken - TRIES + 2);
}

/* --- the gradebook --- */

static const char key_name[] = "pseudonym_key";

/* The gradebook's key, drawn now if it has none. */
static void find_key(struct gradebook *book, uint8_t key[PSEUDONYM_KEY]) {
  char *hex = gradebook_meta(book, key_name);
  if (!hex) {
    if (getrandom(key, PSEUDONYM_KEY, 0) != PSEUDONYM_KEY) die("the machine has no random numbers");
    hex = xcalloc(2 * PSEUDONYM_KEY + 1, 1);
    for (int i = 0; i < PSEUDONYM_KEY; i++) snprintf(hex + 2 * i, 3, "%02x", key[i]);
    gradebook_set_meta(book, key_name, hex);
  }
  bool good = strlen(hex) == 2 * PSEUDONYM_KEY;
  for (int i = 0; i < PSEUDONYM_KEY && good; i++)
    good = sscanf(hex + 2 * (size_t)i, "%2" SCNx8, &key[i]) == 1;
  if (!good)
    die("gradebook %s: meta '%s' is damaged; remove the row to draw another", book->path, key_name);
  free(hex);
}

/* The students without a pseudonym, in the order of their ids; the caller's. */
static char **find_nameless(struct gradebook *book, int *count) {
  char **ids = NULL;
  *count = 0;
  sqlite3_stmt *rows = gradebook_query(
      book, "SELECT id FROM student WHERE ifnull(pseudonym, '') = '' ORDER BY id", "");
  while (gradebook_next(book, rows)) {
    ids = xrealloc(ids, (size_t)(*count + 1) * sizeof *ids);
    ids[(*count)++] = xstrdup((const char *)sqlite3_column_text(rows, 0));
  }
  sqlite3_finalize(rows);
  return ids;
}

static bool is_taken(struct gradebook *book, const char *pseudonym) {
  return gradebook_number(book, 0, "SELECT 1 FROM temp.taken WHERE pseudonym = ?1", "s",
                          pseudonym) == 1;
}

void pseudonym_assign(struct gradebook *book) {
  uint8_t key[PSEUDONYM_KEY];
  gradebook_begin(book);
  find_key(book, key);
  int count;
  char **ids = find_nameless(book, &count);
  gradebook_run(book, "CREATE TEMP TABLE taken (pseudonym TEXT PRIMARY KEY)", "");
  gradebook_run(book,
                "INSERT OR IGNORE INTO temp.taken SELECT pseudonym FROM student"
                " WHERE pseudonym IS NOT NULL",
                "");
  for (int i = 0; i < count; i++) {
    unsigned taken = 0;
    char *pseudonym = pseudonym_make(key, ids[i], taken);
    while (is_taken(book, pseudonym)) {
      free(pseudonym);
      pseudonym = pseudonym_make(key, ids[i], ++taken);
    }
    gradebook_run(book, "INSERT INTO temp.taken VALUES (?1)", "s", pseudonym);
    gradebook_run(book, "UPDATE student SET pseudonym = ?1 WHERE id = ?2", "ss", pseudonym, ids[i]);
    free(pseudonym);
    free(ids[i]);
  }
  free(ids);
  gradebook_run(book, "DROP TABLE temp.taken", "");
  gradebook_commit(book);
}
