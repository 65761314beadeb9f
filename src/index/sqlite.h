/* The functions of SQLite, which is loaded when a verb needs it: linked, it takes a fifth of a millisecond of every
 * run. */
#ifndef INDEX_SQLITE_H
#define INDEX_SQLITE_H

#include <stdbool.h>

#ifdef URLSIFT_WITH_SQLITE
#ifdef URLSIFT_LINK_SQLITE
#include <sqlite3.h>
#else
/* Its macros make the functions members of a table, sqlite3_api, as in an extension of SQLite. */
#include <sqlite3ext.h>
extern const sqlite3_api_routines *sqlite3_api;
extern char **sqlite_temp_directory;
#define sqlite3_temp_directory (*sqlite_temp_directory)
#endif
#endif

/* Must be called before any other function of SQLite, by one thread.  False with the reason in `why`, of WHY_SIZE
 * bytes. */
bool sqlite_load(char *why);
/* The version of SQLite.  False with the reason, in `text` as well. */
bool sqlite_version(char *text);

#endif
