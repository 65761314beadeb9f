/* What count.c counts. */
#include <stdint.h>

extern uint64_t *count_of_work;
