/* test_grader_picture.c: where a warp's lanes fall on banks, wavefronts and sectors, worked out by
 * hand; which accesses of a grade are shown, and in which words; charts of hostile words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/sandbox/process.h"
#include "grader/show/access_map.h"
#include "grader/show/chart.h"
#include "grader/show/picture.h"

static struct access_warp warp;

static struct access_record access_of(bool shared, const char *op, int bytes) {
  return (struct access_record){.line = 7,
                                .shared = shared,
                                .op = (char *)(uintptr_t)op,
                                .array = (char *)(uintptr_t) "tile",
                                .bytes = bytes,
                                .array_bytes = 4096,
                                .warps = &warp,
                                .warp_count = 1};
}

/* Lane l touches start + l * step. */
static void lanes_at(long start, long step) {
  warp = (struct access_warp){.mask = 0xffffffff};
  for (int lane = 0; lane < 32; lane++) warp.offsets[lane] = start + lane * step;
}

static struct bank_map banks(bool load, int bytes) {
  struct access_record access = access_of(true, load ? "load" : "store", bytes);
  struct bank_map map;
  bank_map_make(&access, &warp, &map);
  return map;
}

static void expect_cell(const struct bank_cell *cell, int wavefront, int bank, uint32_t lanes,
                        bool extra) {
  assert_int_equal(cell->wavefront, wavefront);
  assert_int_equal(cell->bank, bank);
  assert_int_equal(cell->lanes, lanes);
  assert_int_equal(cell->extra, extra);
}

/* float tile[32][32], lane x reads tile[x][5]: 32 words of bank 5, one a wavefront. */
static void test_column(void **state) {
  (void)state;
  lanes_at(5 * 4, 32 * 4);
  struct bank_map map = banks(true, 4);
  assert_int_equal(map.wavefronts, 32);
  assert_int_equal(map.ideal, 1);
  assert_int_equal(map.cell_count, 32);
  for (int i = 0; i < 32; i++) expect_cell(&map.cells[i], i, 5, 1u << i, i > 0);
  assert_int_equal(map.words[5], 32);
  assert_int_equal(map.words[4], 0);
}

/* float tile[32][33]: lane x finds tile[x][5] in bank (33 x + 5) mod 32 = (x + 5) mod 32. */
static void test_padded_column(void **state) {
  (void)state;
  lanes_at(5 * 4, 33 * 4);
  struct bank_map map = banks(true, 4);
  assert_int_equal(map.wavefronts, 1);
  assert_int_equal(map.ideal, 1);
  for (int i = 0; i < 32; i++) expect_cell(&map.cells[i], 0, (i + 5) % 32, 1u << i, false);
}

/* Every second word: lanes i and i + 16 share a bank. */
static void test_stride_two(void **state) {
  (void)state;
  lanes_at(0, 8);
  struct bank_map map = banks(true, 4);
  assert_int_equal(map.wavefronts, 2);
  expect_cell(&map.cells[3], 0, 6, 1u << 3, false);
  expect_cell(&map.cells[19], 1, 6, 1u << 19, true);
}

/* An array that starts 64 bytes after a multiple of 128 starts in bank 16. */
static void test_base(void **state) {
  (void)state;
  lanes_at(0, 4);
  struct access_record access = access_of(true, "load", 4);
  access.base = 64;
  struct bank_map map;
  bank_map_make(&access, &warp, &map);
  assert_int_equal(map.wavefronts, 1);
  assert_int_equal(map.cells[0].bank, 16);
  assert_int_equal(map.cells[15].bank, 31);
  assert_int_equal(map.cells[16].bank, 0);
}

static void test_one_word_for_many(void **state) {
  (void)state;
  lanes_at(40, 0);
  struct bank_map map = banks(true, 4);
  assert_int_equal(map.cell_count, 1);
  expect_cell(&map.cells[0], 0, 10, 0xffffffff, false);
  lanes_at(0, 1); /* bytes: four lanes a word */
  map = banks(true, 1);
  assert_int_equal(map.wavefronts, 1);
  assert_int_equal(map.cell_count, 8);
  expect_cell(&map.cells[2], 0, 2, 0xf00, false);
  /* Atomics on one word come one after the other. */
  lanes_at(40, 0);
  struct access_record access = access_of(true, "atomic", 4);
  bank_map_make(&access, &warp, &map);
  assert_int_equal(map.wavefronts, 32);
  assert_int_equal(map.ideal, 1);
  expect_cell(&map.cells[31], 31, 10, 1u << 31, true);
}

/* 8 bytes a lane go by halves, 16 by quarters of the warp. A row of float4 is 128 words: 4
 * wavefronts. One float4 for all lanes is 2 to load (two quarters agree) and 4 to store. */
static void test_wide(void **state) {
  (void)state;
  lanes_at(0, 8);
  struct bank_map map = banks(true, 8);
  assert_int_equal(map.wavefronts, 2);
  assert_int_equal(map.ideal, 2);
  expect_cell(&map.cells[0], 0, 0, 1, false);
  expect_cell(&map.cells[1], 0, 1, 1, false);
  expect_cell(&map.cells[32], 1, 0, 1u << 16, false);
  lanes_at(0, 16);
  map = banks(true, 16);
  assert_int_equal(map.wavefronts, 4);
  assert_int_equal(map.ideal, 4);
  assert_int_equal(map.cell_count, 128);
  expect_cell(&map.cells[127], 3, 31, 1u << 31, false);
  lanes_at(0, 0);
  assert_int_equal(banks(true, 16).wavefronts, 2);
  assert_int_equal(banks(false, 16).wavefronts, 4);
  /* A column of float4, rows of 32 floats: 8 lanes of a quarter meet in the same 4 banks. */
  lanes_at(0, 128);
  map = banks(true, 16);
  assert_int_equal(map.wavefronts, 32);
  assert_int_equal(map.ideal, 4);
  expect_cell(&map.cells[8 * 4], 8, 0, 1u << 8, false); /* the second quarter's first */
  expect_cell(&map.cells[9 * 4], 9, 0, 1u << 9, true);
}

static void test_inactive_lanes(void **state) {
  (void)state;
  lanes_at(0, 128);
  warp.mask = 0x5; /* lanes 0 and 2 */
  struct bank_map map = banks(true, 4);
  assert_int_equal(map.cell_count, 2);
  assert_int_equal(map.wavefronts, 2);
  assert_int_equal(map.cells[1].lanes, 4);
}

static struct sector_map sectors(int bytes) {
  struct access_record access = access_of(false, "load", bytes);
  struct sector_map map;
  sector_map_make(&access, &warp, &map);
  return map;
}

static void test_sectors(void **state) {
  (void)state;
  lanes_at(0, 4); /* a row: 128 bytes, all of 4 sectors */
  struct sector_map map = sectors(4);
  assert_int_equal(map.sector_count, 4);
  assert_int_equal(map.ideal, 4);
  assert_int_equal(map.used_bytes, 128);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(map.sectors[i].offset, 32 * i);
    assert_int_equal(map.sectors[i].used, 0xffffffff);
  }
  lanes_at(4, 4); /* the same, one float on: lane 31 needs a sector of its own */
  map = sectors(4);
  assert_int_equal(map.sector_count, 5);
  assert_int_equal(map.ideal, 4);
  assert_int_equal(map.sectors[0].used, 0xfffffff0);
  assert_int_equal(map.sectors[4].used, 0xf);
  lanes_at(12, 4096); /* a column of a 1024-wide matrix */
  map = sectors(4);
  assert_int_equal(map.sector_count, 32);
  assert_int_equal(map.ideal, 4);
  assert_int_equal(map.sectors[2].offset, 8192);
  assert_int_equal(map.sectors[2].used, 0xf000);
  lanes_at(100, 0); /* one word for all */
  map = sectors(4);
  assert_int_equal(map.sector_count, 1);
  assert_int_equal(map.ideal, 1);
  assert_int_equal(map.used_bytes, 4);
  assert_int_equal(map.sectors[0].offset, 96);
  lanes_at(0, 16); /* float4: 512 bytes */
  assert_int_equal(sectors(16).sector_count, 16);
  lanes_at(-4, -4); /* before the array, from the end to the beginning */
  map = sectors(4);
  assert_int_equal(map.sector_count, 4);
  assert_int_equal(map.sectors[0].offset, -128);
  assert_int_equal(map.sectors[3].offset, -32);
}

static void expect_in(const char *part, const char *whole) {
  if (!strstr(whole, part)) fail_msg("there is no '%s' in:\n%s", part, whole);
}

static void test_tables(void **state) {
  (void)state;
  struct text table = {0};
  struct access_record access = access_of(true, "load", 4);
  lanes_at(0, 128);
  access_map_table(&access, &warp, &table);
  expect_in("\n0\t0\t0\t0\t0\n1\t0\t1\t1\t1\n", table.data);
  expect_in("\n31\t0\t31\tv\t1\n", table.data);
  text_free(&table);
  lanes_at(40, 0);
  access_map_table(&access, &warp, &table);
  expect_in("\n0\t10\t0-31\t*\t0\n", table.data);
  text_free(&table);
  warp.mask = 0x11;
  access_map_table(&access, &warp, &table);
  expect_in("\n0\t10\t2x\t*\t0\n", table.data);
  text_free(&table);
  lanes_at(0, 132);
  warp.warp = 3;
  bank_map_table(&access, &table);
  expect_in("\n0\t31\t1\n", table.data);
  expect_in("\n0\t3\t1\n", table.data); /* row 0 is warp 3, 1 wavefront */
  text_free(&table);
  /* Two rows of 16 floats, 4 KiB apart: sectors 0 and 1, a gap of a quarter, then two more. */
  access = access_of(false, "load", 4);
  warp = (struct access_warp){.mask = 0xffffffff};
  for (int lane = 0; lane < 32; lane++) warp.offsets[lane] = lane / 16 * 4096 + lane % 16 * 4;
  access_map_table(&access, &warp, &table);
  expect_in("\n0\t0\t0\t0\t8\n1\t1\t32\t0\t8\n2\t2.25\t4K\t2\t8\n3\t3.25\t4128\t0\t8\n",
            table.data);
  expect_in("\n2\t2.25\t17\t4\t8\n", table.data); /* lane 17: bytes 4 to 8 of the third */
  text_free(&table);
  lanes_at(96, 4); /* over the end of a 128-byte line */
  access_map_table(&access, &warp, &table);
  expect_in("\n0\t0\t96\t0\t8\n1\t1\t128\t1\t8\n2\t2\t160\t0\t8\n", table.data);
  text_free(&table);
}

static void test_words(void **state) {
  (void)state;
  struct access_record access = access_of(true, "load", 4);
  lanes_at(0, 128);
  char *words = words_of_warp(&access, &warp, 0);
  assert_string_equal(words,
                      "Warp 0 reads 32 words of tile in 32 wavefronts; 1 would do. Neighbouring "
                      "lanes are 32 words apart, and every 32nd word is in the same bank.");
  free(words);
  words = words_of_block(&access);
  assert_string_equal(words, "1 warp of the block, once each: 32 wavefronts; 1 would do.");
  free(words);
  lanes_at(0, 132);
  words = words_of_warp(&access, &warp, 0);
  assert_string_equal(words,
                      "Warp 0 reads 32 words of tile in 1 wavefront, the minimum. "
                      "Neighbouring lanes are 33 words apart and reach 32 banks of 32.");
  free(words);
  lanes_at(0, 24); /* 6 words: gcd(6, 32) = 2 */
  words = words_of_warp(&access, &warp, 0);
  expect_in("6 words apart and reach 16 banks of 32.", words);
  free(words);
  access = access_of(false, "store", 4);
  lanes_at(0, 4096);
  words = words_of_warp(&access, &warp, 7);
  expect_in(
      "Warp 0 writes 32 words of tile in 32 sectors; 4 would do. 1024 bytes are moved, 128 "
      "of them used. Neighbouring lanes are 4096 bytes apart",
      words);
  expect_in("The line has 8 such instructions; no other fares worse.", words);
  free(words);
}

/* --- a grade --- */

static struct access_warp column = {.mask = 0xffffffff}, row = {.mask = 0xffffffff};

static struct access_record record(int line, int index, const char *array, struct access_warp *w) {
  struct access_record access = access_of(true, "load", 4);
  access.line = line;
  access.index = index;
  access.array = (char *)(uintptr_t)array;
  access.warps = w;
  return access;
}

static struct access_record accesses[4];
static struct line_counters line_counters[3];
static struct launch_record launch;
static char *source_lines[] = {(char *)"one", (char *)"two", (char *)"sum += a[x][k] * b[k][x];",
                               (char *)"out[x] = tile[y];"};
static struct case_conf cases[] = {{.name = (char *)"n64", .sets = 1, .show = true}};
static struct lab lab = {.id = (char *)"lab9", .conf = {.cases = cases, .case_count = 1}};
static struct source source = {.name = (char *)"lab9.cu", .lines = source_lines, .line_count = 4};
static struct case_result results[1];
static struct grade grade = {
    .lab = &lab, .source = &source, .device = (char *)"a device", .cases = results};

/* Line 3: two loads of b in one wavefront, one of a in 32; line 4: a load in one. */
static int make_grade(void **state) {
  (void)state;
  for (int lane = 0; lane < 32; lane++) {
    column.offsets[lane] = 128 * lane;
    row.offsets[lane] = 4 * lane;
  }
  accesses[0] = record(3, 0, "b", &row);
  accesses[1] = record(3, 1, "a", &column);
  accesses[2] = record(3, 2, "b", &row);
  accesses[3] = record(4, 0, "tile", &row);
  line_counters[0] = (struct line_counters){.line = 2}; /* nothing recorded */
  line_counters[1] = (struct line_counters){.line = 3};
  line_counters[1].counters.value[COUNTER_shared_load_wavefronts] = 34;
  line_counters[1].counters.value[COUNTER_shared_load_ideal] = 3;
  line_counters[2] = (struct line_counters){.line = 4};
  line_counters[2].counters.value[COUNTER_shared_load_wavefronts] = 1000;
  line_counters[2].counters.value[COUNTER_shared_load_ideal] = 1000;
  launch = (struct launch_record){.kernel = (char *)"product",
                                  .lines = line_counters,
                                  .line_count = 3,
                                  .accesses = accesses,
                                  .access_count = 4};
  results[0].report = (struct report){.launches = &launch, .launch_count = 1};
  return 0;
}

static int lines_of(int **lines) {
  struct picture_subject subject = picture_subject_of(&grade);
  int count = picture_lines(&subject, lines);
  free(subject.launches);
  return count;
}

static struct pictures pictures_of(int line) {
  struct picture_subject subject = picture_subject_of(&grade);
  struct pictures pictures = pictures_of_line(&subject, line);
  free(subject.launches);
  return pictures;
}

static void test_choice(void **state) {
  (void)state;
  int *lines;
  assert_int_equal(lines_of(&lines), 2);
  assert_int_equal(lines[0], 3); /* 31 wavefronts wasted; line 4 spends more, but wastes none */
  assert_int_equal(lines[1], 4);
  free(lines);
  struct pictures pictures = pictures_of(3);
  assert_int_equal(pictures.count, 4); /* a and b: the warp's map and the banks' */
  assert_string_equal(pictures.items[0].name, "lab9-line3-a-load");
  assert_true(pictures.items[0].wasteful);
  assert_string_equal(pictures.items[0].title, "lab9.cu:3  sum += a[x][k] * b[k][x];");
  expect_in("a device, counted: product in case n64", pictures.items[0].source);
  assert_string_equal(pictures.items[1].name, "lab9-line3-a-load-banks");
  assert_string_equal(pictures.items[2].name, "lab9-line3-b-load");
  assert_false(pictures.items[2].wasteful);
  expect_in("The line has 2 such instructions", pictures.items[2].sentence);
  pictures_free(&pictures);
  pictures = pictures_of(2);
  assert_int_equal(pictures.count, 0);
  launch.set = 1; /* later calls do not count */
  assert_int_equal(lines_of(&lines), 0);
  free(lines);
  launch.set = 0;
}

static void test_array_names(void **state) {
  (void)state;
  accesses[3].array = (char *)"../../etc/x y";
  struct pictures pictures = pictures_of(4);
  assert_string_equal(pictures.items[0].name, "lab9-line4-______etc_x_y-load");
  pictures_free(&pictures);
  accesses[3].array = (char *)"";
  pictures = pictures_of(4);
  assert_string_equal(pictures.items[0].name, "lab9-line4-shared-load");
  pictures_free(&pictures);
}

/* --- charts --- */

static struct kit kit = {.root = (char *)"."};

static void need_gnuplot(void) {
  char *gnuplot = program_find("gnuplot");
  if (!gnuplot) skip();
  free(gnuplot);
}

/* What gnuplot would run, show otherwise or stumble over stands in the picture as it is. */
static void test_hostile_words(void **state) {
  (void)state;
  need_gnuplot();
  char folder[] = "/tmp/kit-XXXXXX";
  assert_non_null(mkdtemp(folder));
  char *harm = xprintf("%s/harm", folder);
  char *title = xprintf("`touch %s` {/Bold x}_2 ]]> \\n \xc3\xbc <b>\x1b[31m\xff", harm);
  char *sentence = xprintf(
      "-e $(touch %s) @ARG1 \"; system('touch %s')\n'%%s' </text></svg><script>", harm, harm);
  struct text table = {0}, svg = {0};
  struct access_record read = access_of(true, "load", 4);
  lanes_at(0, 128);
  access_map_table(&read, &warp, &table);
  struct chart chart = {.name = "access_map",
                        .data = table.data,
                        .title = title,
                        .source = "-e <%d> `id`",
                        .more = {"shared", sentence}};
  char *error = chart_draw(&kit, &chart, CHART_SVG, &svg);
  if (error) fail_msg("%s", error);
  assert_int_not_equal(access(harm, F_OK), 0);
  expect_in("`touch /tmp/kit-", svg.data);
  expect_in("{/Bold x}_2 ]]&gt; \\n \xc3\xbc &lt;b>?[31m?", svg.data);
  expect_in("-e $(touch", svg.data);
  expect_in("@ARG1 \"; system('touch", svg.data);
  expect_in("'%s' &lt;/text>&lt;/svg>&lt;script>", svg.data);
  expect_in("-e &lt;%d> `id`", svg.data);
  text_free(&svg);
  error = chart_draw(&kit, &chart, CHART_TEXT, &svg);
  if (error) fail_msg("%s", error);
  assert_int_not_equal(access(harm, F_OK), 0);
  expect_in("`touch /tmp/kit-", svg.data);
  assert_null(strchr(svg.data, '\x1b'));
  text_free(&svg);
  text_free(&table);
  assert_int_equal(rmdir(folder), 0);
  free(title);
  free(sentence);
  free(harm);
}

/* U+10FFFD is nobody's character, so that no font has it; letters stay. */
static void test_missing_fonts(void **state) {
  (void)state;
  struct chart_fonts fonts = {.read = false};
  char *words = chart_fonts_replace(&fonts, "M\u00fcller \u2026");
  assert_string_equal(words, "M\u00fcller \u2026");
  assert_false(fonts.read); /* there was no need to ask */
  free(words);
  words = chart_fonts_replace(&fonts, "a\U0010fffdb");
  assert_string_equal(words, "a\u25a1b");
  assert_true(fonts.read);
  free(words);
  chart_fonts_free(&fonts);
}

/* Ids of several charts of one page differ; words that look like ids stay. */
static void test_ids(void **state) {
  (void)state;
  need_gnuplot();
  struct pictures pictures = pictures_of(3);
  free(pictures.items[0].title);
  pictures.items[0].title = xstrdup("a id='x' href='#y'");
  struct text svg = {0};
  char *error = picture_svg(&kit, &pictures.items[0], "p1-", &svg);
  if (error) fail_msg("%s", error);
  assert_memory_equal(svg.data, "<svg", 4);
  expect_in("id=\"p1-gnuplot_canvas\"", svg.data);
  expect_in("href='#p1-gpPt", svg.data);
  expect_in("a id='x' href='#y'", svg.data);
  assert_null(strstr(svg.data, "id=\"gnuplot"));
  assert_null(strstr(svg.data, "'#gp"));
  text_free(&svg);
  pictures_free(&pictures);
}

static void test_faults(void **state) {
  (void)state;
  struct chart chart = {.name = "access_map", .data = "", .title = "", .source = "", .more = {"x"}};
  struct text output = {0};
  const char *path = getenv("PATH");
  char *kept = xstrdup(path ? path : "/usr/bin:/bin");
  setenv("PATH", "/nonexistent", 1);
  char *error = chart_draw(&kit, &chart, CHART_SVG, &output);
  setenv("PATH", kept, 1);
  free(kept);
  assert_non_null(error);
  expect_in("./setup", error);
  free(error);
  need_gnuplot();
  chart.name = "no_such_chart";
  error = chart_draw(&kit, &chart, CHART_SVG, &output);
  assert_non_null(error);
  expect_in("no_such_chart", error);
  free(error);
  chart.name = "access_map"; /* a table without a line */
  error = chart_draw(&kit, &chart, CHART_SVG, &output);
  assert_non_null(error);
  free(error);
  text_free(&output);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_column),
      cmocka_unit_test(test_padded_column),
      cmocka_unit_test(test_stride_two),
      cmocka_unit_test(test_base),
      cmocka_unit_test(test_one_word_for_many),
      cmocka_unit_test(test_wide),
      cmocka_unit_test(test_inactive_lanes),
      cmocka_unit_test(test_sectors),
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_words),
      cmocka_unit_test_setup(test_choice, make_grade),
      cmocka_unit_test_setup(test_array_names, make_grade),
      cmocka_unit_test(test_hostile_words),
      cmocka_unit_test(test_missing_fonts),
      cmocka_unit_test_setup(test_ids, make_grade),
      cmocka_unit_test(test_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
