/* For a program without AddressSanitizer, which is faster: its functions do nothing, where none is linked.  UBSan may end
 * the program with SIGILL. */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

#pragma weak __asan_poison_memory_region
#pragma weak __asan_unpoison_memory_region
#pragma weak __sanitizer_print_stack_trace
#pragma weak __sanitizer_set_death_callback

void __asan_poison_memory_region(void const volatile *at, size_t n)
{
	(void)at;
	(void)n;
}

void __asan_unpoison_memory_region(void const volatile *at, size_t n)
{
	(void)at;
	(void)n;
}

void __sanitizer_print_stack_trace(void) {}

static void (*on_death)(void);

/* So that a crash has a seed, too. */
static void die(int number)
{
	(void)number;
	on_death();
	_exit(1);
}

void __sanitizer_set_death_callback(void (*callback)(void))
{
	on_death = callback;
	signal(SIGSEGV, die);
	signal(SIGILL, die);
	signal(SIGBUS, die);
}
