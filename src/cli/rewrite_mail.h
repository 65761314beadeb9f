/* rewrite --mail: rewrite_mail_read.c reads a message and compares the new one, rewrite_mail.c writes it,
 * rewrite_edits.c changes single links. */
#ifndef CLI_REWRITE_MAIL_H
#define CLI_REWRITE_MAIL_H

#include "rewrite_edits.h"
#include "verbs.h"

#include "input/memory.h"
#include "text/ascii.h"

#include <string.h>

/* How a body is written: its new text in the declared charset, or in the one that such mail is read in, or not. */
enum form { FORM_DECLARED, FORM_WESTERN, FORM_OLD };

/* The last two are edited.  The links of the first two stay: a body of another kind, the header
 * of a part or of a message within. */
enum kind { KIND_OTHER, KIND_INNER, KIND_PLAIN, KIND_HTML, KIND_HEADER };

/* What is written anew as a whole: a body, or, as the first one if it has edits, the header of the message. */
struct body {
	enum kind kind;
	size_t begin, end;       /* in the message */
	/* In texts: what it says, of HTML and the header with its links as rewrite_check reads them. */
	size_t text, text_end;
	size_t made, made_end;   /* in texts: what it becomes; of HTML and the header, its bytes */
	char encoding[24], charset[64], name[64];
	bool edited;             /* it has edits; of plain text, what it says is not what it is: it has defanged links */
	bool settled;            /* that it stays was said, or goes without saying */
	bool too_long;           /* a line would be longer than mail allows */
	enum form form;
};

/* The body or header that is being read. */
struct mail_place {
	enum kind kind;
	char name[64];              /* "part 1.2" or "the header" */
	size_t text;                /* in texts: where its text begins */
	bool shown;                 /* the current link passes the filter, */
	bool changed;               /* and its first part is another */
	bool linked;                /* it has a link, */
	bool fixed;                 /* and one that cannot be edited, */
	bool restored;              /* and one that is refanged */
	bool damaged;               /* its bytes do not have the meaning that is declared, or are not all of its text */
	bool open;                  /* its body has not ended: of one that an encoding hides no end is reported */
};

struct rewriting {
	const struct options *o;
	const char *name;
	const uint8_t *message;
	size_t length;
	urlsift_context *context;
	struct filter_desk *desk;
	urlsift_renderer *renderer; /* of the current place; NULL: it is not rewritten */
	struct buf bodies, texts, made, out, edits;
	bool joins;                 /* the form is join; */
	bool edits_links;           /* one for HTML and header fields, too: */
	bool fangs;                 /* defang or refang, */
	bool defangs;               /* defang */
	struct mail_place at;
	bool edited;                /* bodies that are edited are compared, else those of plain text */
	bool learns;                /* nothing is compared yet: what they say is noted */
	bool based;                 /* defanged HTML has links that are relative, or are now to a <base>; */
	bool left;                  /* the defanged message has others */
	size_t checked;             /* bodies passed so far */
	size_t wrong;               /* forms in which a body was not, or could not be, as it was to be */
	enum status status;
};

static inline struct body *body_at(const struct rewriting *r, size_t i)
{
	return (struct body *)(void *)r->bodies.data + i;
}

static inline size_t body_count(const struct rewriting *r)
{
	return r->bodies.length / sizeof(struct body);
}

static inline bool is_changed(const struct rewriting *r, const struct body *b)
{
	const uint8_t *texts = r->texts.data;
	const bool same = bytes_are(texts + b->text, b->text_end - b->text, texts + b->made, b->made_end - b->made);
	return b->form != FORM_OLD && (b->edited || (b->kind == KIND_PLAIN && !same));
}

/* The bytes of the header block. */
size_t rewrite_header_length(const struct rewriting *r);
/* Whether a buffer is full. */
static inline bool rewrite_is_full(const struct rewriting *r)
{
	return r->bodies.full | r->texts.full | r->made.full | r->out.full | r->edits.full;
}

/* What a parser does with pieces that nobody needs. */
static inline int rewrite_no_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	(void)user, (void)place, (void)piece;
	return 0;
}

/* Reads the message: its bodies, what they say and what they become.  False if a buffer is full. */
bool rewrite_read(struct rewriting *r);
/* Compares what the bodies of a message say with what they are to say, of those that are edited or of the others.  To
 * those that are edited, old and new, their form is applied first, or in place of defang refang.  False if the
 * structure of the message is another. */
bool rewrite_check(struct rewriting *r, const void *bytes, size_t n, bool edited);

#endif
