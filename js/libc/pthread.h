/* wasi-libc has no threads: the mutex of src/url/url.h locks nothing. */
#ifndef PTHREAD_H
#define PTHREAD_H
typedef int pthread_mutex_t;
static inline int pthread_mutex_init(pthread_mutex_t *m, const void *attributes) { return (void)attributes, *m = 0; }
static inline int pthread_mutex_destroy(pthread_mutex_t *m) { return *m = 0; }
static inline int pthread_mutex_lock(pthread_mutex_t *m) { return *m = 1, 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *m) { return *m = 0; }
#endif
