/* The fast way for simple links, which can be switched off: these replace the functions of src/scan/simple.c, see the
 * linker's option --wrap in the Makefile. */
#include "run.h"

struct candidate;
size_t __real_simple_read(struct candidate *c, size_t i);
size_t __wrap_simple_read(struct candidate *c, size_t i);
bool __real_link_looks_simple(const urlsift_link *l);
bool __wrap_link_looks_simple(const urlsift_link *l);

size_t __wrap_simple_read(struct candidate *c, size_t i) { return run_is_general ? 0 : __real_simple_read(c, i); }

bool __wrap_link_looks_simple(const urlsift_link *l) { return !run_is_general && __real_link_looks_simple(l); }
