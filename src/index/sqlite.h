/* SQLite, loaded at run time by the verbs that need it: linking it costs a fifth of a millisecond in every run. */
#ifndef INDEX_SQLITE_H
#define INDEX_SQLITE_H

#include <stdbool.h>

#ifdef URLSIFT_WITH_SQLITE
#ifdef URLSIFT_LINK_SQLITE
#include <sqlite3.h>
#else
/* As in an extension of SQLite, macros turn its functions into members of the table sqlite3_api. */
#include <sqlite3ext.h>
extern const sqlite3_api_routines *sqlite3_api;
extern char **sqlite_temp_directory;
#define sqlite3_temp_directory (*sqlite_temp_directory)
#endif
#endif

enum { SQLITE_PIECE = 1024 }; /* KiB that SQLite sorts at once, at least */

/* Loads SQLite.  Must be called by one thread, before any function of SQLite.  On failure returns false with the reason
 * in `why`, of WHY_SIZE bytes. */
bool sqlite_load(char *why);
/* Writes the version of SQLite to `text`, of WHY_SIZE bytes.  On failure returns false with the reason there. */
bool sqlite_version(char *text);

#endif
