/* Mail without plain pieces: parts that are long and have hardly a link are read to their end, and
 * no text has the base of one before it. */
#include "check.h"
#include "urlsift-mail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long links;

static int take_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	(void)user;
	(void)place;
	links += piece->link && !piece->part;
	return 0;
}

/* `count` times the unit between head and tail: a link in the tail is found, and nothing fails. */
static void check(const char *what, const char *head, const char *unit, size_t count, const char *tail,
	unsigned long wanted)
{
	const urlsift_mail_sink sink = {NULL, NULL, take_piece, NULL, NULL};
	const urlsift_mail_options o = {.kind = URLSIFT_KIND_MBOX, .headers = URLSIFT_HEADERS_URLS};
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_options *scan = urlsift_options_new(NULL);
	urlsift_options_set(scan, URLSIFT_OPT_PLAIN, 0);
	urlsift_mail *m = urlsift_mail_new(context, scan, &o, &sink);
	size_t unit_length = strlen(unit), block = 16384 / unit_length * unit_length;
	char *bytes = malloc(block);
	if (!m || !bytes)
		abort();
	for (size_t i = 0; i < block; i += unit_length)
		memcpy(bytes + i, unit, unit_length);
	links = 0;
	urlsift_mail_feed(m, head, strlen(head));
	for (size_t left = count * unit_length; left; left -= left < block ? left : block)
		urlsift_mail_feed(m, bytes, left < block ? left : block);
	urlsift_mail_feed(m, tail, strlen(tail));
	urlsift_status status = urlsift_mail_finish(m);
	check_at(status == URLSIFT_OK && links == wanted, __FILE__, __LINE__, what, "status %d, %lu links, not %lu", (int)status,
	         links, wanted);
	free(bytes);
	urlsift_mail_free(m);
	urlsift_options_free(scan);
	urlsift_context_free(context);
}

int main(void)
{
	const char *from = "From a@example.org Tue Sep  2 23:48:38 2017\n";
	char head[256];
	snprintf(head, sizeof head, "%sContent-Type: text/html\n\n", from);
	check("tags between letters", head, "x<br>", 400000, " http://a.example/\n", 1);
	check("references", head, "&lt;", 400000, " http://a.example/\n", 1);
	check("tags between words", head, "x <b>y</b> ", 200000, "http://a.example/\n", 1);
	snprintf(head, sizeof head, "%sContent-Type: text/html; charset=iso-2022-jp\n\n", from);
	check("converted", head, "\x1b$B$\"\x1b(B<i>", 200000, " http://a.example/\n", 1);
	snprintf(head, sizeof head, "%s\n", from);
	check("quoted From lines", head, ">From x\n", 200000, "http://a.example/\n", 1);
	snprintf(head, sizeof head, "%sContent-Type: text/html\nContent-Base: http://a.example/d/\n\n<a href=p>x</a>\n\n%s",
	         from, from);
	check("a base before", head, "X: y\n", 1, "Content-Type: message/external-body; access-type=URL; URL=q\n\n\n", 2);
	return check_end();
}
