/* similar_write.c: submissions that a person should compare: as a table, a page, a few lines. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/class/report/class_report.h"
#include "grader/class/report/similar.h"

enum { PAIRS_PRINTED = 15, PAIRS_SIDE_BY_SIDE = 60 };

static const char caution[] =
    "For a person to look at: the kernels of a lab are short, and people who were taught the same "
    "write much the same. No score depends on this list.";

/* A lab's submissions, compared. */
struct lab_list {
  char *lab;
  struct similar_file *files;
  int count;
  struct similar similar;
  int listed; /* of its pairs: those of min_percent or more */
};

/* What the state folder's page and table are written to. */
struct writer {
  struct class *class;
  int min_percent;
  struct text table;
  struct html page;
};

/* --- reading --- */

/* The lab's file as it was handed out, or NULL. */
static char *skeleton_of(const struct class *class, const char *lab) {
  struct lab opened;
  lab_open(&class->kit, lab, &opened);
  char *text = file_read(opened.source, NULL);
  lab_free(&opened);
  return text;
}

static void add_file(struct lab_list *list, struct class *class, sqlite3_stmt *row,
                     const char *skeleton) {
  const char *name = row_text(row, 1), *attempt = row_text(row, 2);
  autofree char *whole = class_path(class, "files/%s/%s.cu", attempt, list->lab),
                *text = file_read(whole, NULL);
  if (!text) {
    class_problem(class, "%s: %s: it is not compared with others", whole, strerror(errno));
  } else {
    *array_add(list->files, list->count) =
        (struct similar_file){.student = row_copy(row, 0),
                              .name = name ? xstrdup(name) : NULL,
                              .attempt = xstrdup(attempt),
                              .text = similar_strip(text, skeleton)};
  }
}

static void read_files(struct class *class, struct lab_list *list) {
  autofree char *skeleton = skeleton_of(class, list->lab);
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT a.student, s.name, a.work FROM attempt a LEFT JOIN student s ON s.id = "
      "a.student "
      "WHERE a.lab = ?1 AND a.counts = 1 AND a.status <> 'refused' "
      "GROUP BY a.work ORDER BY min(a.student), a.work",
      "s", list->lab);
  while (row_next(rows)) add_file(list, class, rows, skeleton);
}

static void free_list(struct lab_list *list) {
  for (int i = 0; i < list->count; i++) {
    free_all(list->files[i].student, list->files[i].name, list->files[i].attempt,
             list->files[i].text);
  }
  free(list->files);
  similar_free(&list->similar);
  free(list->lab);
}

/* --- the table: tab-separated, for programs --- */

/* Tabs and the like in a name would make other columns. */
static void add_cell(struct text *table, const char *cell) {
  text_add_printable(table, cell ? cell : "", cell ? strlen(cell) : 0, true);
  text_add(table, "\t");
}

static void add_row(struct writer *writer, const struct lab_list *list, const char *kind, int a,
                    int b, int a_in_b, int b_in_a) {
  struct text *table = &writer->table;
  const struct similar_file *x = &list->files[a], *y = &list->files[b];
  add_cell(table, list->lab);
  add_cell(table, kind);
  text_add(table, "%d\t%d\t", a_in_b, b_in_a);
  add_cell(table, x->student);
  add_cell(table, y->student);
  add_cell(table, x->name);
  add_cell(table, y->name);
  text_add(table, "%s\t%s\n", x->attempt, y->attempt);
}

static void write_table(struct writer *writer, const struct lab_list *list) {
  for (int i = 0; i < list->count; i++)
    if (list->similar.same_as[i] != i)
      add_row(writer, list, "same", list->similar.same_as[i], i, 100, 100);
  for (int i = 0; i < list->listed; i++) {
    const struct similar_pair *pair = &list->similar.pairs[i];
    add_row(writer, list, "alike", pair->a, pair->b, pair->a_in_b, pair->b_in_a);
  }
}

/* --- words that table, page and terminal have in common --- */

static char *who(const struct similar_file *file) {
  if (!file->name || !*file->name) return xstrdup(file->student);
  return xprintf("%s (%s)", file->name, file->student);
}

/* The names of all that are the same as file `first`; NULL: nobody else. */
static char *names_of_same(const struct lab_list *list, int first) {
  struct text names = {0};
  int count = 0;
  for (int i = first; i < list->count; i++) {
    if (list->similar.same_as[i] != first) continue;
    autofree char *name = who(&list->files[i]);
    text_add(&names, "%s%s", count++ ? ", " : "", name);
  }
  if (count > 1) return names.data;
  text_free(&names);
  return NULL;
}

static char *summary_of(const struct lab_list *list) {
  int left_out = 0;
  for (int i = 0; i < list->count; i++) left_out += list->similar.too_short[i];
  struct text words = {0};
  text_add(&words, "%s: %d submissions", list->lab, list->count);
  if (left_out) text_add(&words, ", %d of them hardly more than what was handed out", left_out);
  if (list->similar.pair_count > 0)
    text_add(&words, "; half of all pairs are at least %d %% alike", list->similar.typical);
  return words.data;
}

/* --- the page --- */

static void write_code(struct html *html, const char *name, const char *code) {
  html_open(html, "div", NULL);
  html_element(html, name, "h3", NULL);
  html_element(html, code, "pre", NULL);
  html_close(html, "div");
}

static void write_pair(struct writer *writer, const struct lab_list *list, int number) {
  struct html *html = &writer->page;
  const struct similar_pair *pair = &list->similar.pairs[number];
  const struct similar_file *a = &list->files[pair->a], *b = &list->files[pair->b];
  autofree char *first = who(a), *second = who(b);
  html_open(html, "details", "class", "fold", NULL);
  html_open(html, "summary", NULL);
  html_format(html, "%d %% of ", pair->a_in_b);
  html_element(html, first, "b", NULL);
  html_text(html, " is in ");
  html_element(html, second, "b", NULL);
  html_format(html, ", %d %% the other way", pair->b_in_a);
  html_close(html, "summary");
  html_open(html, "div", "class", "pair", NULL);
  write_code(html, first, a->text);
  write_code(html, second, b->text);
  report_html_close(html, "div", "details", NULL);
}

static void write_lab(struct writer *writer, const struct lab_list *list) {
  struct html *html = &writer->page;
  autofree char *summary = summary_of(list);
  html_open(html, "section", "class", "pairs", NULL);
  html_element(html, list->lab, "h2", NULL);
  html_open(html, "p", NULL);
  html_format(html, "%s.", summary);
  html_close(html, "p");
  for (int i = 0; i < list->count; i++) {
    autofree char *names = list->similar.same_as[i] == i ? names_of_same(list, i) : NULL;
    if (!names) continue;
    html_open(html, "p", NULL);
    html_element(html, "The same except for layout and comments:", "b", NULL);
    html_format(html, " %s", names);
    html_close(html, "p");
  }
  for (int i = 0; i < list->listed && i < PAIRS_SIDE_BY_SIDE; i++) write_pair(writer, list, i);
  autofree char *rest =
      list->listed == 0 ? xprintf("No pair is %d %% alike.", writer->min_percent)
      : list->listed > PAIRS_SIDE_BY_SIDE
          ? xprintf("And %d more pairs: similar.tsv lists them.", list->listed - PAIRS_SIDE_BY_SIDE)
          : NULL;
  if (rest) report_html_paragraph(html, NULL, rest);
  report_html_close(html, "section", NULL);
}

static void open_page(struct html *html) {
  static const struct html_link links[] = {{NULL, NULL}};
  report_html_begin(html, NULL, "Similar submissions", NULL, NULL, links);
  html_open(html, "div", "class", "callout", NULL);
  report_html_paragraph(html, NULL, caution);
  report_html_paragraph(html, NULL,
                        "The kernels of the attempts that count are compared, without comments and "
                        "without the lines that were handed out, as sequences of tokens in which "
                        "all names are equal. Open a pair to see both.");
  html_close(html, "div");
}

/* --- the terminal --- */

/* A line to stdout; names come from outside. */
__attribute__((format(printf, 1, 2))) static void print_line(const char *format, ...) {
  va_list args;
  va_start(args, format);
  autofree char *line = xvprintf(format, args);
  va_end(args);
  freed_by(text_free) struct text clean = {0};
  text_add_printable(&clean, line, strlen(line), true);
  puts(text_get(&clean));
}

static void print_lab(const struct writer *writer, const struct lab_list *list) {
  autofree char *summary = summary_of(list);
  print_line("%s", summary);
  for (int i = 0; i < list->count; i++) {
    autofree char *names = list->similar.same_as[i] == i ? names_of_same(list, i) : NULL;
    if (names) print_line("  the same except for layout and comments: %s", names);
  }
  for (int i = 0; i < list->listed && i < PAIRS_PRINTED; i++) {
    const struct similar_pair *pair = &list->similar.pairs[i];
    autofree char *a = who(&list->files[pair->a]), *b = who(&list->files[pair->b]);
    print_line("  %3d %% %3d %%  %s and %s", pair->a_in_b, pair->b_in_a, a, b);
  }
  if (list->listed == 0) print_line("  no pair is %d %% alike", writer->min_percent);
  if (list->listed > PAIRS_PRINTED) print_line("  and %d more pairs", list->listed - PAIRS_PRINTED);
}

/* --- all of it --- */

static void add_lab(struct writer *writer, const char *lab) {
  struct lab_list list = {.lab = xstrdup(lab)};
  char *error = NULL;
  read_files(writer->class, &list);
  if (similar_compare(list.files, list.count, &list.similar, &error) != 0)
    die("--similar: %s", error);
  while (list.listed < list.similar.pair_count &&
         similar_percent(&list.similar.pairs[list.listed]) >= writer->min_percent)
    list.listed++;
  write_table(writer, &list);
  write_lab(writer, &list);
  print_lab(writer, &list);
  free_list(&list);
}

void similar_write(struct class *class, int min_percent) {
  struct writer writer = {.class = class, .min_percent = min_percent};
  text_add(&writer.table,
           "# %s\nlab\tkind\ta_in_b\tb_in_a\tstudent_a\tstudent_b\tname_a\tname_b\t"
           "attempt_a\tattempt_b\n",
           caution);
  open_page(&writer.page);
  sqlite3_stmt *labs = gradebook_query(
      class->book, "SELECT DISTINCT lab FROM attempt WHERE counts = 1 AND lab <> '' ORDER BY lab",
      "");
  while (row_next(labs)) add_lab(&writer, row_text(labs, 0));
  static const char *const footer[] = {NULL};
  report_html_end(&writer.page, footer);

  autofree char *folder = class_path(class, "report");
  folder_make(folder);
  autofree char *table = xprintf("%s/similar.tsv", folder),
                *page = xprintf("%s/similar.html", folder);
  file_write(table, text_get(&writer.table), writer.table.length);
  file_write(page, text_get(&writer.page.text), writer.page.text.length);
  print_line("%s", caution);
  print_line("Side by side: %s; as a table: %s", short_path(page), short_path(table));
  text_free(&writer.table);
  text_free(&writer.page.text);
}
