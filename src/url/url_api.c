/* One URL, without a scanner: the public names of what interpret.c, resolve.c and
 * target.c do. */
#include "context.h"
#include "interpret.h"
#include "resolve.h"
#include "target.h"
#include "text/buf.h"

urlsift_status urlsift_url_interpret(urlsift_context *context, const urlsift_url *url, urlsift_field_fn each, void *user)
{
	urlsift_allocator alloc = alloc_from(context ? &context->alloc : NULL);
	return interpret_url(&alloc, url, each, user);
}

size_t urlsift_url_resolve(const urlsift_url *base, const urlsift_url *reference, urlsift_resolution rules, char *out,
                           size_t size)
{
	return rules == URLSIFT_RESOLVE_RFC1630 ? resolve_rfc1630(base, reference, out, size)
	                                        : resolve_rfc3986(base, reference, out, size);
}

size_t urlsift_url_target(const urlsift_url *url, char *out, size_t size)
{
	return target_write("", (const uint8_t *)url->text, url->length, out, size);
}

size_t urlsift_url_normal(const urlsift_url *url, char *out, size_t size)
{
	return normal_write("", (const uint8_t *)url->text, url->length, out, size);
}
