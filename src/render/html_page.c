/* The head of a page.  The title of a page of one message is its subject, and so is the first heading; another page has
 * the name of its first source.  Whether a second message follows is known only later, so what is written after the
 * head is held until then, up to HTML_HELD_MAX bytes. */
#include "html.h"

/* Byte i of what is held and of what the writer has not passed on. */
static char *held_byte(urlsift_renderer *r, size_t i)
{
	const struct html_state *h = r->state;
	const struct buf *held = &h->page.held;
	return i < held->length ? (char *)held->data + i : r->writer.data + (i - held->length);
}

/* Where the next tag begins in those bytes, at i or after it; how many they are for none. */
static size_t find_tag(const urlsift_renderer *r, size_t i)
{
	const struct html_state *h = r->state;
	const struct buf *held = &h->page.held;
	const size_t in = byte_index(held->data, i, held->length, '<');
	if (in < held->length)
		return in;
	return held->length + byte_index((const uint8_t *)r->writer.data, larger(i, in) - in, r->writer.used, '<');
}

/* Writes the head and what was held, if something is; what follows is passed on.  Also called by a writer that is being
 * flushed. */
static int release(urlsift_renderer *r, bool single)
{
	struct html_state *h = r->state;
	struct html_page *page = &h->page;
	char data[WRITER_SMALLEST];
	if (!page->holds)
		return 0;
	struct writer head = { .write = page->write, .user = page->user, .size = sizeof data, .data = data,
	                       .simd = r->writer.simd };
	page->holds = false;
	/* Makes the heading of the only message the first of the page, and those in it the second: no text has a `<`. */
	const size_t n = page->held.length + r->writer.used;
	for (size_t i = find_tag(r, 0); single && i + 3 < n; i = find_tag(r, i + 1)) {
		const size_t name = i + 1 + (*held_byte(r, i + 1) == '/');
		if (*held_byte(r, name) == 'h') /* of h2 or h3 */
			--*held_byte(r, name + 1);
	}
	page->single = single;
	html_put_head(r, &head, single ? &page->subject : NULL);
	writer_flush(&head);
	for (size_t i = 0, k; i < page->held.length && !head.error; i += k) {
		/* larger blocks would be taken for the writer's own: render_exchange */
		k = smaller(page->held.length - i, RENDER_BLOCK / 2);
		head.error = page->write(page->user, page->held.data + i, k);
	}
	buf_fini(&page->held); /* it can be large */
	return head.error;
}

/* The write callback while, and after, the head is not known. */
static int hold(void *user, const void *bytes, size_t n)
{
	urlsift_renderer *r = user;
	struct html_state *h = r->state;
	if (h->page.holds && html_hold(r, &h->page.held, bytes, n))
		return 0;
	const int error = release(r, true);
	return error ? error : h->page.write(h->page.user, bytes, n);
}

void html_page_begin(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	h->page.due = !r->options.html.fragment;
	if (strcmp(r->source, "-"))
		render_keep(r, &h->page.name, r->source, strlen(r->source));
	if (r->options.html.title)
		html_page_decide(r);
}

static void decide(urlsift_renderer *r, bool single)
{
	writer_fail(&r->writer, release(r, single));
}

void html_page_decide(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	struct html_page *page = &h->page;
	if (page->due)
		html_put_head(r, &r->writer, NULL);
	page->due = false;
	/* where all of it would not be held any more, it does not matter that it still is */
	decide(r, page->held.length + r->writer.used > HTML_HELD_MAX);
}

void html_page_text(urlsift_renderer *r)
{
	const struct html_state *h = r->state;
	if (h->page.due)
		html_page_decide(r);
}

void html_page_message(urlsift_renderer *r, const urlsift_message *message)
{
	struct html_state *h = r->state;
	struct html_page *page = &h->page;
	if (!page->due) {
		html_page_decide(r);
		return;
	}
	const urlsift_text subject = html_subject(message);
	const size_t n = smaller(subject.length, sizeof page->text);
	memcpy(page->text, subject.bytes, n);
	page->subject = (urlsift_text){ page->text, n };
	page->due = false;
	page->holds = true;
	page->write = r->writer.write;
	page->user = r->writer.user;
	r->writer.write = hold;
	r->writer.user = r;
}

char html_page_level(const urlsift_renderer *r)
{
	const struct html_state *h = r->state;
	return h->page.single && h->messages == 1 ? '2' : '3';
}

void html_page_end(urlsift_renderer *r)
{
	decide(r, true);
	html_page_decide(r);
}
