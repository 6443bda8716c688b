/* gradebook.c: opens or creates the database, and wraps SQLite's calls. */
#include "grader/class/base/gradebook.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/text.h"

/* Columns are named in grader/show/json.c's words where they hold what the grade's JSON holds. */
static const char schema[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);"

    /* listed: in the roster. submitted: when, from a roster of Moodle's. */
    "CREATE TABLE student(id TEXT PRIMARY KEY, name TEXT, email TEXT, section TEXT,"
    "  pseudonym TEXT, listed INTEGER NOT NULL DEFAULT 0, submitted TEXT);"

    /* What the roster knows students by; kind: identity.h's names. */
    "CREATE TABLE identifier(kind TEXT NOT NULL, value TEXT NOT NULL, student TEXT NOT NULL,"
    "  PRIMARY KEY(kind, value, student));"

    /* Who hands in, by what the platform calls them (key: its kind and value); which student that
     * is is worked out again whenever the roster or another submitter changes (submitters.c).
     * match: identity, case, name; NULL: a student of their own. why: a half sentence on why that
     * is so. scope: which download they were last in. */
    "CREATE TABLE submitter(key TEXT PRIMARY KEY, kind TEXT NOT NULL, value TEXT NOT NULL,"
    "  name TEXT, email TEXT, sid TEXT, clone INTEGER NOT NULL DEFAULT 0, scope TEXT,"
    "  student TEXT, match TEXT, why TEXT);"
    "CREATE INDEX submitter_student ON submitter(student);"

    /* status: pending, graded, error (the kit's or the machine's fault), refused (reason: why).
     * counts: 1 for the one of a student's attempts at a lab that counts. late: seconds;
     * marked_late: by the platform, which does not show how many. file: as it was handed in. work:
     * what is graded, named by one of its attempts; of a group all members' are one. */
    "CREATE TABLE attempt(id TEXT PRIMARY KEY, student TEXT NOT NULL, submitter TEXT NOT NULL,"
    "  work TEXT NOT NULL, lab TEXT NOT NULL,"
    "  number INTEGER NOT NULL, submitted TEXT, late INTEGER NOT NULL DEFAULT 0,"
    "  marked_late INTEGER NOT NULL DEFAULT 0, file TEXT,"
    "  sha256 TEXT, status TEXT NOT NULL CHECK(status IN ('pending','graded','error','refused')),"
    "  counts INTEGER NOT NULL DEFAULT 0, verdict TEXT, score INTEGER, max INTEGER, reason TEXT,"
    "  seed INTEGER, backend TEXT, device TEXT, sandbox TEXT, kit_version TEXT, conf_hash TEXT,"
    "  graded_at TEXT, seconds REAL);"
    "CREATE INDEX attempt_student ON attempt(student, lab);"
    "CREATE INDEX attempt_submitter ON attempt(submitter, lab);"
    "CREATE INDEX attempt_work ON attempt(work);"

    "CREATE TABLE item(attempt TEXT NOT NULL, position INTEGER, item TEXT NOT NULL, title TEXT,"
    "  class TEXT, points INTEGER, max INTEGER, value REAL, reason TEXT, hint TEXT,"
    "  PRIMARY KEY(attempt, item)) WITHOUT ROWID;"

    "CREATE TABLE hazard(attempt TEXT NOT NULL, position INTEGER, kind TEXT, warning INTEGER,"
    "  line INTEGER, other_line INTEGER, kernel TEXT, array TEXT, message TEXT, count INTEGER);"
    "CREATE INDEX hazard_attempt ON hazard(attempt);"

    /* of: submission, reference, baseline. */
    "CREATE TABLE case_run(attempt TEXT NOT NULL, case_name TEXT NOT NULL, of TEXT NOT NULL,"
    "  name TEXT, state TEXT, kind TEXT, reason TEXT, launches INTEGER, time_ns INTEGER,"
    "  PRIMARY KEY(attempt, case_name, of)) WITHOUT ROWID;"

    /* Totals of a case's first call; those that are not 0. Most rows by far: like the other tables
     * of an attempt's measurements it is its own index (WITHOUT ROWID). */
    "CREATE TABLE counter(attempt TEXT NOT NULL, case_name TEXT NOT NULL, of TEXT NOT NULL,"
    "  name TEXT NOT NULL, value INTEGER, PRIMARY KEY(attempt, case_name, of, name)) WITHOUT ROWID;"

    "CREATE TABLE launch(attempt TEXT NOT NULL, position INTEGER, case_name TEXT, kernel TEXT,"
    "  grid_x INTEGER, grid_y INTEGER, grid_z INTEGER, block_x INTEGER, block_y INTEGER,"
    "  block_z INTEGER, shared_bytes INTEGER, registers INTEGER, time_ns INTEGER, time_kind TEXT,"
    "  bound TEXT, line INTEGER, PRIMARY KEY(attempt, position)) WITHOUT ROWID;"

    "CREATE TABLE share(attempt TEXT NOT NULL, case_name TEXT NOT NULL, unit TEXT, reached REAL,"
    "  ceiling REAL, of TEXT, percent REAL, PRIMARY KEY(attempt, case_name)) WITHOUT ROWID;"

    /* attempt.h: what each grade is, and every change of one. */
    "CREATE TABLE standing(student TEXT NOT NULL, lab TEXT NOT NULL, attempt TEXT, status TEXT,"
    "  score INTEGER, max INTEGER, late INTEGER, PRIMARY KEY(student, lab));"
    "CREATE TABLE change(id INTEGER PRIMARY KEY, at TEXT NOT NULL, student TEXT NOT NULL,"
    "  lab TEXT NOT NULL, cause TEXT NOT NULL, old_attempt TEXT, old_status TEXT,"
    "  old_score INTEGER, old_max INTEGER, old_late INTEGER, attempt TEXT, status TEXT,"
    "  score INTEGER, max INTEGER, late INTEGER);"
    "CREATE INDEX change_student ON change(student);"

    /* pin.h: what the grades of a lab are given by. */
    "CREATE TABLE pin(lab TEXT PRIMARY KEY, kit_version TEXT, conf_hash TEXT, conf TEXT,"
    "  hidden TEXT, at TEXT);"

    /* A work's whole grade, packed (result.c): for --regrade to score again, and for feedback. */
    "CREATE TABLE result(work TEXT PRIMARY KEY, json TEXT);";

/* Ends the program with SQLite's message, and what to do about it. */
static _Noreturn void fail(sqlite3 *db, const char *path) {
  int code = sqlite3_errcode(db);
  const char *words = sqlite3_errmsg(db), *advice = "";
  switch (code & 0xff) {
    case SQLITE_FULL:
      words = "the disk is full";
      advice = "; what was graded is kept: make room, and run the same command again";
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      advice = "; put a backup in its place, or move it away to grade again";
      break;
    case SQLITE_IOERR:
      if (errno == ENOSPC || errno == EDQUOT) words = strerror(errno);
      advice = "; what was graded is kept: run the same command again when the disk works";
      break;
    case SQLITE_BUSY:
      words = "another program has it locked";
      break;
    default:;
  }
  die("gradebook %s: %s%s", path, words, advice);
}

static void execute(struct gradebook *book, const char *sql) {
  if (sqlite3_exec(book->db, sql, NULL, NULL, NULL) != SQLITE_OK) fail(book->db, book->path);
}

/* To add a schema: raise GRADEBOOK_SCHEMA and give the statements that lead there. */
static void migrate(struct gradebook *book) {
  long long version = gradebook_number(book, "PRAGMA user_version", "");
  if (version == GRADEBOOK_SCHEMA) return;
  if (version > GRADEBOOK_SCHEMA)
    die("gradebook %s was written by a newer kit (schema %lld, this kit knows %d)", book->path,
        version, GRADEBOOK_SCHEMA);
  gradebook_begin(book);
  /* Somebody else may have been first. */
  if (gradebook_number(book, "PRAGMA user_version", "") == 0) {
    execute(book, schema);
    gradebook_run(book, "INSERT INTO meta VALUES('schema', ?1)", "i", GRADEBOOK_SCHEMA);
    autofree char *pragma = xprintf("PRAGMA user_version=%d", GRADEBOOK_SCHEMA);
    execute(book, pragma);
  }
  gradebook_commit(book);
}

struct gradebook *gradebook_open(const char *path, bool read_only) {
  if (read_only && access(path, F_OK) != 0) die("there is no gradebook %s", path);
  struct gradebook *book = xcalloc(1, sizeof *book);
  book->path = xstrdup(path);
  int flags = SQLITE_OPEN_READWRITE | (read_only ? 0 : SQLITE_OPEN_CREATE);
  if (sqlite3_open_v2(path, &book->db, flags, NULL) != SQLITE_OK) fail(book->db, path);
  sqlite3_extended_result_codes(book->db, 1);
  sqlite3_busy_timeout(book->db, 20000);
  if (read_only) {
    execute(book, "PRAGMA query_only=1");
  } else {
    execute(book, "PRAGMA journal_mode=WAL");
    execute(book, "PRAGMA synchronous=FULL");
    /* Rows go all over a large gradebook: few of its pages are written twice, or read again, with
     * 128 MB of them in memory and 64 MB in the log. */
    execute(book, "PRAGMA cache_size=-131072");
    execute(book, "PRAGMA wal_autocheckpoint=16384");
    migrate(book);
  }
  return book;
}

void gradebook_close(struct gradebook *book) {
  if (!book) return;
  sqlite3_close_v2(book->db);
  free_all(book->path, book);
}

static sqlite3_stmt *prepare(struct gradebook *book, const char *sql, const char *types,
                             va_list args) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(book->db, sql, -1, &statement, NULL) != SQLITE_OK)
    fail(book->db, book->path);
  for (int i = 1; types[i - 1]; i++) {
    int result = SQLITE_OK;
    switch (types[i - 1]) {
      case 's': /* NULL binds null */
        result = sqlite3_bind_text(statement, i, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
        break;
      case 'b': {
        const void *bytes = va_arg(args, const void *);
        result = sqlite3_bind_blob64(statement, i, bytes, va_arg(args, size_t), SQLITE_TRANSIENT);
        break;
      }
      case 'i':
        result = sqlite3_bind_int(statement, i, va_arg(args, int));
        break;
      case 'l':
        result = sqlite3_bind_int64(statement, i, va_arg(args, long long));
        break;
      case 'd': /* NaN binds null */
        result = sqlite3_bind_double(statement, i, va_arg(args, double));
        break;
      default:
        die("gradebook: no type '%c'", types[i - 1]);
    }
    if (result != SQLITE_OK) fail(book->db, book->path);
  }
  return statement;
}

static bool step(sqlite3_stmt *rows) {
  int result = sqlite3_step(rows);
  sqlite3 *db = sqlite3_db_handle(rows);
  if (result != SQLITE_ROW && result != SQLITE_DONE) fail(db, sqlite3_db_filename(db, "main"));
  return result == SQLITE_ROW;
}

bool row_next(sqlite3_stmt *rows) {
  bool there = step(rows);
  if (!there) sqlite3_finalize(rows);
  return there;
}

void gradebook_run(struct gradebook *book, const char *sql, const char *types, ...) {
  va_list args;
  va_start(args, types);
  sqlite3_stmt *statement = prepare(book, sql, types, args);
  va_end(args);
  while (row_next(statement)) continue;
}

sqlite3_stmt *gradebook_query(struct gradebook *book, const char *sql, const char *types, ...) {
  va_list args;
  va_start(args, types);
  sqlite3_stmt *statement = prepare(book, sql, types, args);
  va_end(args);
  return statement;
}

const char *row_text(sqlite3_stmt *row, int column) {
  return (const char *)sqlite3_column_text(row, column);
}

char *row_copy(sqlite3_stmt *row, int column) {
  const char *text = row_text(row, column);
  return text ? xstrdup(text) : NULL;
}

double row_double(sqlite3_stmt *row, int column) {
  return sqlite3_column_type(row, column) == SQLITE_NULL ? (double)NAN
                                                         : sqlite3_column_double(row, column);
}

long long gradebook_number(struct gradebook *book, const char *sql, const char *types, ...) {
  va_list args;
  va_start(args, types);
  sqlite3_stmt *rows = prepare(book, sql, types, args);
  va_end(args);
  long long number = step(rows) ? sqlite3_column_int64(rows, 0) : 0;
  sqlite3_finalize(rows);
  return number;
}

char *gradebook_string(struct gradebook *book, const char *sql, const char *types, ...) {
  va_list args;
  va_start(args, types);
  sqlite3_stmt *rows = prepare(book, sql, types, args);
  va_end(args);
  char *copy = step(rows) ? row_copy(rows, 0) : NULL;
  sqlite3_finalize(rows);
  return copy;
}

void gradebook_begin(struct gradebook *book) { execute(book, "BEGIN IMMEDIATE"); }
void gradebook_commit(struct gradebook *book) { execute(book, "COMMIT"); }

char *gradebook_meta(struct gradebook *book, const char *key) {
  return gradebook_string(book, "SELECT value FROM meta WHERE key=?1", "s", key);
}

void gradebook_set_meta(struct gradebook *book, const char *key, const char *value) {
  gradebook_run(book, "INSERT OR REPLACE INTO meta VALUES(?1, ?2)", "ss", key, value);
}

char *gradebook_text(const char *words) {
  if (!words || !*words) return NULL;
  struct text text = {0};
  text_add_printable(&text, words, strlen(words), true);
  return text.data;
}

char *gradebook_time(long long seconds) {
  time_t when = (time_t)seconds;
  struct tm parts;
  if (!gmtime_r(&when, &parts)) return xstrdup("");
  return xprintf("%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900, parts.tm_mon + 1,
                 parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

char *gradebook_now(void) { return gradebook_time((long long)time(NULL)); }
