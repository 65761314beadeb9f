/* What an input is, from as few of its bytes as tell it. */
#ifndef INPUT_DETECT_H
#define INPUT_DETECT_H

#include "urlsift-mail.h"

#include <stdbool.h>

/* Bytes that detect_kind needs behind the input, to write on. */
enum { DETECT_ROOM = 32 };

/* Whether the first n bytes tell what the input is, which *kind then says:
 * whatever follows would change nothing.  `complete`: nothing follows.  From
 * URLSIFT_DETECT_BYTES on they always do.  The bytes are the same afterwards. */
bool detect_kind(char *bytes, size_t n, bool complete, urlsift_mail_kind *kind);

#endif
