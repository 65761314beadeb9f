/* The inside of the tag reader, shared by its parts. */
#ifndef MAIL_HTML_TAG_H
#define MAIL_HTML_TAG_H

#include "element.h"
#include "html.h"
#include "simd/runs.h"
#include "text/ascii.h"
#include "text/bytes.h"
#include "text/map.h"

#include <stddef.h>
#include <stdint.h>

/* ---- Character references of HTML ---- */

enum {
	CHARREF_NAME_MAX = 32, /* bytes of the longest name, with its `;` */
	CHARREF_TEXT_MAX = 6   /* bytes of the longest text */
};

/* The longest name that name[0, n) begins with: letters and digits, and `;` as the last
 * byte where it is there.  Few old names are good without `;`.  Returns the
 * bytes of the name, 0 for none; its text goes to text, `*length` bytes of UTF-8.
 * Letter case counts. */
size_t charref_find(const uint8_t *name, size_t n, uint8_t text[CHARREF_TEXT_MAX], size_t *length);

/* The code point of a number: U+FFFD for 0, surrogates and all above U+10FFFF. */
static inline uint32_t charref_scalar(uint64_t number)
{
	return !within(number, 1, 0x10FFFF) || within(number, 0xD800, 0xDFFF) ? 0xFFFD : (uint32_t)number;
}
/* The one that a numeric reference means: windows-1252 for 80 to 9F. */
uint32_t charref_code_point(uint64_t number);

/* ---- The tag reader's inside ---- */

/* What the next byte belongs to. */
enum htmltext_state {
	IN_TEXT,
	IN_REFERENCE, /* after `&`: this and the next two are of a reference */
	IN_NAME,      /* of a reference */
	IN_NUMBER,    /* after `&#` */
	IN_OPEN,      /* after `<`: what this and the next three hold may be text */
	IN_END_OPEN,  /* after `</` */
	IN_RAW_OPEN,  /* after `<` in a raw element */
	IN_RAW_NAME,  /* of a possible end tag */
	IN_TAG_NAME,
	IN_BETWEEN,   /* in a tag, before an attribute */
	IN_ATTRIBUTE, /* its name */
	IN_EQUALS,    /* before its value */
	IN_VALUE,
	IN_DECLARATION, /* after `<!` */
	IN_DASH,        /* after `<!-` */
	IN_BRACKET,     /* in `<![CDATA[` */
	IN_CONDITION,   /* after `<!--`: it may be `<!--[if ...]>` */
	IN_COMMENT,
	IN_BOGUS,       /* up to the next `>` */
	IN_CDATA,
	IN_CDATA_END,   /* after `]` */
	IN_HIDDEN,      /* text of a script, a style sheet */
	IN_RAW_BANG,    /* after `<!` in a script */
	HTMLTEXT_STATES
};

enum { HELD_MAX = 1 + CHARREF_NAME_MAX, SCRATCH = 4096 };
#define HTMLTEXT_NEVER UINT64_MAX

/* The reader of CSS. */
struct style {
	enum { STYLE_TOKENS, STYLE_STRING, STYLE_COMMENT, STYLE_OPEN /* after `url(` */, STYLE_URL } state;
	uint8_t name[24];      /* that is read: no name that counts is as long */
	size_t name_length;
	bool imports;          /* after `@import`: a string is a URL */
	uint64_t parentheses;  /* that are open, a bit each, the innermost lowest: whether strings in them are URLs */
	uint8_t last;          /* the byte before */
	uint8_t quote;         /* around the string */
	unsigned escape;       /* after `\`: 1, and 1 for each digit, which are of `code` */
	uint32_t code;
	bool is_url;           /* the string, or what has no quotation marks, is a URL */
	struct buf url;        /* its bytes so far */
	uint64_t at;           /* where it begins in the source */
	unsigned flags;        /* of the target */
};

/* What the elements of an anchor hide from readers. */
struct unseen {
	/* What was hidden before each. */
	struct { const struct element *element; unsigned hidden; bool is_inline; } open[HTMLTEXT_UNSEEN_MAX];
	size_t depth;          /* from the first one on that hides something */
	unsigned hidden;       /* a bit for each reason, and for how it is shown */
	unsigned own, declared; /* of the tag: what it hides, and the properties it has */
	unsigned important;    /* those of them that `!important` marks */
	/* A declaration of its style: the beginning, in lower case; with its whole room full it is none that counts. */
	char declaration[96];
	size_t length;
	uint64_t brackets;     /* that are open */
	uint32_t recent;       /* the last bytes */
	uint32_t code;         /* of an escape, */
	unsigned escape;       /* after `\`: 1, and 1 for each digit */
	uint8_t quote;         /* around the string that is open */
	bool comment;          /* is open */
	unsigned dir;          /* bytes of its `dir` that match */
	uint8_t alt[HTMLTEXT_ALT_MAX]; /* the text of an image */
	size_t alt_length;
};

/* The anchors with an href that are open, one in another, the innermost last. */
struct anchors {
	struct anchor {
		size_t level;       /* how many scopes are open around it */
		bool foreign;       /* of SVG */
		bool doomed;        /* it ends with the scope that is in that level */
		size_t unseen;      /* the depth of what was hidden before it */
	} at[HTMLTEXT_ANCHORS_MAX];
	size_t open;
};

/* The elements that are open and bound a scope: </a> closes no anchor outside of the innermost. */
struct scopes {
	struct scope {
		const struct element *element;
		uint8_t kind;       /* SCOPE_... */
		char section;       /* of a table: the second letter of tbody, thead or tfoot */
		uint8_t spaces;     /* of a space: how many are open in it */
	} open[HTMLTEXT_SCOPES_MAX];
	size_t depth;
};

/* What was read of a comment. */
struct html_comment {
	unsigned dashes;              /* just before, 2 for more */
	bool fresh;                   /* nothing but a dash */
	bool bang;                    /* after `--!` */
	uint8_t last;                 /* byte of a condition */
};

/* A conditional comment, `<!--[if mso]>...<![endif]-->`: markup for Outlook.  It ends where a comment does, which is
 * looked for in each block before its markup is read. */
struct html_conditional {
	bool open;
	uint64_t end;                 /* HTMLTEXT_NEVER while it is not known */
	struct html_comment comment;
	uint64_t looked;              /* offset up to which an end was looked for */
	/* What goes on after it. */
	bool pre, anchor;
	uint64_t spaces, templates, template_begin;
};

/* A character reference. */
struct html_reference {
	enum htmltext_state back;     /* its context: IN_TEXT or IN_VALUE */
	uint64_t number;
	bool hexadecimal, digits;
};

/* The raw element it is in. */
struct html_raw {
	const struct element *element; /* or element_none */
	unsigned level;               /* of a script: 1 in <!--, 2 in a <script> in that */
	bool closing;                 /* after `</`; the tag is its end tag */
	struct style style;           /* of a <style> */
};

/* The tag that is read. */
struct html_tag {
	const struct element *element;
	uint8_t name[ELEMENT_NAME];   /* of the tag, then of its attribute */
	size_t name_length;
	bool is_end;
	bool slash;                   /* the last byte was `/` */
	bool named;                   /* after an attribute's name: `=` may come */
	const struct target_attribute *target; /* its attributes with targets */
	unsigned uses;                /* of attributes: those that count */
	unsigned had;                 /* bits of attribute_find: it had the attribute */
	unsigned with;                /* the USES_ALONE of those it had */
	bool waits, refresh;          /* a value waits: for the end of the tag, of a meta until it is a refresh */
	bool begun;                   /* it has begun an anchor */
	bool area;                    /* an <area> that is an anchor: its end is that of the tag */
	unsigned equiv;               /* bytes of its http-equiv that match */
};

/* The attribute value that is read. */
struct html_value {
	struct buf text;
	struct map map;               /* where the text is in the source, if it holds more than a URL */
	const struct target_attribute *attribute; /* whose value it is, one of USES_TARGET */
	unsigned kept;                /* what it is, 0 where it does not count */
	uint8_t quote;                /* around it, or 0 */
	uint64_t at;
	unsigned flags;
	size_t white, white_end;      /* white space of the source at its begin and end */
	struct html_target target;    /* the last one of USES_TARGET, whole */
};

/* What was read of a <pre>: a byte at least, nothing yet, a CR. */
enum { PRE_BEGAN, PRE_BEGINS, PRE_CR };
/* What an anchor has shown: text, nothing yet, the text of an image. */
enum { BARE_NOT, BARE_OPEN, BARE_IMAGE };

/* What is no byte of text came last: a blank line, or the beginning; white space, and then an
 * anchor that has shown nothing, for which most forms of output show the link. */
enum { BLANK_LINE = 256, AFTER_LINK };

/* The text that is shown. */
struct html_text {
	bool pre;                     /* it keeps its white space */
	uint8_t pre_begins;           /* PRE_... */
	uint8_t bare;                 /* BARE_... */
	uint16_t last;                /* byte of it that went out, BLANK_LINE or AFTER_LINK */
};

struct htmltext {
	urlsift_allocator alloc;
	struct htmltext_sink sink;
	struct element_index index;
	urlsift_status status;
	enum htmltext_state state;
	bool resources;               /* what is fetched counts */
	uint64_t spaces;              /* that are open, four bits each, the innermost lowest */
	uint64_t base;                /* offset of the first byte of what was fed last */
	uint64_t mark;                /* where the held bytes, or the tag, begin */
	uint64_t hidden;              /* where the markup began that hides what is read, or HTMLTEXT_NEVER */
	uint64_t template_begin;      /* where the outermost open template did */
	uint64_t templates;           /* how many are open */
	struct { uint8_t bytes[HELD_MAX]; size_t length; } held; /* bytes that may be text */
	unsigned count;               /* of dashes, brackets, letters that matched */
	bool anchor;                  /* one with an href is open, and not outside of a conditional comment */
	struct anchors anchors;
	struct scopes scopes;
	struct html_text text;
	struct html_comment comment;
	struct html_conditional conditional;
	struct html_reference reference;
	struct html_raw raw;
	struct html_tag tag;
	struct html_value value;
	struct unseen unseen;
	uint8_t scratch[SCRATCH];
};

/* White space that comes is not shown. */
static inline bool text_is_after_space(const struct htmltext *h)
{
	return h->text.last == '\n' || h->text.last == ' ' || h->text.last >= BLANK_LINE;
}

/* The sink has answered. */
static inline void htmltext_stop(struct htmltext *h, int stop)
{
	if (stop)
		h->status = URLSIFT_STOPPED;
}

/* The byte at the offset `at` is held; what follows it decides whether it is text. */
static inline void htmltext_hold(struct htmltext *h, uint8_t c, uint64_t at, enum htmltext_state state)
{
	h->mark = at;
	h->held.bytes[0] = c;
	h->held.length = 1;
	h->state = state;
}

/* In SVG or MathML itself: no raw elements there. */
static inline bool htmltext_foreign(const struct htmltext *h)
{
	return within(h->spaces % 16, SPACE_SVG, SPACE_MATH);
}
/* HTML ends those that are open up to HTML. */
static inline void htmltext_leave_foreign(struct htmltext *h)
{
	while (htmltext_foreign(h))
		h->spaces >>= 4;
}

/* Reads from p[i] on, i < n, as long as the state holds; returns the index of the next
 * byte.  No byte taken means another state. */
typedef size_t htmltext_reader(struct htmltext *h, const uint8_t *p, size_t i, size_t n);
htmltext_reader text_read, cdata_read, cdata_end_read;
htmltext_reader reference_read, reference_name_read, reference_number_read;
htmltext_reader open_read, end_open_read, tag_name_read, between_read, attribute_read, equals_read, value_read;
htmltext_reader declaration_read, dash_read, hidden_bracket, condition_read, comment_read, bogus_read;
htmltext_reader hidden_read, raw_open_read, raw_name_read, raw_bang_read;

/* Shown text: the n bytes at `at` themselves; n bytes for `length` bytes at `at`. */
void text_run(struct htmltext *h, const uint8_t *p, size_t n, uint64_t at);
void text_other(struct htmltext *h, const char *p, size_t n, uint64_t at, size_t length);
/* The edge of the tag's element, IS_BLOCK and its like; the tag ended before `at`. */
void text_edge(struct htmltext *h, uint64_t at);
/* Continues with the content of the current element, shown or hidden. */
void text_resume(struct htmltext *h);
/* The end of a conditional comment is looked for in the block [i, n); it ends, whatever is open. */
void conditional_look(struct htmltext *h, const uint8_t *p, size_t i, size_t n);
void conditional_end(struct htmltext *h);
/* The held bytes are text, unless hidden. */
void text_held(struct htmltext *h);
void cdata_finish(struct htmltext *h);

void reference_begin(struct htmltext *h, uint64_t at, enum htmltext_state back);
/* A reference that ends before `end` ends there. */
void reference_finish(struct htmltext *h, uint64_t end);

void tag_begin(struct htmltext *h, bool end);
/* The name of the tag is that of this element; reads on after it, from p[i] on, i < n. */
size_t tag_named(struct htmltext *h, const struct element *element, const uint8_t *p, size_t i, size_t n);
/* An anchor with an href begins, in those that are open; the innermost one ends; the tag of an <a> begins, or </a>. */
void anchor_begin(struct htmltext *h);
void anchor_end(struct htmltext *h);
void anchor_tag(struct htmltext *h, bool end);
/* The tag of an element with a scope ends: anchors end with those that it closes.  The spaces have changed. */
void scope_follow(struct htmltext *h, const struct element *element, bool end);
void scope_spaces(struct htmltext *h);
/* Whether the tags of the element are ignored, as those of a table's parts are outside of one. */
bool scope_ignores(const struct htmltext *h, const struct element *element);
/* Bytes of the value, after decoding: source_length bytes at `at`. */
void value_add(struct htmltext *h, const void *bytes, size_t n, uint64_t at, size_t source_length);
/* The value ended at `end`. */
void value_end(struct htmltext *h, uint64_t end);

/* CSS: an attribute's value or the content of a <style>. */
void style_begin(struct htmltext *h);
/* Whether what the element holds is a style sheet that is read. */
bool style_is_read(const struct htmltext *h);
/* Reports each URL in the n bytes that source_length bytes at `at` mean: the same bytes if as many, else a
 * character reference or a NUL.  A URL may continue in the next call. */
void style_read(struct htmltext *h, const uint8_t *p, size_t n, uint64_t at, size_t source_length);
/* The CSS ends: so does a URL that is open.  `cut`: more follows, which is not read. */
void style_end(struct htmltext *h, uint64_t at, bool cut);

/* What the elements of an anchor hide.  A tag begins; the n bytes are the next ones of its direction, or of its style,
 * which ends, or of the text of an image, which is handed out, unless it is hidden; the tag is complete, and is in an
 * anchor, where its edge may be hidden; the elements end that began at the depth. */
void unseen_begin(struct htmltext *h);
void unseen_dir(struct htmltext *h, const uint8_t *p, size_t n);
void unseen_read(struct htmltext *h, const uint8_t *p, size_t n);
void unseen_style_end(struct htmltext *h);
void unseen_alt(struct htmltext *h, const uint8_t *p, size_t n);
void unseen_alt_end(struct htmltext *h);
/* What is hidden or turned has changed, perhaps: it was `before`. */
void unseen_report(struct htmltext *h, unsigned before);
void unseen_tag_end(struct htmltext *h, uint64_t at);
void unseen_end(struct htmltext *h, size_t depth);

/* ---- Bytes of tags ---- */

/* What a byte ends: the name of a tag, of an attribute, an unquoted value, one that is kept. */
enum { ENDS_NAME = 1, ENDS_ATTRIBUTE = 2, ENDS_VALUE = 4, ENDS_KEPT_VALUE = 8 };
extern const uint8_t attributes_classes[256];

/* The index in [i, n) of the first byte that ends what `class` says; n when there is none. */
static inline size_t attributes_class_end(const uint8_t *p, size_t i, size_t n, unsigned class)
{
	while (i < n && !(attributes_classes[p[i]] & class))
		i++;
	return i;
}

/* The row of an attribute that counts in the tag, NULL for another one; with a bit for it. */
const struct target_attribute *attribute_find(const struct htmltext *h, const uint8_t name[ELEMENT_NAME],
                                              unsigned *bit);

#endif
