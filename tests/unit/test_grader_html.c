/* test_grader_html.c: what the HTML page is made of: text stays text whatever it is, code has its
 * colours, and what is said about counters is what they say. Whole pages: test_grader_page.c. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <cmocka.h>

#include "grader/show/code.h"
#include "grader/show/figures.h"
#include "grader/show/html_text.h"
#include "grader/show/page_source.h"

/* --- text --- */

static void expect_escaped(const char *bytes, const char *expected) {
  struct text text = {0};
  html_escape(&text, bytes, strlen(bytes));
  assert_string_equal(text_get(&text), expected);
  text_free(&text);
}

static void test_escape(void **state) {
  (void)state;
  expect_escaped("a < b && c > \"d\" + 'e'",
                 "a &lt; b &amp;&amp; c &gt; &quot;d&quot; + &#39;e&#39;");
  expect_escaped("</script><script>alert(1)</script>",
                 "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  expect_escaped("&lt;", "&amp;lt;");
  expect_escaped("\"'><img src=x onerror=alert(1)>",
                 "&quot;&#39;&gt;&lt;img src=x onerror=alert(1)&gt;");
  expect_escaped("]]> <!-- -->", "]]&gt; &lt;!-- --&gt;");
  expect_escaped("javascript:alert(1)", "javascript:alert(1)");
  expect_escaped("tab\tand\nline", "tab\tand\nline");
  expect_escaped("Gr\u00f6\u00dfe \u4e2d \U0001f600 \u200d\u200c",
                 "Gr\u00f6\u00dfe \u4e2d \U0001f600 \u200d\u200c");
  expect_escaped("esc \033 bell \007 cr \r del \177",
                 "esc \u27e8U+001B\u27e9 bell \u27e8U+0007\u27e9 cr \u27e8U+000D\u27e9 del "
                 "\u27e8U+007F\u27e9");
  expect_escaped("c1 \302\233", "c1 \u27e8U+009B\u27e9");
  expect_escaped("rlo \342\200\256 lri \342\201\246 zwsp \342\200\213 bom \357\273\277",
                 "rlo \u27e8U+202E\u27e9 lri \u27e8U+2066\u27e9 zwsp \u27e8U+200B\u27e9 "
                 "bom \u27e8U+FEFF\u27e9");
  expect_escaped("tag \363\240\201\201", "tag \u27e8U+E0041\u27e9");
}

static void test_escape_invalid(void **state) {
  (void)state;
  expect_escaped("\377\376", "\ufffd\ufffd");
  expect_escaped("cut \303", "cut \ufffd");
  expect_escaped("cut \342\202<", "cut \ufffd\ufffd&lt;");
  expect_escaped("overlong \300\274 \340\200\274", "overlong \ufffd\ufffd \ufffd\ufffd\ufffd");
  expect_escaped("surrogate \355\240\200", "surrogate \ufffd\ufffd\ufffd");
  expect_escaped("beyond \364\220\200\200", "beyond \ufffd\ufffd\ufffd\ufffd");
  expect_escaped("five \370\210\200\200\200", "five \ufffd\ufffd\ufffd\ufffd\ufffd");
  expect_escaped("no character \357\277\276", "no character \ufffd");
  struct text text = {0};
  html_escape(&text, "a\0b", 3);
  assert_string_equal(text_get(&text), "a\u27e8U+0000\u27e9b");
  text_free(&text);
}

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* Nothing but text: no sign that markup is made of, entities of ours only, UTF-8, no control
 * character that XML forbids. */
static void assert_is_text(const struct text *text) {
  static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  const char *data = text_get(text);
  assert_int_equal(strlen(data), text->length);
  for (const char *at = data; *at; at++) {
    assert_null(strchr("<>\"'\r\177", *at));
    assert_true((unsigned char)*at >= 0x20 || *at == '\t' || *at == '\n');
    if (*at != '&') continue;
    bool known = false;
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
      known |= strncmp(at, entities[i], strlen(entities[i])) == 0;
    assert_true(known);
  }
  mbstate_t shift = {0};
  assert_true(mbsrtowcs(NULL, &data, 0, &shift) != (size_t)-1);
}

static void test_escape_random(void **state) {
  (void)state;
  static const char signs[] = "<>&\"'\0\r\n\t\303\244\342\200\256\355\240\200\360\237\377";
  uint64_t random = 88172645463325252u;
  if (!setlocale(LC_CTYPE, "C.UTF-8")) skip();
  for (int round = 0; round < 2000; round++) {
    char bytes[64];
    size_t length = next_random(&random) % sizeof bytes;
    for (size_t i = 0; i < length; i++) {
      uint64_t r = next_random(&random);
      bytes[i] = r & 256 ? (char)r : signs[r % sizeof signs];
    }
    struct text text = {0};
    html_escape(&text, bytes, length);
    assert_is_text(&text);
    text_free(&text);
  }
}

static void test_cut(void **state) {
  (void)state;
  assert_int_equal(html_cut("abc", 3, 5), 3);
  assert_int_equal(html_cut("abc", 3, 2), 2);
  assert_int_equal(html_cut("a\303\244b", 4, 2), 1); /* not inside of the two bytes */
  assert_int_equal(html_cut("\360\237\230\200", 4, 3), 0);
  assert_int_equal(html_cut("\200\200\200\200\200\200", 6, 5), 2); /* no UTF-8: somewhere */
}

static void test_urls(void **state) {
  (void)state;
  struct text url = {0};
  html_path(&url, "../a b/javascript:x?#\"<\303\244.html");
  assert_string_equal(url.data, "./../a%20b/javascript%3Ax%3F%23%22%3C%C3%A4.html");
  text_free(&url);
  static const char *const pairs[][2] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"\377\376\375\374", "//79/A=="}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    struct text text = {0};
    html_base64(&text, pairs[i][0], strlen(pairs[i][0]));
    assert_string_equal(text_get(&text), pairs[i][1]);
    text_free(&text);
  }
}

static void test_elements(void **state) {
  (void)state;
  struct html html = {0};
  html_open(&html, "p", "class", "a\"b", "title", NULL, "id", "x", NULL);
  html_format(&html, "%d < %s", 1, "\"2\"");
  html_empty(&html, "br", NULL);
  html_element(&html, "<i>", "b", NULL);
  html_close(&html, "p");
  assert_string_equal(
      html.text.data,
      "<p class=\"a&quot;b\" id=\"x\">1 &lt; &quot;2&quot;<br/><b>&lt;i&gt;</b></p>");
  text_free(&html.text);
}

/* --- code --- */

/* The kinds of a line's pieces, a letter for every byte. */
static void expect_kinds(struct code_state *state, const char *line, const char *expected) {
  static const char letters[] = ".ckusd#";
  char kinds[256] = "";
  size_t length = strlen(line);
  for (size_t i = 0; i < length;) {
    enum code_kind kind;
    size_t step = code_next(state, line + i, length - i, i == 0, &kind);
    assert_in_range(step, 1, length - i);
    memset(kinds + i, letters[kind], step);
    i += step;
  }
  kinds[length] = '\0';
  assert_string_equal(kinds, expected);
}

static void test_code(void **state) {
  (void)state;
  struct code_state code = {0};
  expect_kinds(&code, "int x = 0x1F; // y", "kkk.....dddd..cccc");
  expect_kinds(&code, "__shared__ float a[4];", "uuuuuuuuuu.kkkkk...d..");
  expect_kinds(&code, "#define N 4", "#######...d");
  expect_kinds(&code, "a / b # c", ".........");
  expect_kinds(&code, "puts(\"a\\\"//\"); x", ".....sssssss....");
  expect_kinds(&code, "'\\''+\"no end", "ssss.sssssss");
  expect_kinds(&code, "x /* one", "..cccccc");
  expect_kinds(&code, "if (a) // in it", "ccccccccccccccc");
  expect_kinds(&code, "two */ if", "cccccc.kk");
  expect_kinds(&code, "/**/ \303\244\377 if", "cccc.....kk");
  expect_kinds(&code, "", "");
}

/* --- figures --- */

static struct counters shared_loads(uint64_t inst, uint64_t wavefronts, uint64_t ideal) {
  struct counters c = {0};
  c.value[COUNTER_inst_executed] = inst;
  c.value[COUNTER_shared_load_inst] = inst;
  c.value[COUNTER_shared_load_wavefronts] = wavefronts;
  c.value[COUNTER_shared_load_ideal] = ideal;
  return c;
}

static void expect_fault(const struct counters *c, enum fault fault, const char *expected) {
  struct text words = {0};
  bool found = figures_fault(c, fault, &words);
  assert_string_equal(text_get(&words), expected ? expected : "");
  assert_int_equal(found, expected != NULL);
  text_free(&words);
}

static void test_conflicts(void **state) {
  (void)state;
  struct counters c = shared_loads(10, 320, 10);
  expect_fault(&c, FAULT_SHARED_LOADS,
               "32-way bank conflict: 32 wavefronts for one load. Without conflicts it takes 1.");
  expect_fault(&c, FAULT_SHARED_STORES, NULL);
  expect_fault(&c, FAULT_LOADS, NULL);
  c = shared_loads(10, 319, 10); /* one access of ten has 31: no longer said of each */
  expect_fault(&c, FAULT_SHARED_LOADS,
               "Bank conflicts: 31.9 wavefronts per load on average. Without conflicts: 1.0.");
  c = shared_loads(10, 40, 40); /* LDS.128 without conflicts */
  expect_fault(&c, FAULT_SHARED_LOADS, NULL);
  c = shared_loads(10, 15, 10); /* half a wavefront more is let pass, as in the items */
  expect_fault(&c, FAULT_SHARED_LOADS, NULL);
}

static void test_sectors(void **state) {
  (void)state;
  struct counters c = {0};
  c.value[COUNTER_global_load_words] = 10;
  c.value[COUNTER_global_load_sectors] = 320;
  c.value[COUNTER_global_load_used_bytes] = 1280;
  expect_fault(&c, FAULT_LOADS,
               "32 sectors per load: each lane of a warp reads in a sector of its own; 32 "
               "neighbouring floats lie in 4. Of the bytes moved, 12.5 % are used.");
  c.value[COUNTER_global_load_sectors] = 80;
  expect_fault(&c, FAULT_LOADS, NULL);
  c.value[COUNTER_global_load_sectors] = 319; /* one of ten has 31: no longer said of each */
  expect_fault(&c, FAULT_LOADS,
               "31.9 sectors per load on average; 32 neighbouring floats lie in 4. Of the bytes "
               "moved, 12.5 % are used.");
  c.value[COUNTER_global_load_sectors] = 165;
  expect_fault(&c, FAULT_LOADS,
               "16.5 sectors per load on average; 32 neighbouring floats lie in 4. Of the bytes "
               "moved, 24.2 % are used.");
}

static void test_counts(void **state) {
  (void)state;
  char buffer[32];
  assert_string_equal(figures_count(0, buffer, sizeof buffer), "0");
  assert_string_equal(figures_count(9999, buffer, sizeof buffer), "9999");
  assert_string_equal(figures_count(10000, buffer, sizeof buffer), "10k");
  assert_string_equal(figures_count(1310720, buffer, sizeof buffer), "1.3M");
  assert_string_equal(figures_count(UINT64_MAX, buffer, sizeof buffer), "18E");
}

/* --- where lanes meet --- */

/* A launch with one access of line 7, lane i at offset i * stride. */
struct launch_fixture {
  struct access_warp warp;
  struct access_record access;
  struct launch_record launch;
};

static void make_launch(struct launch_fixture *f, bool shared, long stride) {
  memset(f, 0, sizeof *f);
  f->warp = (struct access_warp){.warp = 2, .mask = 0xffffffff, .cost = 32};
  for (int lane = 0; lane < 32; lane++) f->warp.offsets[lane] = lane * stride;
  f->access = (struct access_record){.line = 7,
                                     .shared = shared,
                                     .op = "load",
                                     .array = "tile",
                                     .bytes = 4,
                                     .block = {1, 3, 0},
                                     .warps = &f->warp,
                                     .warp_count = 1};
  f->launch.accesses = &f->access;
  f->launch.access_count = 1;
}

static void expect_access(const struct launch_fixture *f, int line, enum fault fault,
                          const char *expected) {
  struct text words = {0};
  access_words(&f->launch, line, fault, &words);
  assert_string_equal(text_get(&words), expected);
  text_free(&words);
}

static void test_access_words(void **state) {
  (void)state;
  struct launch_fixture f;
  make_launch(&f, true, 128);
  f.access.base = 12;
  expect_access(&f, 7, FAULT_SHARED_LOADS,
                " In warp 2 of block (1,3), the lanes read 32 different words of tile in bank 3.");
  expect_access(&f, 7, FAULT_SHARED_STORES, "");
  expect_access(&f, 8, FAULT_SHARED_LOADS, "");
  make_launch(&f, true, 8); /* lanes 0 and 16 meet */
  expect_access(&f, 7, FAULT_SHARED_LOADS,
                " In warp 2 of block (1,3), the lanes read 2 different words of tile in bank 0.");
  make_launch(&f, true, 0); /* one word for all */
  expect_access(&f, 7, FAULT_SHARED_LOADS, "");
  make_launch(&f, false, -4096);
  expect_access(&f, 7, FAULT_LOADS,
                " In warp 2 of block (1,3), neighbouring lanes are 4096 bytes apart (array tile).");
  f.warp.offsets[16] = 0; /* no longer the same for all */
  expect_access(&f, 7, FAULT_LOADS,
                " In warp 2 of block (1,3), lanes 0 and 1 are 4096 bytes apart (array tile).");
  f.warp.mask = 0xfffffffe;
  expect_access(&f, 7, FAULT_LOADS, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_escape),        cmocka_unit_test(test_escape_invalid),
      cmocka_unit_test(test_escape_random), cmocka_unit_test(test_cut),
      cmocka_unit_test(test_urls),          cmocka_unit_test(test_elements),
      cmocka_unit_test(test_code),          cmocka_unit_test(test_conflicts),
      cmocka_unit_test(test_sectors),       cmocka_unit_test(test_counts),
      cmocka_unit_test(test_access_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
