/* The tag reader's inside, shared by its parts: text, references, tags, and what is hidden. */
#ifndef MAIL_HTML_HTMLTEXT_STATE_H
#define MAIL_HTML_HTMLTEXT_STATE_H

#include "charref.h"
#include "htmltext.h"
#include "htmltext_element.h"

/* What the next byte belongs to. */
enum htmltext_state {
	IN_TEXT,
	IN_REFERENCE, /* behind `&` */
	IN_NAME,      /* of a reference */
	IN_NUMBER,    /* behind `&#` */
	IN_OPEN,      /* behind `<` */
	IN_END_OPEN,  /* behind `</` */
	IN_TAG_NAME,
	IN_BETWEEN,   /* in a tag, before an attribute */
	IN_ATTRIBUTE, /* its name */
	IN_EQUALS,    /* before its value */
	IN_VALUE,
	IN_DECLARATION, /* behind `<!` */
	IN_DASH,        /* behind `<!-` */
	IN_BRACKET,     /* in `<![CDATA[` */
	IN_COMMENT,
	IN_BOGUS,       /* what ends with the next `>` */
	IN_CDATA,
	IN_CDATA_END,   /* behind `]` */
	IN_HIDDEN,      /* text of a script, a style sheet */
	IN_RAW_OPEN,    /* behind `<` in a raw element */
	IN_RAW_NAME,    /* of what may be its end tag */
	IN_RAW_BANG,    /* behind `<!` in a script */
	HTMLTEXT_STATES
};

enum { HELD_MAX = 1 + ENTITY_NAME_MAX, SCRATCH = 4096 };
#define HTMLTEXT_NEVER UINT64_MAX

struct htmltext {
	urlsift_allocator alloc;
	struct htmltext_sink sink;
	struct element_index index;
	struct buf value;
	urlsift_status status;
	enum htmltext_state state;
	enum htmltext_state back;     /* where a reference stands: IN_TEXT or IN_VALUE */
	uint64_t spaces;              /* that are open, four bits each, the innermost lowest */
	const struct element *inside; /* the raw element it is in, or element_none */
	uint64_t base;                /* offset of the first byte of what was fed last */
	uint64_t mark;                /* where what is held, or the tag, began */
	uint64_t limit;               /* where what is hidden is ended */
	uint64_t template_limit;
	uint64_t templates;           /* how many are open */
	uint8_t held[HELD_MAX];       /* bytes that may turn out to be text */
	size_t held_length;
	unsigned count;               /* of dashes, brackets, letters that matched */
	bool pre;
	bool anchor;                  /* one with an href is open */
	uint8_t last;                 /* byte of text that went out */
	/* References. */
	uint32_t number;
	bool hexadecimal, digits;
	/* Comments. */
	bool fresh;                   /* nothing in it but a dash */
	bool bang;                    /* behind `--!` */
	/* Scripts and the raw elements' ends. */
	unsigned level;               /* of a script: 1 in <!--, 2 in a <script> in that */
	bool closing;                 /* behind `</` in a raw element; the tag is its end tag */
	/* Tags. */
	const struct element *tag;
	uint8_t name[ELEMENT_NAME];   /* of the tag, then of its attribute */
	size_t name_length;
	bool end;                     /* it is an end tag */
	bool slash;                   /* the last byte was `/` */
	bool named;                   /* behind an attribute's name: `=` may come */
	bool href, had_href;          /* the attribute is one that counts; there was one */
	bool shadow;                  /* the template is shown */
	uint8_t quote;                /* around the value, or 0 */
	uint64_t value_at;
	unsigned value_flags;
	uint8_t scratch[SCRATCH];
};

/* In SVG or MathML itself: no raw elements there. */
static inline bool htmltext_foreign(const struct htmltext *h)
{
	return h->spaces % 16 == SPACE_SVG || h->spaces % 16 == SPACE_MATH;
}

/* Reads from p[i] on, i < n, as long as the state holds; returns the index of the next
 * byte.  No byte taken means another state. */
typedef size_t htmltext_reader(struct htmltext *h, const uint8_t *p, size_t i, size_t n);
htmltext_reader text_read, cdata_read, cdata_end_read;
htmltext_reader reference_read, reference_name_read, reference_number_read;
htmltext_reader open_read, end_open_read, tag_name_read, between_read, attribute_read, equals_read, value_read;
htmltext_reader declaration_read, dash_read, hidden_bracket, comment_read, bogus_read;
htmltext_reader hidden_read, raw_open_read, raw_name_read, raw_bang_read;

/* Text: bytes that stand for themselves at `at`; n bytes that stand for `length` there. */
void text_run(struct htmltext *h, const uint8_t *p, size_t n, uint64_t at);
void text_other(struct htmltext *h, const char *p, size_t n, uint64_t at, size_t length);
void text_block(struct htmltext *h, uint64_t at);
void text_cell(struct htmltext *h, uint64_t at);
/* Goes on with what the element it is in holds, text or hidden. */
void text_resume(struct htmltext *h);
/* What is held is text, unless hidden. */
void text_held(struct htmltext *h);
void cdata_finish(struct htmltext *h);

void reference_begin(struct htmltext *h, uint64_t at, enum htmltext_state back);
/* A reference that ends before `end` ends there. */
void reference_finish(struct htmltext *h, uint64_t end);

void tag_begin(struct htmltext *h, bool end);
void anchor_end(struct htmltext *h);
/* Bytes of the value, or what stands for some. */
void value_add(struct htmltext *h, const void *bytes, size_t n);
/* The value ended at `end`. */
void value_end(struct htmltext *h, uint64_t end);

#endif
