/* What the fuzzers share. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that must hold for every input, and how it is reported. */
#define REQUIRE_AS(condition, what) \
	((condition) ? (void)0 : (fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, what), abort()))
#define REQUIRE(condition) REQUIRE_AS(condition, #condition)

#endif
