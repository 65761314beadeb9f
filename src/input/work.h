/* Does jobs: the bytes of sources, of ranges of mailboxes and of archives go to a
 * reader. */
#ifndef INPUT_WORK_H
#define INPUT_WORK_H

#include "reader.h"

/* Does the job: that of the seat, or, alone, with a seat of NULL, any. */
void work_do(struct reader *r, struct seat *seat, const struct job *job);

#endif
