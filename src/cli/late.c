/* libidn2 and libpsl, for the command: the functions that the library calls, which open theirs when the first of them
 * is called.  Few texts have a host that needs one.  Linked, the two and libunistring, which both bring, take 0.56 of
 * 1.2 million instructions of a start.  IDN2=link and PSL=link leave these out. */
#include "input/library.h"
#include "input/memory.h"
#include "input/report.h"

#if defined(URLSIFT_WITH_IDN2) && !defined(URLSIFT_LINK_IDN2)
#define OPEN_IDN2
#include <idn2.h>
#endif
#if defined(URLSIFT_WITH_PSL) && !defined(URLSIFT_LINK_PSL)
#define OPEN_PSL
#include <libpsl.h>
#endif

#if defined(OPEN_IDN2) || defined(OPEN_PSL)
#include <pthread.h>
#include <stdio.h>

/* Opens it, or ends the process: the package that has the command depends on it. */
static void library_need(const struct library *library, void *table)
{
	char why[WHY_SIZE], line[2 * WHY_SIZE];
	if (library_load(library, table, why))
		return;
	snprintf(line, sizeof line, "%s: %s", library->name, why);
	fail_process(line);
}
#endif

#ifdef OPEN_IDN2
#define IDN2(X) X(idn2_check_version) X(idn2_lookup_u8) X(idn2_free)
LIBRARY_TABLE(idn2, IDN2);
static const struct library library_idn2 = { LIBRARY_OPENED("libidn2", idn2, IDN2, "libidn2.so.0") };
LIBRARY_NOTE(idn2, "required", "internationalized domain names", "libidn2.so.0");

static struct idn2 idn2;
static pthread_once_t idn2_once = PTHREAD_ONCE_INIT;

static void open_idn2(void)
{
	library_need(&library_idn2, &idn2);
}

const char *idn2_check_version(const char *wanted)
{
	pthread_once(&idn2_once, open_idn2);
	return idn2.idn2_check_version(wanted);
}

int idn2_lookup_u8(const uint8_t *host, uint8_t **name, int flags)
{
	pthread_once(&idn2_once, open_idn2);
	return idn2.idn2_lookup_u8(host, name, flags);
}

void idn2_free(void *name) { idn2.idn2_free(name); }
#endif

#ifdef OPEN_PSL
#define PSL(X) X(psl_get_version) X(psl_builtin) X(psl_is_public_suffix)
LIBRARY_TABLE(psl, PSL);
static const struct library library_psl = { LIBRARY_OPENED("libpsl", psl, PSL, "libpsl.so.5") };
LIBRARY_NOTE(psl, "required", "the owners of domain names", "libpsl.so.5");

static struct psl psl;
static pthread_once_t psl_once = PTHREAD_ONCE_INIT;

static void open_psl(void)
{
	library_need(&library_psl, &psl);
}

const char *psl_get_version(void)
{
	pthread_once(&psl_once, open_psl);
	return psl.psl_get_version();
}

const psl_ctx_t *psl_builtin(void)
{
	pthread_once(&psl_once, open_psl);
	return psl.psl_builtin();
}

int psl_is_public_suffix(const psl_ctx_t *list, const char *name) { return psl.psl_is_public_suffix(list, name); }
#endif
