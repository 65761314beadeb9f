/* The functions by their names: sqlite3ext.h defines no macros then. */
#define SQLITE_CORE 1
#include "sqlite.h"

#include "input/report.h"

#include <stdio.h>

/* SQLITE_PIECE in pages of a writer. */
#define SORTED_PAGES ((unsigned)SQLITE_PIECE / 16)

#ifndef URLSIFT_WITH_SQLITE

bool sqlite_load(char *why)
{
	snprintf(why, WHY_SIZE, "not in this build");
	return false;
}

bool sqlite_version(char *text)
{
	return sqlite_load(text);
}

#elif defined(URLSIFT_LINK_SQLITE)

bool sqlite_load(char *why)
{
	(void)why;
	sqlite3_config(SQLITE_CONFIG_PMASZ, SORTED_PAGES);
	return true;
}

bool sqlite_version(char *text)
{
	snprintf(text, WHY_SIZE, "%s", sqlite3_libversion());
	return true;
}

#else

#include "input/library.h"

#define SONAME "libsqlite3.so.0"
LIBRARY_NOTE(sqlite, "recommended", "index, query and pages of archives", SONAME);

/* Set once, before any thread starts: calls through a table that is passed around could not be written as calls of
 * SQLite. */
const sqlite3_api_routines *sqlite3_api;
char **sqlite_temp_directory;

/* SQLite hands its functions to the extensions of a database that is opened. */
static int take_functions(sqlite3 *db, char **message, const sqlite3_api_routines *functions)
{
	(void)db;
	(void)message;
	sqlite3_api = functions;
	return SQLITE_OK;
}

struct loader {
	char **temp_directory;
	int (*auto_extension)(void (*entry)(void)), (*cancel_auto_extension)(void (*entry)(void));
	int (*open)(const char *name, sqlite3 **db), (*close)(sqlite3 *db), (*config)(int option, ...);
};

static const struct library library_sqlite = {
	.name = "SQLite", .size = sizeof(struct loader), .file = (const char *const[]){ SONAME, "libsqlite3.so", NULL },
	.function = (const char *const[]){ "sqlite3_temp_directory", "sqlite3_auto_extension",
	                                   "sqlite3_cancel_auto_extension", "sqlite3_open", "sqlite3_close",
	                                   "sqlite3_config", NULL }
};

bool sqlite_load(char *why)
{
	struct loader l;
	sqlite3 *db = NULL;
	if (sqlite3_api)
		return true;
	if (!library_load(&library_sqlite, &l, why))
		return false;
	sqlite_temp_directory = l.temp_directory;
	l.config(SQLITE_CONFIG_MEMSTATUS, 0); /* sums that nobody reads, behind a lock */
	l.config(SQLITE_CONFIG_PMASZ, SORTED_PAGES);
	void (*entry)(void) = (void (*)(void))take_functions;
	if (l.auto_extension(entry) == SQLITE_OK)
		l.open(":memory:", &db);
	l.close(db);
	l.cancel_auto_extension(entry);
	if (sqlite3_api && sqlite3_api->prepare_v3)
		return true;
	snprintf(why, WHY_SIZE, "it lacks a function");
	return false;
}

bool sqlite_version(char *text)
{
	if (!sqlite_load(text))
		return false;
	snprintf(text, WHY_SIZE, "%s", sqlite3_api->libversion());
	return true;
}

#endif
