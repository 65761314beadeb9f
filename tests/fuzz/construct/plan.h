/* Draws a run: its options, and what it reads. */
#ifndef FUZZ_PLAN_H
#define FUZZ_PLAN_H

#include "options.h"

/* From the state and the bytes of `c`.  The caller frees plan->scan. */
void construct_plan(struct choices *c, struct plan *plan, struct bytes *source);

#endif
