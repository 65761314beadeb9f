/* The keys of the menu: from this table come its actions, those of fzf, the help, and what the manual is compared with.
 * */
#include "pick.h"

#include "text/ascii.h"

#include <ctype.h>
#include <strings.h>

static const struct pick_key table[] = {
	{ "?", "help", "show these keys", NULL, PICK_STAY, pick_do_help },
	{ "q Esc Ctrl-C Ctrl-D", "quit", "leave", NULL, PICK_STAY, pick_do_leave },
	{ "Ctrl-Z", NULL, "stop until the shell lets it go on", NULL, PICK_STAY, pick_do_stop },
	{ "Enter o Ctrl-O", "open", "open the marked links, or this one", NULL, PICK_STAY, pick_do_open },
	{ "O", NULL, "open them in a new window", NULL, PICK_STAY, pick_do_open_window },
	{ "l", NULL, "open links with the next program", NULL, PICK_STAY, pick_next_opener },
	{ "Tab", "mark", "mark the link, or remove the mark", "toggle+down", PICK_STAY, pick_do_mark },
	{ "a", NULL, "mark all links, or none", "toggle-all", PICK_STAY, pick_do_mark_all },
	{ "c Ctrl-Y", "copy", "copy the marked links, or this one", NULL, PICK_STAY, pick_do_copy },
	{ "C", NULL, "copy them to the primary selection", NULL, PICK_STAY, pick_do_copy_primary },
	{ "/", "search", "search for a text", NULL, PICK_STAY, pick_do_search },
	{ "n", NULL, "next link that was searched for", NULL, PICK_STAY, pick_do_next },
	{ "N", NULL, "previous link that was searched for", NULL, PICK_STAY, pick_do_previous },
	{ "e Ctrl-E", "explain", "explain the link", NULL, PICK_STAY, pick_do_explain },
	{ "t", "text", "show the whole text with the link marked", NULL, PICK_STAY, pick_do_text },
	{ "E", NULL, "edit the link, then open it", NULL, PICK_STAY, pick_do_edit },
	{ "x", NULL, "remove tracking parameters", NULL, PICK_STAY, pick_do_clean },
	{ "|", NULL, "give the links to a command", NULL, PICK_STAY, pick_do_command },
	{ "s", NULL, "shorten long links in the menu, or not", NULL, PICK_STAY, pick_do_shorten },
	{ "r", NULL, "reverse the order of the links", NULL, PICK_STAY, pick_do_reverse },
	{ "j Down Ctrl-N", NULL, "next link", "down", PICK_DOWN, NULL },
	{ "k Up Ctrl-P", NULL, "previous link", "up", PICK_UP, NULL },
	{ "PgDn Space", NULL, "next page", "page-down", PICK_PAGE_DOWN, NULL },
	{ "PgUp b", NULL, "previous page", "page-up", PICK_PAGE_UP, NULL },
	{ "g Home", NULL, "first link", "first", PICK_FIRST, NULL },
	{ "G End", NULL, "last link", "last", PICK_LAST, NULL },
	{ "0-9", NULL, "link with this number", NULL, PICK_STAY, pick_do_digit },
};
#define TABLE_END (table + sizeof table / sizeof *table)

static const struct {
	const char *name;
	int key;
} key_names[] = {
	{ "Enter", '\r' }, { "Tab", '\t' }, { "Esc", PICK_KEY_ESCAPE }, { "Space", ' ' }, { "Up", PICK_KEY_UP },
	{ "Down", PICK_KEY_DOWN }, { "PgUp", PICK_KEY_PAGE_UP }, { "PgDn", PICK_KEY_PAGE_DOWN }, { "Home", PICK_KEY_HOME },
	{ "End", PICK_KEY_END },
};

/* ---- Names ----------------------------------------------------------------------------- */

/* The next name of a row, and the keys that it stands for. */
struct name {
	const char *at;
	size_t length;
	int first, last;
};

static bool next_name(struct name *n)
{
	n->at += n->length;
	n->at += strspn(n->at, " ");
	n->length = strcspn(n->at, " ");
	n->first = n->last = (unsigned char)*n->at;
	if (n->length == 3 && n->at[1] == '-')
		n->last = n->at[2];
	else if (n->length == 6)
		n->first = n->last = PICK_CONTROL(n->at[5]);
	else
		for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++)
			if (text_is(n->at, n->length, key_names[i].name))
				n->first = n->last = key_names[i].key;
	return n->length > 0;
}

const struct pick_key *pick_key_find(int key)
{
	static const struct pick_key none = { .names = "", .move = PICK_STAY };
	for (const struct pick_key *row = table; row < TABLE_END; row++)
		for (struct name n = { .at = row->names }; next_name(&n);)
			if (key >= n.first && key <= n.last)
				return row;
	return &none;
}

void pick_keys_write(FILE *to)
{
	for (const struct pick_key *row = table; row < TABLE_END; row++) {
		int width = 0;
		const char *before = "  ";
		for (struct name n = { .at = row->names }; next_name(&n); before = ", ")
			width += fprintf(to, "%s%.*s", before, (int)n.length, n.at);
		fprintf(to, "%*s%s\n", 26 - width, "", row->help);
	}
}

void pick_list(void)
{
	pick_keys_write(stdout);
}

void pick_keys_bind(FILE *to, const char *word)
{
	for (const struct pick_key *row = table; row < TABLE_END; row++) {
		for (struct name n = { .at = row->names }; next_name(&n);) {
			for (int key = n.first; key <= n.last; key++) {
				if (n.last > n.first)
					fputc(key, to);
				else
					for (size_t i = 0; i < n.length; i++)
						fputc(n.length > 1 ? tolower((unsigned char)n.at[i]) : n.at[i], to);
				if (row->fzf)
					fprintf(to, ":%s,", row->fzf);
				else
					fprintf(to, ":become(%s %d {n} {+n})+become(%s %d),", word, key, word, key);
			}
		}
	}
}

void pick_keys_hint(const struct pick *p, FILE *to, size_t columns)
{
	for (const struct pick_key *row = table; row < TABLE_END; row++) {
		const char *hint = row->act == pick_do_open && p->options->pick.print ? "print" : row->hint;
		if (!hint)
			continue;
		size_t n = strcspn(row->names, " "), width = n + strlen(hint) + 3;
		if (width > columns + 2)
			return;
		fprintf(to, "%.*s %s  ", (int)n, row->names, hint);
		columns = excess(columns, width);
	}
}

/* ---- What they do ------------------------------------------------------------------------- */

size_t pick_moved(enum pick_move move, size_t at, size_t last, size_t page)
{
	const size_t to[] = {
		[PICK_STAY] = at, [PICK_DOWN] = smaller(at + 1, last), [PICK_UP] = excess(at, 1),
		[PICK_PAGE_DOWN] = smaller(at + page, last), [PICK_PAGE_UP] = excess(at, page), [PICK_FIRST] = 0,
		[PICK_LAST] = last
	};
	return to[move];
}

void pick_key_press(struct pick *p, int key)
{
	const struct pick_key *row = pick_key_find(key == PICK_KEY_NONE ? 'q' : key);
	if (!key)
		return;
	*p->note = '\0';
	p->found = false;
	p->key = key;
	if (row->act != pick_do_digit)
		p->number = 0;
	if (row->act)
		row->act(p);
	else
		p->at = pick_moved(row->move, p->at, p->count - 1, larger(excess(p->terminal.rows, 1), 1));
}
