#ifndef SCAN_OPTIONS_H
#define SCAN_OPTIONS_H

#include "url/url.h"

struct urlsift_options {
	urlsift_allocator alloc;
	long value[URLSIFT_OPT_IMPLEMENTATION + 1];
	char *base;          /* owned; NULL for none */
	size_t base_length;
	const char *charset; /* canonical, static; NULL undeclared */
};

/* The defaults, without an allocator. */
void options_default(urlsift_options *o);

#endif
