#include "decompress_layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef URLSIFT_WITH_ARCHIVE

struct archive_library *archive_library_open(char *why)
{
	snprintf(why, WHY_SIZE, "not in this build");
	return NULL;
}

void archive_library_close(struct archive_library *library)
{
	(void)library;
}

bool unpacker_archive_version(char *text)
{
	return archive_library_open(text);
}

#else

#include "decompress_library.h"

#ifndef URLSIFT_LINK_ARCHIVE

#include <dlfcn.h>

/* The versions of the binary interface of 3.x, in which the functions are the same. */
#ifdef __APPLE__
#define SONAME "libarchive.13.dylib"
#define OTHER_SONAME "/usr/lib/libarchive.2.dylib"
#else
#define SONAME "libarchive.so.13"
#define OTHER_SONAME "libarchive.so"
#endif

#ifdef __ELF__
/* For packagers: a dependency that the dynamic linker does not know
 * (https://uapi-group.org/specifications/specs/elf_dlopen_metadata/). */
#define NOTE "[{\"feature\":\"archives\",\"description\":\"reads archives and compressed files other than gzip\"," \
	"\"priority\":\"recommended\",\"soname\":[\"" SONAME "\"]}]"
__attribute__((used, section(".note.dlopen"), aligned(4))) static const struct {
	uint32_t owner_size, note_size, type;
	char owner[4], note[(sizeof NOTE + 3) / 4 * 4];
} note = { 4, sizeof NOTE, 0x407c0c0a, "FDO", NOTE };
#endif

static bool find_functions(struct archive_library *a)
{
	/* POSIX: an object pointer from dlsym can be stored as a function pointer. */
#define FIND(function) \
	void *found_##function = dlsym(a->handle, #function); \
	if (!found_##function) \
		return false; \
	memcpy(&a->function, &found_##function, sizeof found_##function);
	ARCHIVE_FUNCTIONS(FIND)
	return true;
}

struct archive_library *archive_library_open(char *why)
{
	static const char *const names[] = { SONAME, OTHER_SONAME };
	struct archive_library *a = calloc(1, sizeof *a);
	for (size_t i = 0; a && !a->handle && i < sizeof names / sizeof *names; i++)
		a->handle = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
	if (a && a->handle && find_functions(a))
		return a;
	snprintf(why, WHY_SIZE, "%s", !a ? "out of memory" : a->handle ? "it lacks a function" : "it was not found");
	archive_library_close(a);
	return NULL;
}

void archive_library_close(struct archive_library *a)
{
	if (a && a->handle)
		dlclose(a->handle);
	free(a);
}

#else

struct archive_library *archive_library_open(char *why)
{
	struct archive_library *a = malloc(sizeof *a);
#define ENTRY(function) .function = function,
	if (a)
		*a = (struct archive_library){ ARCHIVE_FUNCTIONS(ENTRY) .handle = NULL };
	else
		snprintf(why, WHY_SIZE, "out of memory");
	return a;
}

void archive_library_close(struct archive_library *a)
{
	free(a);
}

#endif

bool unpacker_archive_version(char *text)
{
	struct archive_library *a = archive_library_open(text);
	const char *name = a ? a->archive_version_string() : NULL;
	if (name)
		snprintf(text, WHY_SIZE, "%s", name + strcspn(name, "0123456789"));
	archive_library_close(a);
	return name;
}

#endif
