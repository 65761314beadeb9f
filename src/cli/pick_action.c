/* What the keys of the menu do. */
#include "pick.h"

#include "text/ascii.h"
#include "url/tracking.h"

#include <stdlib.h>
#include <strings.h>

/* A link as long as the longest that is found. */
enum { EDIT_MOST = 64 * 1024 };

static struct pick_link *current(struct pick *p)
{
	return &p->links[p->at];
}

/* ---- Marks ------------------------------------------------------------------------------- */

struct pick_link *pick_next_marked(const struct pick *p, struct pick_link *after)
{
	struct pick_link *link = after ? after + 1 : p->links, *end = p->links + p->count;
	for (; link < end; link++)
		if (link->marked)
			return link;
	return NULL;
}

size_t pick_count_marks(const struct pick *p)
{
	size_t count = 0;
	for (struct pick_link *link = NULL; (link = pick_next_marked(p, link)); count++)
		;
	return count;
}

void pick_mark_all(struct pick *p, bool marked)
{
	for (size_t i = 0; i < p->count; i++)
		p->links[i].marked = marked;
}

/* Without marks an action is for the current link. */
static void begin_action(struct pick *p)
{
	current(p)->marked |= pick_count_marks(p) == 0;
}

static void end_action(struct pick *p)
{
	pick_mark_all(p, false);
	p->done |= p->options->pick.once;
}

void pick_do_mark(struct pick *p)
{
	current(p)->marked = !current(p)->marked;
	p->at = pick_moved(PICK_DOWN, p->at, p->count - 1, 1);
}

void pick_do_mark_all(struct pick *p)
{
	pick_mark_all(p, pick_count_marks(p) < p->count);
}

/* ---- Moving ------------------------------------------------------------------------------- */

/* Goes to the link whose number is typed. */
void pick_do_digit(struct pick *p)
{
	size_t digit = (size_t)(p->key - '0'), number = 10 * p->number + digit;
	p->number = within(number, 1, p->count) ? number : digit <= p->count ? digit : 0;
	p->at = p->number > 0 ? p->number - 1 : p->at;
}

bool pick_ask_search(struct pick *p, pick_show_fn *show)
{
	char text[sizeof p->search] = "", before[sizeof p->search];
	memcpy(before, p->search, sizeof before);
	const bool good = pick_edit(p, "/", text, sizeof text, show) && *text;
	memcpy(p->search, good ? text : before, sizeof text);
	return good;
}

/* As fzf has it: letter case is ignored unless there are capitals. */
size_t pick_match(const struct pick *p, const char *text, size_t length)
{
	size_t n = strlen(p->search);
	const bool exact = strpbrk(p->search, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	for (size_t i = 0; n && i + n <= length; i++)
		if (!(exact ? strncmp(text + i, p->search, n) : strncasecmp(text + i, p->search, n)))
			return i;
	return length;
}

/* Goes to the next link that is looked for, or the previous one; the current one is the last that is tried. */
static void find(struct pick *p, bool forwards)
{
	if (!*p->search) {
		pick_note(p, "Nothing was searched for yet: /");
		return;
	}
	size_t at = p->at;
	for (size_t tried = 0; tried < p->count; tried++) {
		at = forwards ? (at + 1) % p->count : (at + p->count - 1) % p->count;
		char *row = pick_row(p, at);
		const size_t n = strlen(row);
		p->found = pick_match(p, row, n) < n;
		free(row);
		if (p->found) {
			p->at = at;
			return;
		}
	}
	pick_note(p, "Not found: %s", p->search);
}

/* Shows where the search would go, while it is typed. */
static void show_found(struct pick *p, const char *text)
{
	const size_t at = p->at;
	snprintf(p->search, sizeof p->search, "%s", text);
	*p->note = '\0';
	p->found = false;
	if (*text)
		find(p, true);
	pick_draw(p);
	p->at = at;
}

void pick_do_search(struct pick *p)
{
	if (p->fzf)
		pick_fzf_search(p);
	else if (pick_ask_search(p, p->terminal.plain ? NULL : show_found))
		find(p, true);
	else
		*p->note = '\0';
}

void pick_do_next(struct pick *p)
{
	find(p, true);
}

void pick_do_previous(struct pick *p)
{
	find(p, false);
}

/* ---- Opening and copying ---------------------------------------------------------------------- */

/* The marks are taken from links that must not be opened, and those that have a warning and are not wanted.  False if
 * none is left. */
static bool confirm(struct pick *p)
{
	p->status = STATUS_DONE;
	for (struct pick_link *link = NULL; (link = pick_next_marked(p, link));) {
		if (*link->field[PICK_REFUSAL]) {
			pick_note(p, "%s: not opened: %s; use --print", link->field[PICK_TEXT], link->field[PICK_REFUSAL]);
			p->status = STATUS_INPUT;
			link->marked = false;
			continue;
		}
		if (!*link->field[PICK_REASONS])
			continue;
		size_t left = SIZE_MAX;
		pick_clear(p);
		pick_control(p, "", "\x1b[?7h");
		pick_put(p, p->terminal.descriptor, link->field[PICK_TEXT], &left);
		pick_say(p, "\r\nWarning: ");
		pick_put(p, p->terminal.descriptor, link->field[PICK_REASONS], &left);
		pick_say(p, ".\r\nOpen it? [y/N] ");
		link->marked = (pick_wait_key(p) | 0x20) == 'y';
	}
	return pick_count_marks(p) > 0;
}

void pick_do_open(struct pick *p)
{
	begin_action(p);
	p->print = p->done = p->options->pick.print;
	if (p->print)
		return;
	if (confirm(p))
		pick_open(p);
	end_action(p);
}

void pick_do_open_window(struct pick *p)
{
	p->window = true;
	pick_do_open(p);
	p->window = false;
}

void pick_do_command(struct pick *p)
{
	char command[sizeof p->command];
	memcpy(command, p->command, sizeof command);
	if (!pick_edit(p, "Command: ", command, sizeof command, NULL) || !command[strspn(command, " \t")])
		return;
	memcpy(p->command, command, sizeof command);
	begin_action(p);
	if (confirm(p))
		pick_command(p, command);
	end_action(p);
}

static void copy(struct pick *p, bool primary)
{
	begin_action(p);
	pick_copy(p, primary);
	end_action(p);
}

void pick_do_copy(struct pick *p)
{
	copy(p, false);
}

void pick_do_copy_primary(struct pick *p)
{
	copy(p, true);
}

/* ---- Changing a link -------------------------------------------------------------------------- */

/* What a changed link has from its text; its warnings too if the user wrote it: what is left of a link that the sender
 * wrote may still be a trap. */
static const enum pick_field changes[] = {
	PICK_WARNINGS, PICK_REASONS, PICK_TARGET, PICK_TEXT, PICK_HOST, PICK_REFUSAL, PICK_PAGE
};
enum { CHANGES = sizeof changes / sizeof *changes, CHANGES_BY_SENDER = 2 };

/* The link becomes that of the text, which is read as the input was. */
static bool change(struct pick *p, struct pick_link *link, const char *text, bool by_user)
{
	struct pick_link changed;
	if (!pick_read_link(p, text, &changed)) {
		pick_note(p, "Not a link: %s", text);
		return false;
	}
	for (size_t i = by_user ? 0 : CHANGES_BY_SENDER; i < CHANGES; i++)
		link->field[changes[i]] = changed.field[changes[i]];
	return true;
}

void pick_do_edit(struct pick *p)
{
	const char *target = current(p)->field[PICK_TARGET];
	if (strlen(target) >= EDIT_MOST) {
		pick_note(p, "The link is too long to edit.");
		return;
	}
	char *text = memory_get(EDIT_MOST);
	memcpy(text, target, strlen(target));
	bool open = pick_edit(p, "Open: ", text, EDIT_MOST, NULL)
	            && (!strcmp(text, target) || change(p, current(p), text, true));
	free(text);
	if (!open)
		return;
	pick_mark_all(p, false);
	pick_do_open(p);
}

void pick_do_clean(struct pick *p)
{
	struct pick_text names;
	size_t count = 0;
	const char *before = "";
	FILE *to = pick_text_begin(&names);
	begin_action(p);
	for (struct pick_link *link = NULL; (link = pick_next_marked(p, link));) {
		const char *url = link->field[PICK_TARGET];
		size_t found = pick_tracking(url, NULL);
		if (found == 0)
			continue;
		fputs(before, to);
		before = ", ";
		pick_tracking(url, to);
		char *kept = memory_get(strlen(url) + 1);
		kept[tracking_remove(url, strlen(url), kept)] = '\0';
		count += change(p, link, kept, false) * found;
		free(kept);
	}
	pick_mark_all(p, false);
	pick_text_end(&names);
	if (count)
		pick_note(p, "Removed: %s", names.bytes);
	else if (!*p->note)
		pick_note(p, "There are no tracking parameters.");
	free(names.bytes);
}

void pick_do_shorten(struct pick *p)
{
	p->shorten = !p->shorten;
}

void pick_do_reverse(struct pick *p)
{
	for (size_t i = 0, k = p->count - 1; i < k; i++, k--) {
		const struct pick_link link = p->links[i];
		p->links[i] = p->links[k];
		p->links[k] = link;
	}
	p->at = p->count - 1 - p->at;
}

/* ---- Pages --------------------------------------------------------------------------------------- */

void pick_do_explain(struct pick *p)
{
	pick_page(p, pick_details(current(p)));
}

/* The records in their order are the text.  It keeps one of blank lines in succession, and no blanks at the end of a
 * line: the layout of a page leaves many. */
void pick_do_text(struct pick *p)
{
	struct pick_text text;
	FILE *to = pick_text_begin(&text);
	for (const char *at = p->bytes, *end = at + p->used; at < end;) {
		struct pick_link link;
		const char *between = at + 1;
		at = pick_read_record(at, &link);
		const int marks = link.record == current(p)->record;
		fprintf(to, "%.*s%s%.*s", marks, "\1", link.field[0] ? link.field[PICK_SHOWN] : between, marks, "\2");
	}
	char *whole = pick_text_end(&text), *squeezed = whole;
	bool blank = true;
	for (const char *line = whole; *line;) {
		const size_t n = strcspn(line, "\n"), end = line[n] == '\n';
		size_t kept = strspn(line, " \xC2\xA0") >= n ? 0 : n; /* no-break spaces, too */
		kept = byte_run_back((const uint8_t *)line, 0, kept, ' ');
		memmove(squeezed, line, kept);
		squeezed += kept;
		line += n + end;
		if (end && !(blank && kept == 0))
			*squeezed++ = '\n';
		blank = kept == 0;
	}
	*squeezed = '\0';
	pick_page(p, whole);
}

void pick_do_help(struct pick *p)
{
	struct pick_text text;
	pick_keys_write(pick_text_begin(&text));
	pick_page(p, pick_text_end(&text));
}

void pick_do_leave(struct pick *p)
{
	p->done = true;
}
