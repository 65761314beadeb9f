/* The body of an HTTP response as it was sent: in chunks, and compressed. */
#ifndef INPUT_WEB_BODY_H
#define INPUT_WEB_BODY_H

#include "urlsift.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct web_body;

/* Takes n bytes of the content; false stops. */
typedef bool web_body_sink(void *user, const void *bytes, size_t n);

struct web_body *web_body_new(web_body_sink *sink, void *user);
void web_body_free(struct web_body *b);

/* A body begins.  `coding` is the value of Content-Encoding.  False if there is no decoder for it.  A body that is not
 * in chunks or does not begin like its coding is taken as it is: crawlers keep header fields of what they have decoded.
 * `expansion`: how many times its size a body may expand to. */
bool web_body_begin(struct web_body *b, bool chunked, urlsift_text coding, uint64_t expansion);
/* The next bytes of it.  NULL, or what is wrong: nothing more can be read then. */
const char *web_body_feed(struct web_body *b, const uint8_t *p, size_t n);
const char *web_body_finish(struct web_body *b);

#endif
