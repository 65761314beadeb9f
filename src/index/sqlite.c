/* The functions by their names: sqlite3ext.h defines no macros then. */
#define SQLITE_CORE 1
#include "sqlite.h"

#include "input/report.h"

#include <stdio.h>
#include <string.h>

#if !defined(URLSIFT_WITH_SQLITE)

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
	return true;
}

bool sqlite_version(char *text)
{
	snprintf(text, WHY_SIZE, "%s", sqlite3_libversion());
	return true;
}

#else

#include <dlfcn.h>
#include <stdint.h>

#define SONAME "libsqlite3.so.0"

#ifdef __ELF__
/* As in decompress_library.c. */
#define NOTE "[{\"feature\":\"sqlite\",\"description\":\"index, query and pages of archives\"," \
	"\"priority\":\"recommended\",\"soname\":[\"" SONAME "\"]}]"
__attribute__((used, section(".note.dlopen"), aligned(4))) static const struct {
	uint32_t owner_size, note_size, type;
	char owner[4], note[(sizeof NOTE + 3) / 4 * 4];
} note = { 4, sizeof NOTE, 0x407c0c0a, "FDO", NOTE };
#endif

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
	int (*auto_extension)(void (*entry)(void)), (*cancel_auto_extension)(void (*entry)(void));
	int (*open)(const char *name, sqlite3 **db), (*close)(sqlite3 *db);
};

/* POSIX: an object pointer from dlsym can be stored as a function pointer. */
static bool find(void *handle, const char *name, void *to)
{
	void *found = dlsym(handle, name);
	memcpy(to, &found, sizeof found);
	return found;
}

static bool take_table(void *handle)
{
	struct loader l;
	sqlite3 *db = NULL;
	if (!find(handle, "sqlite3_temp_directory", &sqlite_temp_directory) ||
	    !find(handle, "sqlite3_auto_extension", &l.auto_extension) ||
	    !find(handle, "sqlite3_cancel_auto_extension", &l.cancel_auto_extension) ||
	    !find(handle, "sqlite3_open", &l.open) || !find(handle, "sqlite3_close", &l.close))
		return false;
	void (*entry)(void) = (void (*)(void))take_functions;
	if (l.auto_extension(entry) == SQLITE_OK)
		l.open(":memory:", &db);
	l.close(db);
	l.cancel_auto_extension(entry);
	return sqlite3_api && sqlite3_api->prepare_v3;
}

bool sqlite_load(char *why)
{
	static const char *const names[] = { SONAME, "libsqlite3.so" };
	void *handle = NULL;
	if (sqlite3_api)
		return true;
	for (size_t i = 0; !handle && i < sizeof names / sizeof *names; i++)
		handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (handle && take_table(handle))
		return true;
	snprintf(why, WHY_SIZE, "%s", handle ? "it lacks a function" : "it was not found");
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
