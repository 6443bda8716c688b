/* result.h: a work's whole grade in the gradebook, packed: it is a tenth of its JSON. Those of
 * earlier kits are plain text. */
#ifndef KIT_CLASS_RESULT_H
#define KIT_CLASS_RESULT_H

#include "grader/class/base/gradebook.h"

/* Keeps the JSON of a work in place of an earlier one; in the caller's transaction. */
void result_store(struct gradebook *book, const char *work, const char *json);
/* The JSON; NULL: there is none. The caller's. */
char *result_read(struct gradebook *book, const char *work);
/* That of a row of a query for result.json. */
char *result_column(sqlite3_stmt *rows, int column);

#endif
