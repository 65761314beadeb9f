#include "library.h"

#include "report.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool library_load(const struct library *library, void *table, char *why)
{
	if (library->size == 0) {
		snprintf(why, WHY_SIZE, "not in this build");
		return false;
	}
	if (library->linked) {
		memcpy(table, library->linked, library->size);
		return true;
	}
	void *handle = NULL, *found = NULL;
#ifndef URLSIFT_STATIC /* such a program has what is linked */
	for (const char *const *file = library->file; !handle && *file; file++)
		handle = dlopen(*file, RTLD_LAZY | RTLD_LOCAL);
#endif
	/* POSIX: an object pointer from dlsym can be stored as a function pointer. */
	for (size_t i = 0; handle && library->function[i]; i++) {
		if (!(found = dlsym(handle, library->function[i])))
			break;
		memcpy((char *)table + i * sizeof found, &found, sizeof found);
	}
	if (!found)
		snprintf(why, WHY_SIZE, "%s", handle ? "it lacks a function" : "it was not found");
	return found;
}

bool library_version(const struct library *library, char *text)
{
	enum { MOST = 64 };
	const char *(*function[MOST])(void);
	if (!library_load(library, function, text))
		return false;
	const char *version = library->version ? library->version : function[0]();
	version += strcspn(version, "0123456789");
	snprintf(text, WHY_SIZE, "%.*s", (int)strspn(version, "0123456789."), version);
	return true;
}
