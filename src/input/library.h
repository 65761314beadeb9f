/* Libraries that are opened when they are needed, or linked: of each a table of the functions that are used. */
#ifndef INPUT_LIBRARY_H
#define INPUT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct library {
	const char *name;
	const char *version;         /* where no function returns it */
	size_t size;                 /* of the table; 0: it is not in this build */
	const void *linked;          /* the table; NULL: the library is opened when it is needed */
	const char *const *function; /* the names of the functions */
	const char *const *file;     /* the names of the library on several systems; both end in NULL */
};

/* Fills in the table.  On failure returns false with the reason in `why`, of WHY_SIZE bytes.  A library stays open:
 * to open it again is quick. */
bool library_load(const struct library *library, void *table, char *why);
/* Writes the version, which the first function returns, to `text`, of WHY_SIZE bytes.  False, with the reason there, if
 * the library cannot be loaded. */
bool library_version(const struct library *library, char *text);

/* FUNCTIONS(X) is X(function) for each function.  LIBRARY_TABLE declares the table, the others are initialisers. */
#define LIBRARY_FIELD(function) __typeof__(function) *function;
#define LIBRARY_ENTRY(function) .function = function,
#define LIBRARY_NAME(function) #function,
#define LIBRARY_TABLE(table, FUNCTIONS) struct table { FUNCTIONS(LIBRARY_FIELD) }
#define LIBRARY_LINKED(called, table, FUNCTIONS) \
	.name = called, .size = sizeof(struct table), .linked = &(const struct table){ FUNCTIONS(LIBRARY_ENTRY) }
#define LIBRARY_OPENED(called, table, FUNCTIONS, ...) \
	.name = called, .size = sizeof(struct table), .function = (const char *const[]){ FUNCTIONS(LIBRARY_NAME) NULL }, \
	.file = (const char *const[]){ __VA_ARGS__, NULL }

/* For packagers: a dependency that the dynamic linker does not know
 * (https://uapi-group.org/specifications/specs/elf_dlopen_metadata/). */
#ifdef __ELF__
#define LIBRARY_NOTE(feature, priority, description, soname) \
	LIBRARY_NOTE_OF(feature, "[{\"feature\":\"" #feature "\",\"description\":\"" description "\"," \
	                         "\"priority\":\"" priority "\",\"soname\":[\"" soname "\"]}]")
#define LIBRARY_NOTE_OF(feature, text) \
	__attribute__((used, section(".note.dlopen"), aligned(4))) static const struct { \
		uint32_t owner_size, note_size, type; \
		char owner[4], note[(sizeof text + 3) / 4 * 4]; \
	} note_of_##feature = { 4, sizeof text, 0x407c0c0a, "FDO", text }
#else
#define LIBRARY_NOTE(feature, priority, description, soname) struct note_of_##feature
#endif

#endif
