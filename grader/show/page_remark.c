/* page_remark.c: remarks under a line of source: hazards, what counters mean (page_source.h). */
#include "grader/show/page_source.h"

#include <stdlib.h>
#include <string.h>

#include "grader/show/access_map.h"

enum { HAZARDS_A_LINE = 5 };

void remark_open(struct page *page, const char *class) {
  struct html *html = &page->html;
  html_print(html, "<tr class='remarks'><th></th>");
  if (page->shown_count) html_print(html, "<td class='margin none'></td>");
  html_print(html, "<td><p class='%s'>", class);
}

void remark_close(struct page *page) { html_print(&page->html, "</p></td></tr>\n"); }

/* --- hazards --- */

/* Wrong results have no line of their own: the cases show it. */
static bool concerns(const struct hazard_record *hazard, int line) {
  return strcmp(hazard->kind, "wrong") != 0 && (hazard->line == line || hazard->other_line == line);
}

static void write_hazard(struct page *page, const struct hazard_record *hazard, int line) {
  struct html *html = &page->html;
  remark_open(page, hazard->warning ? "remark warning" : "remark");
  html_print(html, "<b>%s %s</b>", hazard->warning ? "\u26a0" : "\u2717",
             hazard_kind_title(hazard->kind));
  if (hazard->line == line) {
    html_print(html, ": ");
    page_words(page, hazard->message);
  } else {
    page_line(page, " with ", hazard->line);
    html_print(html, ": see there.");
  }
  remark_close(page);
}

/* --- counters --- */

/* The letters of the cases from `first` on with the same words; only the first's are not freed. */
static void write_letters(struct page *page, struct text *words, int first) {
  if (page->shown_count < 2) return;
  for (int i = first; i < page->shown_count; i++) {
    if (i > first && strcmp(text_get(&words[i]), text_get(&words[first])) != 0) continue;
    html_print(&page->html, " <span class='letter'>%s</span>", page_letter(i));
    if (i > first) text_free(&words[i]);
  }
}

/* A fault that several cases have in the same words is shown once. */
static void write_fault(struct page *page, int line, enum fault fault) {
  struct html *html = &page->html;
  struct text words[MAX_SHOWN] = {0};
  for (int i = 0; i < page->shown_count; i++)
    if (figures_fault(&page->shown[i].lines[line], fault, &words[i]))
      access_words(page->shown[i].longest, line, fault, &words[i]);
  for (int i = 0; i < page->shown_count; i++) {
    if (words[i].length == 0) continue;
    remark_open(page, fault == FAULT_LOCAL ? "remark warning" : "remark");
    html_print(html, "<b>\u25b2</b>");
    write_letters(page, words, i);
    html_print(html, " %s", text_get(&words[i]));
    remark_close(page);
    text_free(&words[i]);
  }
}

void remarks_write(struct page *page, int line) {
  int hazards = 0;
  for (int i = 0; i < page->hazard_count; i++)
    if (concerns(&page->hazards[i], line) && hazards++ < HAZARDS_A_LINE)
      write_hazard(page, &page->hazards[i], line);
  if (hazards > HAZARDS_A_LINE) {
    remark_open(page, "remark");
    html_print(&page->html, "and %d more hazards", hazards - HAZARDS_A_LINE);
    remark_close(page);
  }
  for (int fault = 0; fault < FAULTS; fault++) write_fault(page, line, (enum fault)fault);
}

static bool has_fault(const struct page *page, int line, enum fault fault) {
  bool found = false;
  for (int i = 0; i < page->shown_count && !found; i++) {
    freed_by(text_free) struct text words = {0};
    found = figures_fault(&page->shown[i].lines[line], fault, &words);
  }
  return found;
}

const char *remark_class(const struct page *page, int line) {
  bool warned = has_fault(page, line, FAULT_LOCAL);
  for (int i = 0; i < page->hazard_count; i++) {
    const struct hazard_record *hazard = &page->hazards[i];
    if (concerns(hazard, line) && !hazard->warning) return "bad";
    warned |= concerns(hazard, line);
  }
  for (int fault = 0; fault < FAULT_LOCAL; fault++)
    if (has_fault(page, line, (enum fault)fault)) return "bad";
  return warned ? "warning" : NULL;
}

/* --- accesses --- */

/* The warp of this line whose access of this kind costs most, and its record; false if none. */
static bool find_costliest(const struct launch_record *launch, int line, bool shared,
                           const char *op, const struct access_record **record,
                           const struct access_warp **warp) {
  *warp = NULL;
  for (int i = 0; i < launch->access_count; i++) {
    const struct access_record *access = &launch->accesses[i];
    if (access->line != line || access->shared != shared || strcmp(access->op, op) != 0) continue;
    for (int w = 0; w < access->warp_count; w++) {
      if (*warp && access->warps[w].cost <= (*warp)->cost) continue;
      *record = access;
      *warp = &access->warps[w];
    }
  }
  return *warp != NULL;
}

static bool is_active(const struct access_warp *warp, int lane) { return warp->mask >> lane & 1; }

/* Bytes from each active lane to the next lane, if they are the same for all; else 0. */
static long stride_of(const struct access_warp *warp) {
  long stride = 0;
  for (int lane = 0; lane < 31; lane++) {
    if (!is_active(warp, lane) || !is_active(warp, lane + 1)) continue;
    long step = warp->offsets[lane + 1] - warp->offsets[lane];
    if (stride && step != stride) return 0;
    stride = step;
  }
  return stride;
}

static void add_warp(struct text *words, const struct access_record *record,
                     const struct access_warp *warp) {
  text_add(words, " In warp %d of block (%lu,%lu", warp->warp, record->block[0], record->block[1]);
  if (record->block[2]) text_add(words, ",%lu", record->block[2]);
  text_add(words, "),");
}

/* "neighbouring lanes are 128 bytes apart (array A)", or of two lanes if it differs. */
static void add_distance(struct text *words, const struct access_record *record,
                         const struct access_warp *warp) {
  long stride = stride_of(warp), first = labs(warp->offsets[1] - warp->offsets[0]);
  bool two = is_active(warp, 0) && is_active(warp, 1);
  if (stride == 0 && (!two || first < 32)) return;
  add_warp(words, record, warp);
  text_add(words, " %s are %ld bytes apart%s%s%s.", stride ? "neighbouring lanes" : "lanes 0 and 1",
           stride ? labs(stride) : first, record->array[0] ? " (array " : "", record->array,
           record->array[0] ? ")" : "");
}

/* "the lanes read 32 different words of tile in bank 3" */
static void add_bank(struct text *words, const struct access_record *record,
                     const struct access_warp *warp) {
  struct bank_map map;
  int bank = 0;
  bank_map_make(record, warp, &map);
  for (int b = 1; b < MAP_BANKS; b++)
    if (map.words[b] > map.words[bank]) bank = b;
  add_warp(words, record, warp);
  text_add(words, " the lanes %s %d different words%s%s in bank %d.",
           strcmp(record->op, "load") == 0 ? "read" : "write", map.words[bank],
           record->array[0] ? " of " : "", record->array, bank);
}

void access_words(const struct launch_record *launch, int line, enum fault fault,
                  struct text *words) {
  const struct access_record *record = NULL;
  const struct access_warp *warp;
  bool shared = fault == FAULT_SHARED_LOADS || fault == FAULT_SHARED_STORES;
  bool load = fault == FAULT_LOADS || fault == FAULT_SHARED_LOADS;
  if (fault == FAULT_LOCAL) return;
  if (!find_costliest(launch, line, shared, load ? "load" : "store", &record, &warp)) return;
  int ideal;
  if (!shared)
    add_distance(words, record, warp);
  else if (access_cost(record, warp, &ideal) > ideal)
    add_bank(words, record, warp);
}
