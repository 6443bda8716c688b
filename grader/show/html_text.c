/* html_text.c: writes elements and escaped text. */
#include "grader/show/html_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- characters --- */

/* Control characters, and others that nobody sees or that make a line read as another. */
static bool is_hidden(long code) {
  static const struct {
    long first, last;
  } ranges[] = {
      {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
      {0x180e, 0x180e}, {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e},
      {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code >= ranges[i].first && code <= ranges[i].last) return true;
  return false;
}

/* What is written for a character, or NULL: itself. */
static const char *replacement(long code, char *buffer, size_t size) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '\t':
    case '\n':
      return NULL;
    default:
      break;
  }
  if (code < 0 || (code & 0xfffe) == 0xfffe) return "\ufffd"; /* the latter: no characters */
  if (!is_hidden(code)) return NULL;
  snprintf(buffer, size, "\u27e8U+%04lX\u27e9", code);
  return buffer;
}

void html_escape(struct text *text, const char *bytes, size_t length) {
  size_t plain = 0; /* from here to i nothing needs a replacement */
  for (size_t i = 0, step; i < length; i += step) {
    char buffer[32];
    long code = utf8_decode(bytes + i, length - i, &step);
    const char *other = replacement(code, buffer, sizeof buffer);
    if (!other) continue;
    text_append(text, bytes + plain, i - plain);
    text_append(text, other, strlen(other));
    plain = i + step;
  }
  text_append(text, bytes + plain, length - plain);
}

size_t html_cut(const char *bytes, size_t length, size_t max) {
  if (length <= max) return length;
  for (int back = 0; back < 3 && max > 0 && (bytes[max] & 0xc0) == 0x80; back++) max--;
  return max;
}

void html_bytes(struct html *html, const char *bytes, size_t length) {
  html_escape(&html->text, bytes, length);
}

void html_text(struct html *html, const char *string) { html_bytes(html, string, strlen(string)); }

void html_format(struct html *html, const char *format, ...) {
  va_list args;
  va_start(args, format);
  autofree char *string = xvprintf(format, args);
  va_end(args);
  html_text(html, string);
}

void html_print(struct html *html, const char *format, ...) {
  struct text *text = &html->text;
  va_list args;
  va_start(args, format);
  for (const char *at = format; *at;) {
    size_t length = strcspn(at, "%'");
    text_append(text, at, length);
    at += length;
    if (!*at) break;
    length = *at == '\'' ? 1 : strcspn(at + 1, "%cdfgsu") + 2;
    char *one = xprintf("%.*s", (int)length, at), kind = one[length - 1];
    if (kind == '\'' || kind == '%')
      text_append(text, kind == '%' ? "%" : "\"", 1);
    else if (kind == 's')
      html_text(html, va_arg(args, const char *));
    else if (kind == 'f' || kind == 'g')
      text_add(text, one, va_arg(args, double));
    else if (strpbrk(one, "lz"))
      text_add(text, one, va_arg(args, long));
    else
      text_add(text, one, va_arg(args, int));
    free(one);
    at += length;
  }
  va_end(args);
}

void html_raw(struct html *html, const char *markup) {
  text_append(&html->text, markup, strlen(markup));
}

/* --- elements --- */

static void write_tag(struct html *html, const char *name, va_list args, const char *end) {
  text_add(&html->text, "<%s", name);
  for (const char *key, *value; (key = va_arg(args, const char *)) != NULL;) {
    value = va_arg(args, const char *);
    if (!value) continue;
    text_add(&html->text, " %s=\"", key);
    html_text(html, value);
    html_raw(html, "\"");
  }
  html_raw(html, end);
}

static void push(struct html *html, const char *name) {
  if (html->depth == HTML_DEPTH) die("a page nests its elements too deeply, at <%s>", name);
  html->open[html->depth++] = name;
}

void html_open(struct html *html, const char *name, ...) {
  va_list args;
  va_start(args, name);
  write_tag(html, name, args, ">");
  va_end(args);
  push(html, name);
}

void html_close(struct html *html, const char *name) {
  if (html->depth == 0 || strcmp(html->open[html->depth - 1], name) != 0)
    die("a page closes <%s> where it is not open", name);
  html->depth--;
  text_add(&html->text, "</%s>", name);
}

void html_empty(struct html *html, const char *name, ...) {
  va_list args;
  va_start(args, name);
  write_tag(html, name, args, "/>");
  va_end(args);
}

void html_element(struct html *html, const char *text, const char *name, ...) {
  va_list args;
  va_start(args, name);
  write_tag(html, name, args, ">");
  va_end(args);
  html_text(html, text);
  text_add(&html->text, "</%s>", name);
}

/* --- URLs --- */

void html_path(struct text *url, const char *path) {
  text_append(url, "./", 2);
  for (; *path; path++) {
    bool plain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
                 (*path >= '0' && *path <= '9') || strchr("-._~/", *path);
    text_add(url, plain ? "%c" : "%%%02X", plain ? *path : (unsigned char)*path);
  }
}

void html_base64(struct text *text, const void *bytes, size_t length) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *s = bytes;
  for (size_t i = 0; i < length; i += 3) {
    size_t left = length - i;
    unsigned group =
        (unsigned)s[i] << 16 | (left > 1 ? (unsigned)s[i + 1] << 8 : 0) | (left > 2 ? s[i + 2] : 0);
    char four[4] = {digits[group >> 18], digits[group >> 12 & 63],
                    left > 1 ? digits[group >> 6 & 63] : '=', left > 2 ? digits[group & 63] : '='};
    text_append(text, four, sizeof four);
  }
}

/* --- the frame of a page; looks are in page.css --- */

/* The text of page.css, put here by the assembler so that programs need no file. */
__asm__(
    ".pushsection .rodata\n"
    "kit_page_css: .incbin \"grader/show/page.css\"\n"
    ".byte 0\n"
    ".popsection\n");
extern const char kit_page_css[];

/* Nothing is fetched and nothing runs, even if something got past html_escape(). */
static const char policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'";

void html_frame_open(struct html *html, const char *title, const char *more_css) {
  html_print(html,
             "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'/>"
             "<meta http-equiv='Content-Security-Policy' content='%s'/>"
             "<meta name='viewport' content='width=device-width, initial-scale=1'/>"
             "<meta name='color-scheme' content='light dark'/>"
             "<meta name='referrer' content='no-referrer'/><title>%s</title><style>",
             policy, title);
  html_raw(html, kit_page_css);
  if (more_css) html_raw(html, more_css);
  html_print(html, "</style></head>\n<body>");
}

void html_frame_close(struct html *html) { html_print(html, "</body></html>\n"); }

void html_header_open(struct html *html, const char *label, const char *heading,
                      const struct html_link *links) {
  html_print(html, "<header><div class='row'><h1>");
  if (label) html_print(html, "<span class='lab'>%s</span> ", label);
  html_print(html, "%s</h1>", heading);
  if (!links->url) return;
  html_print(html, "<nav aria-label='sections'>");
  for (; links->url; links++) html_print(html, "<a href='%s'>%s</a>", links->url, links->title);
  html_print(html, "</nav>");
}

void html_header_close(struct html *html) { html_print(html, "</div></header>"); }

void html_table_open(struct html *html, const char *class, const struct html_column *columns,
                     int count) {
  html_print(html, "<table class='%s'>", class);
  if (count > 0) {
    html_print(html, "<thead><tr>");
    for (int i = 0; i < count; i++)
      html_element(html, columns[i].title, "th", "scope", "col", "class", columns[i].class, NULL);
    html_print(html, "</tr></thead>\n");
  }
  html_print(html, "<tbody>");
}

void html_table_close(struct html *html) { html_print(html, "</tbody></table>"); }
