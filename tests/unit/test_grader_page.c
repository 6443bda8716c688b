/* test_grader_page.c: whole HTML pages, of gradings made by hand: they hold nothing but our
 * elements and attributes, whatever strings a submission has a say in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/show/figures.h"
#include "grader/show/html.h"
#include "grader/show/html_text.h"
#include "harness/sim/model/replay.h"

/* Our elements and attributes: what a page may be made of. */
static const char *const our_elements[] = {
    "html",    "head",  "meta",  "title", "style", "body", "header", "nav",     "main",
    "section", "h1",    "h2",    "h3",    "p",     "a",    "b",      "i",       "span",
    "div",     "code",  "pre",   "br",    "dl",    "dt",   "dd",     "details", "summary",
    "article", "table", "thead", "tbody", "tr",    "th",   "td",     "footer",  NULL};
static const char *const our_attributes[] = {
    "lang",       "charset",     "http-equiv", "content",  "name", "class",
    "id",         "href",        "style",      "title",    "open", "role",
    "aria-label", "aria-hidden", "scope",      "tabindex", NULL};

static bool is_among(const char *const *list, const char *word, size_t length) {
  for (; *list; list++) {
    if (strlen(*list) == length && memcmp(*list, word, length) == 0) return true;
  }
  return false;
}

/* Reads an element's attributes from `at` up to its end; links lead into the page or to a file. */
static const char *check_attributes(const char *at, bool *empty) {
  *empty = false;
  while (*at == ' ') {
    size_t length = strcspn(++at, "=");
    assert_true(is_among(our_attributes, at, length));
    bool link = length == 4 && memcmp(at, "href", 4) == 0;
    at += length;
    assert_memory_equal(at, "=\"", 2);
    at += 2;
    if (link) assert_true(at[0] == '#' || strncmp(at, "./", 2) == 0);
    length = strcspn(at, "\"<>");
    assert_int_equal(at[length], '"');
    at += length + 1;
  }
  if (*at == '/') {
    *empty = true;
    at++;
  }
  assert_int_equal(*at, '>');
  return at + 1;
}

/* Every element is one of ours, and they are balanced. */
static void check_page(const char *page) {
  const char *open[HTML_DEPTH];
  size_t lengths[HTML_DEPTH];
  int depth = 0;
  static const char doctype[] = "<!DOCTYPE html>\n";
  assert_memory_equal(page, doctype, strlen(doctype));
  const char *styles = strstr(page, "</style>");
  for (const char *at = page + strlen(doctype); *(at += strcspn(at, "<>"));) {
    assert_int_equal(*at++, '<');
    bool closing = *at == '/', empty;
    at += closing;
    size_t length = strcspn(at, " />");
    assert_true(is_among(our_elements, at, length));
    if (closing) {
      assert_true(depth-- > 0 && lengths[depth] == length);
      assert_memory_equal(open[depth], at, length);
      assert_int_equal(at[length], '>');
      at += length + 1;
      continue;
    }
    const char *name = at;
    at = check_attributes(at + length, &empty);
    if (length == 5 && memcmp(name, "style", 5) == 0) at = styles; /* ours; not markup */
    if (empty) continue;
    open[depth] = name;
    lengths[depth++] = length;
  }
  assert_int_equal(depth, 0);
}

static int count_of(const char *page, const char *words) {
  int count = 0;
  for (const char *at = page; (at = strstr(at, words)) != NULL; at++) count++;
  return count;
}

/* A grading made by hand: one case with one launch, in which line 2 has a 32-way conflict. */
struct grade_fixture {
  struct kit kit;
  struct problem problem;
  struct family family;
  struct case_conf case_conf;
  struct item_conf item_conf;
  struct lab lab;
  struct source source;
  char *lines[3];
  struct line_counters line;
  struct launch_record launch;
  struct case_result result;
  struct hazard_record hazards[2];
  struct item_result item;
  struct grade grade;
};

/* s: every string that a submission has a say in. */
static void make_grade(struct grade_fixture *f, char *s) {
  static char *case_names[] = {"n1"};
  memset(f, 0, sizeof *f);
  f->kit.root = "/nowhere";
  f->problem = (struct problem){.name = "matmul"};
  f->family = (struct family){.problem = &f->problem};
  f->case_conf = (struct case_conf){.name = "n1", .show = true, .sets = 1};
  f->item_conf = (struct item_conf){.id = "right",
                                    .title = "It is right",
                                    .hint = "Do it.",
                                    .class = ITEM_CORRECTNESS,
                                    .points = 10,
                                    .cases = case_names,
                                    .case_count = 1};
  f->lab = (struct lab){.id = "lab9", .source = "/nowhere/lab9.cu", .solution = "/nowhere/s.cu"};
  f->lab.conf = (struct conf){.title = "A lab",
                              .family = &f->family,
                              .cases = &f->case_conf,
                              .case_count = 1,
                              .items = &f->item_conf,
                              .item_count = 1,
                              .max_points = 10};
  f->lines[0] = f->lines[1] = s;
  f->lines[2] = "";
  f->source = (struct source){.name = s, .path = s, .text = s, .lines = f->lines, .line_count = 3};
  f->line.line = 2;
  f->line.counters.value[COUNTER_inst_executed] = 10;
  f->line.counters.value[COUNTER_shared_load_inst] = 10;
  f->line.counters.value[COUNTER_shared_load_wavefronts] = 320;
  f->line.counters.value[COUNTER_shared_load_ideal] = 10;
  f->launch = (struct launch_record){.kernel = s,
                                     .grid = {4, 4, 1},
                                     .block = {32, 8, 1},
                                     .time_ns = 10000,
                                     .time_kind = "modelled",
                                     .bound = s,
                                     .line = 2,
                                     .counters = f->line.counters,
                                     .lines = &f->line,
                                     .line_count = 1};
  f->result = (struct case_result){.state = CASE_WRONG, .kind = "wrong", .reason = s};
  f->result.totals =
      (struct totals){.launches = 1, .time_ns = 12345}; /* of the call: a copy, too */
  f->result.report.launches = &f->launch;
  f->result.report.launch_count = 1;
  text_append(&f->result.output, s, strlen(s));
  f->hazards[0] = (struct hazard_record){.kind = "race",
                                         .kernel = s,
                                         .array = s,
                                         .message = s,
                                         .line = 1,
                                         .other_line = 2,
                                         .count = 3};
  f->hazards[1] = (struct hazard_record){
      .kind = "uninit", .kernel = s, .array = s, .message = s, .warning = true, .line = 900000};
  f->item = (struct item_result){.reason = s, .hint_helps = true};
  f->grade = (struct grade){.lab = &f->lab,
                            .source = &f->source,
                            .backend = "sim",
                            .seed = 7,
                            .messages = s,
                            .device = s,
                            .cases = &f->result,
                            .hazards = f->hazards,
                            .hazard_count = 2,
                            .items = &f->item,
                            .verdict = "fail"};
}

static char *make_page(struct grade_fixture *f) {
  struct text page = html_page(&f->kit, &f->grade, NULL);
  text_free(&f->result.output);
  return page.data;
}

static void test_page(void **state) {
  (void)state;
  struct grade_fixture f;
  make_grade(&f, "x.cu:2: see line 1 and line 3000000");
  f.source.name = "x.cu";
  char *page = make_page(&f);
  check_page(page);
  assert_int_equal(count_of(page, "32-way bank conflict: 32 wavefronts for one load."), 1);
  assert_non_null(strstr(page, "<a href=\"#L2\" class=\"line\">x.cu:2</a>: see <a href=\"#L1\""));
  assert_null(strstr(page, "#L3000000"));
  assert_null(strstr(page, "#L900000"));
  assert_non_null(strstr(page, "32 \u00d7 8"));
  assert_non_null(strstr(page, "12.35 \u00b5s"));
  assert_non_null(strstr(page, "--file &#39;x.cu:2: see line 1 and line 3000000&#39; --seed 7"));
  assert_int_equal(count_of(page, " id=\"L2\""), 1);
  free(page);
}

static void test_hostile_page(void **state) {
  (void)state;
  static const char *const attacks[] = {
      "</script><script>alert(1)</script>",
      "</style></title></code></td><script>alert(1)</script>",
      "\"'><img src=x onerror=alert(1)>",
      "\" onmouseover=\"alert(1)",
      "' onclick='x",
      "]]><!--",
      "--><svg/onload=alert(1)>",
      "<!DOCTYPE x [<!ENTITY y \"z\">]>&y;",
      "javascript:alert(1)",
      "&lt;script&gt;",
      "\355\240\200\377<\300\274b>",
      "\033[31m\r\177\302\233",
      "%s%n%d $(x) `x` \\",
      "line 1line 2 :1 x:2",
      "// */ /* \" ' #",
      "",
  };
  for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
    struct grade_fixture f;
    char *attack = xstrdup(attacks[i]);
    make_grade(&f, attack);
    char *page = make_page(&f);
    check_page(page);
    free(page);
    free(attack);
  }
}

static void test_long_page(void **state) {
  (void)state;
  struct grade_fixture f;
  char *line = xcalloc(10001, 1);
  memset(line, '<', 10000);
  make_grade(&f, line);
  char *page = make_page(&f);
  check_page(page);
  assert_non_null(strstr(page, "and 9000 more bytes"));
  assert_true(strlen(page) < 800000);
  free(page);
  free(line);
}

/* Of a long file: its beginning, and what something is said about. */
static void test_many_lines(void **state) {
  (void)state;
  enum { LINES = 50000 };
  struct grade_fixture f;
  make_grade(&f, "int x;");
  char **lines = xcalloc(LINES, sizeof *lines);
  for (int i = 0; i < LINES; i++) lines[i] = "int x;";
  f.source.lines = lines;
  f.source.line_count = LINES;
  f.line.line = 40000;
  f.hazards[0].line = 30000;
  f.hazards[0].other_line = 49999;
  char *page = make_page(&f);
  check_page(page);
  assert_non_null(strstr(page, "id=\"L30000\""));
  assert_non_null(strstr(page, "id=\"L40010\""));
  assert_non_null(strstr(page, "id=\"L50000\""));
  assert_null(strstr(page, "id=\"L25000\""));
  assert_non_null(strstr(page, "lines 30011 to 39989 are not shown"));
  assert_true(strlen(page) < 500000);
  free(page);
  free(lines);
}

/* However many hazards a line has, it has few remarks, and the list is cut, too. */
static void test_many_hazards(void **state) {
  (void)state;
  enum { MANY = 2000 };
  struct grade_fixture f;
  make_grade(&f, "x");
  struct hazard_record *hazards = xcalloc(MANY, sizeof *hazards);
  for (int i = 0; i < MANY; i++) hazards[i] = f.hazards[0];
  f.grade.hazards = hazards;
  f.grade.hazard_count = MANY;
  char *page = make_page(&f);
  check_page(page);
  assert_int_equal(count_of(page, "and 1995 more hazards"), 2); /* on both lines */
  assert_non_null(strstr(page, "And 1950 more."));
  free(page);
  free(hazards);
}

/* A bound that is known is explained, with a link to where. */
static void test_bound(void **state) {
  (void)state;
  struct grade_fixture f;
  make_grade(&f, "x");
  f.launch.bound = "shared memory";
  char *page = make_page(&f);
  check_page(page);
  assert_int_equal(count_of(page, "<a href=\"#bound-shared-memory\">shared memory</a>"), 1);
  assert_int_equal(count_of(page, "id=\"bound-shared-memory\""), 1);
  assert_int_equal(count_of(page, "id=\"bound-"), 1);
  free(page);
}

static void check_bound(const char *name) {
  const struct bound *bound = bound_find(name);
  if (!bound) fail_msg("grader/show/bounds.c does not explain \"%s\"", name);
  assert_true(*bound->meaning && *bound->advice);
}

/* All that the simulator may name is known: what keeps an SM busy, what model.c puts in quotes. */
static void test_every_bound(void **state) {
  (void)state;
#define X(name, text) text,
  static const char *const busy_names[] = {KIT_BUSIES(X)};
#undef X
  for (int i = 0; i < BUSIES; i++) check_bound(busy_names[i]);
  FILE *file = fopen("harness/sim/model/model.c", "r");
  assert_non_null(file);
  char line[256];
  int count = 0;
  while (fgets(line, sizeof line, file)) {
    if (line[0] == '#' || line[0] == '/') continue;
    for (char *from = strchr(line, '"'), *to; from && (to = strchr(from + 1, '"'));
         from = strchr(to + 1, '"')) {
      *to = '\0';
      check_bound(from + 1);
      count++;
    }
  }
  fclose(file);
  assert_in_range(count, 3, 10);
}

/* Verdict "error" has no items; cases may be missing, too. */
static void test_error_page(void **state) {
  (void)state;
  struct grade_fixture f;
  make_grade(&f, "x");
  f.grade.items = NULL;
  f.grade.hazard_count = 0;
  f.grade.device = NULL;
  f.grade.messages = NULL;
  f.grade.error = "case n1: <broken>";
  f.grade.verdict = "error";
  f.result.report.launch_count = 0;
  f.source.line_count = 1;
  f.lines[0] = "";
  char *page = make_page(&f);
  check_page(page);
  assert_non_null(strstr(page, "case n1: &lt;broken&gt;"));
  assert_non_null(strstr(page, "no score"));
  assert_non_null(strstr(page, "the file is empty"));
  free(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_page),       cmocka_unit_test(test_hostile_page),
      cmocka_unit_test(test_long_page),  cmocka_unit_test(test_many_lines),
      cmocka_unit_test(test_error_page), cmocka_unit_test(test_many_hazards),
      cmocka_unit_test(test_bound),      cmocka_unit_test(test_every_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
