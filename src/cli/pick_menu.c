/* The menu without fzf, and the texts of links that both show. */
#include "pick.h"

#include "text/ascii.h"
#include "text/unicode.h"
#include "url/tracking.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- Texts of a link ---------------------------------------------------------------------- */

size_t pick_tracking(const char *url, FILE *names)
{
	size_t count = 0, at = 0, n;
	const char *before = "";
	for (; tracking_next(url, strlen(url), &at, &n); count++, before = ", ")
		if (names)
			fprintf(names, "%s%.*s", before, (int)n, url + at);
	return count;
}

/* Writes the field, if there is something in it, in the place of the %s of the format. */
static void put_field(FILE *to, const char *format, const char *field)
{
	if (*field)
		fprintf(to, format, field);
}

char *pick_row(const struct pick *p, size_t i)
{
	enum { HEAD = 24, TAIL = 12 }; /* bytes of a long link that stay, with its scheme and host */
	const char *const *f = p->links[i].field;
	const char *dots = p->terminal.utf8 ? "\xe2\x80\xa6" : "...";
	bool tracked = pick_tracking(f[PICK_TARGET], NULL) > 0;
	struct pick_text row;
	FILE *to = pick_text_begin(&row);
	/* The names of the warnings may not fit. */
	fprintf(to, "%*zu%s ", snprintf(NULL, 0, "%zu", p->count), i + 1, *f[PICK_WARNINGS] ? "!" : " ");
	if (*f[PICK_LABEL])
		fprintf(to, "%s%s%s  ", f[PICK_LABEL], text_if(*f[PICK_HOST], "  "), f[PICK_HOST]);
	if (*f[PICK_WARNINGS] || tracked)
		fprintf(to, "[%s%s%s]  ", f[PICK_WARNINGS], text_if(*f[PICK_WARNINGS] && tracked, ", "),
		        text_if(tracked, "tracking"));
	const char *text = f[PICK_TEXT], *host = strstr(text, "://");
	const size_t n = strlen(text), named = host ? (size_t)(host - text) + 3 + strcspn(host + 3, "/?#") : 0;
	const size_t head = utf8_begin(text, smaller(n, larger(named, HEAD)), n);
	const size_t tail = utf8_begin(text, excess(n, TAIL), n);
	if (p->shorten && head + 3 < tail)
		fprintf(to, "%.*s%s%s", (int)head, text, dots, text + tail);
	else
		fputs(text, to);
	put_field(to, "  %s", f[PICK_PLACE]);
	if (*f[PICK_BEFORE] || *f[PICK_AFTER])
		fprintf(to, "  %s%s%s", f[PICK_BEFORE], dots, f[PICK_AFTER]);
	return pick_text_end(&row);
}

char *pick_details(const struct pick_link *link)
{
	const char *const *f = link->field;
	struct pick_text page;
	FILE *to = pick_text_begin(&page);
	fprintf(to, "%s\n", f[PICK_TEXT]);
	put_field(to, "in %s\n", f[PICK_PLACE]);
	put_field(to, "Warning: %s\n", f[PICK_REASONS]);
	if (pick_tracking(f[PICK_TARGET], NULL)) {
		fputs("Tracking parameters, removed by x: ", to);
		pick_tracking(f[PICK_TARGET], to);
		fputc('\n', to);
	}
	if (*f[PICK_BEFORE] || *f[PICK_LABEL] || *f[PICK_AFTER])
		fprintf(to, "%s[%s]%s\n", f[PICK_BEFORE], text_full_or(f[PICK_SHOWN], f[PICK_TEXT]), f[PICK_AFTER]);
	/* What begins with the link again goes on after it. */
	const size_t n = strcspn(f[PICK_PAGE], "\n");
	const bool again = text_is(f[PICK_PAGE], n, f[PICK_TEXT]);
	fprintf(to, "%s%s", text_if(!again, "\n"), f[PICK_PAGE] + (again ? n + (f[PICK_PAGE][n] == '\n') : 0));
	return pick_text_end(&page);
}

/* ---- The menu ----------------------------------------------------------------------------- */

/* Puts what was searched for in a row between \1 and \2. */
static void mark_found(const struct pick *p, char **row)
{
	struct pick_text text;
	const char *from = *row;
	FILE *to = pick_text_begin(&text);
	for (size_t n = strlen(from), at; n; from += at, n -= at) {
		at = pick_match(p, from, n);
		fprintf(to, "%.*s", (int)at, from);
		from += at;
		n -= at;
		at = smaller(strlen(p->search), n);
		if (at)
			fprintf(to, "\1%.*s\2", (int)at, from);
	}
	free(*row);
	*row = pick_text_end(&text);
}

void pick_draw(struct pick *p)
{
	size_t below = 1;
	pick_measure(p);
	char *lines = pick_status_lines(p, p->terminal.columns - 1, &below);
	size_t rows = larger(excess(p->terminal.rows, below), 1);
	p->top = larger(smaller(p->top, p->at), excess(p->at + 1, rows));
	pick_clear(p);
	for (size_t i = p->top; i < smaller(p->count, p->top + rows); i++) {
		const char head[] = { " >"[i == p->at], " *"[p->links[i].marked], '\0' };
		size_t left = p->terminal.columns - 1;
		char *row = pick_row(p, i);
		if (p->found)
			mark_found(p, &row);
		pick_put(p, p->terminal.descriptor, head, &left);
		pick_put(p, p->terminal.descriptor, row, &left);
		if (p->found)
			pick_control(p, "", "\x1b[0m"); /* a mark may end beyond the line */
		pick_say(p, "\r\n");
		free(row);
	}
	for (const char *line = lines; *line;) {
		size_t left = p->terminal.columns - 1;
		line += pick_put(p, p->terminal.descriptor, line, &left);
		line += strcspn(line, "\n");
		pick_say(p, text_if(*line, "\r\n"));
		line += *line == '\n';
	}
	free(lines);
}

void pick_menu(struct pick *p)
{
	while (!p->done) {
		pick_draw(p);
		pick_key_press(p, pick_read_key(p));
	}
}
