/* pseudonym.c: chooses two words for a student by a keyed hash. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/class/base/gradebook.h"

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

char *pseudonym_make(const uint8_t key[SIPHASH_KEY], const char *student, unsigned taken) {
  autofree char *message = xprintf("%u %s", taken < TRIES ? taken : 0, student);
  uint64_t hash = siphash(key, message, strlen(message));
  const char *first = first_words[hash % FIRST_WORDS],
             *second = second_words[hash / FIRST_WORDS % SECOND_WORDS];
  return taken < TRIES ? xprintf("%s %s", first, second)
                       : xprintf("%s %s %u", first, second, taken - TRIES + 2);
}

/* --- the gradebook --- */

static const char key_name[] = "pseudonym_key";

/* The gradebook's key, drawn now if it has none. */
static void find_key(struct gradebook *book, uint8_t key[SIPHASH_KEY]) {
  char *hex = gradebook_meta(book, key_name);
  if (!hex) {
    random_bytes(key, SIPHASH_KEY);
    hex = xcalloc(2 * SIPHASH_KEY + 1, 1);
    for (int i = 0; i < SIPHASH_KEY; i++) snprintf(hex + 2 * i, 3, "%02x", key[i]);
    gradebook_set_meta(book, key_name, hex);
  }
  bool valid = strlen(hex) == 2 * SIPHASH_KEY;
  for (int i = 0; i < SIPHASH_KEY && valid; i++)
    valid = sscanf(hex + 2 * (size_t)i, "%2" SCNx8, &key[i]) == 1;
  if (!valid)
    die("gradebook %s: meta '%s' is damaged; remove the row to draw another", book->path, key_name);
  free(hex);
}

/* The first choice that nobody has. */
static void give(struct gradebook *book, const uint8_t key[SIPHASH_KEY], const char *student) {
  bool fresh = false;
  for (unsigned taken = 0; !fresh; taken++) {
    autofree char *pseudonym = pseudonym_make(key, student, taken);
    gradebook_run(book, "INSERT OR IGNORE INTO temp.taken VALUES (?1)", "s", pseudonym);
    fresh = sqlite3_changes(book->db) > 0;
    if (fresh)
      gradebook_run(book, "UPDATE student SET pseudonym=?1 WHERE id=?2", "ss", pseudonym, student);
  }
}

void pseudonym_assign(struct gradebook *book) {
  uint8_t key[SIPHASH_KEY];
  gradebook_begin(book);
  find_key(book, key);
  gradebook_run(book, "CREATE TEMP TABLE taken (pseudonym TEXT PRIMARY KEY)", "");
  gradebook_run(book,
                "INSERT OR IGNORE INTO temp.taken SELECT pseudonym FROM student"
                " WHERE pseudonym IS NOT NULL",
                "");
  sqlite3_stmt *rows = gradebook_query(
      book, "SELECT id FROM student WHERE ifnull(pseudonym, '') = '' ORDER BY id", "");
  while (row_next(rows)) give(book, key, row_text(rows, 0));
  gradebook_run(book, "DROP TABLE temp.taken", "");
  gradebook_commit(book);
}
