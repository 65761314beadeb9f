/* Draws the options of a run, and what its text is about. */
#ifndef FUZZ_OPTIONS_H
#define FUZZ_OPTIONS_H

#include "construct.h"
#include "run.h"

void construct_options(struct choices *c, struct plan *p, bool of_swarm);

#endif
