/* urlsift_linkify: a text as HTML with anchors, and nothing around it. */
#include "html.h"

#include "scan/scanner.h"

struct page {
	struct writer w;
	struct html_text text; /* between links */
	struct buf html, target;
	size_t target_length; /* of the link; 0: no anchor */
	size_t anchors;       /* of the link so far */
	char block[WRITER_SMALLEST];
};

static int take_piece(void *user, const urlsift_piece *piece)
{
	struct page *p = user;
	const urlsift_link *link = piece->link;
	if (piece_begins_link(piece)) {
		const bool href = link_may_be_href(link);
		p->anchors = p->target_length = 0;
		while (href &&
		       (p->target_length = urlsift_link_target(link, (char *)p->target.data, p->target.room)) > p->target.room)
			if (!buf_reserve(&p->target, p->target_length)) /* nor for URLSIFT_LENGTH_NO_MEMORY */
				return p->w.error = 1;
	}
	if (piece->text_length == 0)
		return 0;
	if (link && html_is_linked(p->target_length, p->anchors)) {
		p->anchors++;
		writer_text(&p->w, "<a href=\"");
		escape_html(&p->w, p->target.data, p->target_length);
		writer_text(&p->w, HTML_RELATION);
		html_text_after(&p->text, html_put_label(&p->text, piece->text, piece->text_length));
	} else {
		html_text_put(&p->text, piece->text, piece->text_length);
	}
	return p->w.error;
}

urlsift_status urlsift_linkify(urlsift_context *context, const urlsift_options *options, const char *text,
                               size_t length, char **html)
{
	if (!html)
		return URLSIFT_BAD_ARGUMENT;
	*html = NULL;
	urlsift_options own = options_or_defaults(options);
	own.value[URLSIFT_OPT_PLAIN] = 1;
	urlsift_context *made = NULL;
	if (!context)
		context = made = urlsift_context_new(NULL);
	if (!context)
		return URLSIFT_NO_MEMORY;
	struct page p = { .w = { .write = render_add, .user = &p.html, .size = sizeof p.block, .data = p.block } };
	buf_init(&p.html, &context->alloc, SIZE_MAX / 2);
	buf_init(&p.target, &context->alloc, SIZE_MAX / 2);
	/* the allocator stands before the text, for urlsift_html_free */
	writer_put(&p.w, &context->alloc, sizeof context->alloc);
	p.text.w = &p.w;
	html_text_begin(&p.text, true);
	const urlsift_sink sink = { take_piece, NULL, &p };
	urlsift_status status = urlsift_scan(context, &own, &sink, text, length);
	html_text_end(&p.text);
	writer_put(&p.w, "", 1);
	writer_flush(&p.w);
	buf_fini(&p.target);
	if (p.w.error)
		status = URLSIFT_NO_MEMORY;
	if (status == URLSIFT_OK)
		*html = (char *)p.html.data + sizeof context->alloc;
	else
		buf_fini(&p.html);
	urlsift_context_free(made);
	return status;
}

void urlsift_html_free(char *html)
{
	urlsift_allocator alloc;
	if (!html)
		return;
	memcpy(&alloc, html - sizeof alloc, sizeof alloc);
	alloc_put(&alloc, html - sizeof alloc);
}
