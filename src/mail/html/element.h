/* What the elements of HTML and their attributes mean to a reader of text. */
#ifndef MAIL_HTML_ELEMENT_H
#define MAIL_HTML_ELEMENT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	IS_BLOCK = 1,        /* a line of its own */
	IS_CELL = 1 << 1,    /* a blank around it */
	IS_ANCHOR = 1 << 2,
	IS_AREA = 1 << 3,
	IS_BASE = 1 << 4,
	IS_PRE = 1 << 5,     /* line ends in it are line ends */
	IS_RAW = 1 << 6,     /* no tags in it but its end tag */
	IS_HIDDEN = 1 << 7,  /* IS_RAW, and not shown */
	IS_COOKED = 1 << 8,  /* IS_RAW, but references count */
	IS_SCRIPT = 1 << 9,
	IS_ENDLESS = 1 << 10, /* IS_RAW, and has no end tag */
	IS_TEMPLATE = 1 << 11,
	IS_BREAKOUT = 1 << 12, /* in SVG and MathML it ends them */
	IS_BREAKING = 1 << 13, /* and so does its end tag */
	IS_STYLE = 1 << 14,    /* its content is CSS */
	IS_VOID = 1 << 15,     /* it holds nothing: it has no end tag, or its tags are ignored */
	IS_APART = 1 << 16,    /* a blank line around it */
	IS_BREAK = 1 << 17,    /* the line ends, even an empty one */
	IS_FIRST = 1 << 18,    /* a line end right after its tag does not count */
	IS_SVG = 1 << 19,      /* times one of the spaces below */
	IS_TARGET = 1 << 23    /* times one of the targets below, which are fewer than 64 */
};
#define IS_SCOPE 0x20000000u /* times one of the scopes below */

/* What an element means for the anchors in it and around it (HTML, "have an element in scope"). */
enum {
	SCOPE_TABLE = 1,
	SCOPE_CELL,     /* a caption too; outside of a table there is none */
	SCOPE_ROW,      /* what ends a cell */
	SCOPE_OBJECT,
	SCOPE_SELECT,
	SCOPE_TEMPLATE,
	SCOPE_SPACE     /* one of the spaces below */
};

/* The elements with attributes that matter. */
enum {
	TARGET_NONE, TARGET_A, TARGET_AREA, TARGET_BASE, TARGET_FORM, TARGET_BUTTON, TARGET_IFRAME, TARGET_FRAME,
	TARGET_META, TARGET_INPUT, TARGET_TEMPLATE,
	TARGET_OPEN, TARGET_UNSHOWN, TARGET_VIDEO, TARGET_AUDIO, /* what they hold is not shown, or turned */
	TARGET_V_GROUP, TARGET_V_IMAGE, TARGET_V_LINE, TARGET_V_OVAL, TARGET_V_RECT, TARGET_V_ROUNDRECT, TARGET_V_SHAPE,
	TARGET_FETCHED, /* from here on, what is fetched only */
	TARGET_LINK = TARGET_FETCHED, TARGET_IMG, TARGET_SCRIPT, TARGET_SOURCE, TARGET_EMBED,
	TARGET_OBJECT, TARGET_BODY, TARGET_TABLE, TARGET_TBODY, TARGET_TD, TARGET_TFOOT, TARGET_TH, TARGET_THEAD, TARGET_TR,
	TARGET_TRACK, TARGET_V_FILL, TARGET_V_IMAGEDATA,
	TARGET_FONT /* nothing */
};

/* Where SVG (1) and MathML (2) begin, and HTML in SVG (from 3 on) and in MathML (from 6 on). */
enum {
	SPACE_SVG = 1, SPACE_MATH, SPACE_DESC, SPACE_FOREIGNOBJECT, SPACE_TITLE,
	SPACE_MI, SPACE_MN, SPACE_MO, SPACE_MS, SPACE_MTEXT
};

enum { ELEMENT_NAME = 16 }; /* no name that counts has so many bytes */

struct element {
	char name[ELEMENT_NAME]; /* lower case, NULs after it */
	unsigned is;
};

/* What an attribute is. */
enum attribute_use {
	USE_FOLLOWED = 1,     /* a URL that a person follows */
	USE_FETCHED = 1 << 1, /* a URL that a browser fetches */
	USE_SET = 1 << 2,     /* several that it fetches: srcset */
	USE_REFRESH = 1 << 3, /* it has a URL if the element is a refresh */
	USE_EQUIV = 1 << 4,   /* it tells whether the element is one */
	USE_SHADOW = 1 << 5,  /* the template is shown */
	USE_ALT = 1 << 6,     /* the text of an image */
	USE_HIDDEN = 1 << 7,  /* the element is hidden */
	USE_STYLE = 1 << 8,   /* CSS, which may hide it, and have URLs that a browser fetches */
	USE_PAINT = 1 << 9,   /* CSS with such URLs */
	USE_PING = 1 << 10,   /* several URLs, which a browser notifies when a person follows the link */
	USE_ANIMATED = 1 << 11, /* values that an attribute of SVG takes in turn; URLs among them are targets */
	USE_DOCUMENT = 1 << 12, /* a document of HTML, whose targets count */
	USE_LINKED = 1 << 13, /* a URL that a person follows in SVG, without the attribute before it in the table */
	USE_OPEN = 1 << 14,   /* what the element holds is shown */
	USE_DIR = 1 << 15,    /* the direction of its text */
	USE_SIZE = 1 << 16,   /* its text has a size of its own */
	USES_CSS = USE_STYLE | USE_PAINT,
	USES_ALONE = USE_SHADOW | USE_HIDDEN | USE_OPEN | USE_SIZE, /* whose values do not count */
	USES_LISTED = USE_PING | USE_ANIMATED,
	USES_MAPPED = USE_SET | USE_REFRESH | USES_LISTED, /* that hold more than a URL */
	USES_TARGET = USE_FOLLOWED | USE_LINKED | USE_FETCHED | USES_MAPPED | USE_DOCUMENT,
	USES_ALWAYS = USE_FOLLOWED | USE_REFRESH | USE_EQUIV | USE_SHADOW | USES_LISTED | USE_DOCUMENT, /* in every tag, */
	USES_FETCHED = USE_FETCHED | USE_SET | USES_CSS,                   /* where what is fetched counts, */
	USES_SEEN = USE_ALT | USE_HIDDEN | USE_OPEN | USE_SIZE | USE_DIR | USE_STYLE                      /* in anchors */
};

/* The attributes of an element that matter, by TARGET_; "" for none. */
enum { TARGET_ATTRIBUTES = 3 };
struct target_attribute {
	char name[ELEMENT_NAME];
	unsigned use;      /* USE_... */
	const char *shown; /* element and attribute */
};
extern const struct target_attribute target_attributes[][TARGET_ATTRIBUTES];

extern const struct element element_none; /* one that means nothing, and what is in none */

/* The elements by a hash of their names' first eight bytes, with open addressing. */
enum { ELEMENT_SLOTS = 512 };
struct element_index {
	uint8_t slot[ELEMENT_SLOTS]; /* row and one; 0 where there is none */
};

void element_index(struct element_index *index);

extern const struct element elements[]; /* the first is none */

static inline uint64_t element_word(const void *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	return word;
}

/* Where the search for a name begins: no two names of elements begin in the same slot, by this factor. */
static inline size_t element_hash(uint64_t word) { return (size_t)(word * 0x5CECAE6D802E2B6B >> 55); }

/* The element of a name, which is lower case, and has NULs after it; one that means nothing if there is none.  `list`
 * of HTML mail takes 1% less time because this and its caller for most tags are inline. */
static inline const struct element *element_named(const struct element_index *index, const uint8_t name[ELEMENT_NAME])
{
	uint64_t first = element_word(name), second = element_word(name + sizeof first);
	for (size_t i = element_hash(first);; i = (i + 1) % ELEMENT_SLOTS) {
		unsigned row = index->slot[i];
		const struct element *e = &elements[row];
		/* one branch: a name of its own slot, or of none */
		if ((((element_word(e->name) ^ first) | (element_word(e->name + sizeof first) ^ second)) == 0) | (row == 0))
			return e;
	}
}

#endif
