/* Descriptors, processes, programs; what a signal interrupts is done again. */
#ifndef INPUT_DESCRIPTOR_H
#define INPUT_DESCRIPTOR_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* The number, 0 for a negative one. */
static inline uint64_t not_negative(int64_t n) { return n > 0 ? (uint64_t)n : 0; }
/* The bytes of a read or write: none where it failed. */
static inline size_t bytes_moved(ssize_t result) { return result > 0 ? (size_t)result : 0; }
/* The errno of a call that failed, else 0. */
static inline int errno_if(bool wrong) { return wrong ? errno : 0; }
/* Whether it says that there is no such file. */
static inline bool errno_is_missing(int error) { return error == ENOENT || error == ENOTDIR; }
enum { DESCRIPTOR_NONE = -1 };
/* Closes a descriptor, unless it is DESCRIPTOR_NONE, which it becomes.  0 or an errno. */
int descriptor_close(int *descriptor);
/* Reads up to n bytes, as read(2) does. */
ssize_t descriptor_read(int descriptor, void *to, size_t n);
/* Reads n bytes at an offset, fewer only at the end of the file.  Returns their number, or -1 with errno. */
ssize_t descriptor_read_at(int descriptor, uint64_t at, void *to, size_t n);
/* Locks a file for writing, until the descriptor is closed.  0 or an errno; EAGAIN if another process has locked it. */
int descriptor_lock(int descriptor);
/* Makes a pipe, or two sockets that are connected, which are closed on exec.  False with errno. */
bool descriptor_pipe(int ends[2]);
bool descriptor_connect(int ends[2]);
/* Opens a file to be read, standard input for "-"; NULL with errno. */
FILE *descriptor_file_open(const char *name);
/* Closes it, unless it is NULL, which it becomes. */
void descriptor_file_close(FILE **file);
/* Waits for the end of a process, whose status is stored.  False, and 0, if there is none of this id. */
bool process_wait(pid_t id, int *status);
/* Waits for it, and returns its exit status; `otherwise` if it was killed, or there is none. */
int process_exit_status(pid_t id, int otherwise);
/* Finds the file that execvp would run.  False if there is none, or its name has no room. */
bool program_find(const char *name, char *path, size_t size);

#endif
