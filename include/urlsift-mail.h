/* urlsift-mail: finds URLs in the header fields and text parts of messages, articles and mailboxes.
 *
 *     mailbox -> message -> part -> text -> the scanner of urlsift.h
 *
 * A push parser: it takes bytes in blocks of any size and calls back with what it finds, in the order of the source.
 * The results do not depend on the block sizes.  For any input, memory is bounded and time is linear.  One exception
 * to the order: relative targets that precede the <base> of an HTML part are reported when the <base> is read, and
 * without one, as notices, at the end of the part.  Where something else gives a base they do not wait, and have that.
 *
 * Units, ownership and threads are as in urlsift.h. */
#ifndef URLSIFT_MAIL_H
#define URLSIFT_MAIL_H

#include "urlsift.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The kind of an input -------------------------------------------------- */

typedef enum urlsift_mail_kind {
	URLSIFT_KIND_TEXT = 0,    /* not mail: for the scanner of urlsift.h */
	URLSIFT_KIND_MESSAGE = 1, /* one RFC 5322 message or RFC 5536 article, with or without a From_ line */
	URLSIFT_KIND_MBOX = 2,    /* messages after From_ lines (RFC 4155 and its dialects) */
	URLSIFT_KIND_MMDF = 3,    /* messages between lines of four ^A */
	URLSIFT_KIND_RNEWS = 4,   /* a batch of articles, each after a line `#! rnews` with its length */
	URLSIFT_KIND_BABYL = 5,   /* the format of Emacs Rmail */
	URLSIFT_KIND_HTML = 6,    /* one HTML document: it has no message, and one place */
	URLSIFT_KIND_CALENDAR = 7, /* one file of iCalendar (RFC 5545), likewise; it is read without its folds */
	URLSIFT_KIND_VCARD = 8,   /* one file of vCards (RFC 6350), likewise */
	URLSIFT_KIND_EMLX = 9     /* one message of Apple Mail: a line with its length, it, and a property list */
} urlsift_mail_kind;

enum { URLSIFT_DETECT_BYTES = 64 * 1024 };

/* Determines the kind of an input from its first `length` bytes; `complete` is non-zero if nothing follows them.  At
 * most URLSIFT_DETECT_BYTES are read; with fewer bytes of a longer input, a message may be classified as text.
 * A message begins with a contiguous header block that contains two of From, Date, Subject, Message-ID, Path,
 * Newsgroups, MIME-Version and Received, and not eight unknown fields in succession before them; a mailbox with a
 * separator and a header block that contains one of them; a Babyl file with `BABYL OPTIONS:`; an HTML document with
 * `<!doctype html` or `<html`, which white space and an XML declaration may precede; a calendar with a line
 * `BEGIN:VCALENDAR`, vCards with `BEGIN:VCARD`; emlx with a line that is a number, and two of those fields. */
URLSIFT_API urlsift_mail_kind urlsift_mail_detect(const void *bytes, size_t length, int complete);

/* The name of a kind, such as "mbox"; NULL for other values. */
URLSIFT_API const char *urlsift_mail_kind_name(urlsift_mail_kind kind);

/* ---- Options --------------------------------------------------------------- */

typedef enum urlsift_headers {
	URLSIFT_HEADERS_NONE = 0, /* no header field is searched */
	URLSIFT_HEADERS_URLS = 1, /* Subject, List-*, Archived-At and the other fields that carry URLs */
	URLSIFT_HEADERS_ALL = 2   /* every field but pictures (X-Face, Face) and signatures */
} urlsift_headers;

typedef enum urlsift_content_length {
	URLSIFT_LENGTH_IGNORED = 0, /* Content-Length has no effect */
	URLSIFT_LENGTH_PROBED = 1,  /* trusted when `probe` finds a From_ line or the end there */
	URLSIFT_LENGTH_BELIEVED = 2
} urlsift_content_length;

typedef struct urlsift_mail_options {
	size_t size;              /* sizeof(urlsift_mail_options): members beyond it are 0; 0: as in version 1.0 */
	urlsift_mail_kind kind;   /* not TEXT, except for urlsift_finder_new */
	urlsift_headers headers;
	int message_ids;          /* message identifiers are links: mid:, cid:, news: */
	int plain;                /* plain text is passed to `piece` as well */
	int display;              /* From, Date, Subject, To, Cc, Bcc, Reply-To, Newsgroups and Followup-To become
	                             places even when they are not searched, with one plain piece each; they and
	                             List-* come first, in this order */
	int repeated;             /* links that occurred in another part of a multipart/alternative are reported again, and
	                             URLs in the text of an anchor that are its target, or the beginning of that */
	int positions;            /* links have line and column */
	int resources;            /* HTML targets that a browser fetches (style sheets, scripts, images, media, url() in
	                             CSS) are links too, and so is a <base> */
	int attachments;          /* parts that are not searched become places */
	int metadata;             /* the texts of urlsift_message are filled in */
	urlsift_content_length content_length; /* for mbox */
	/* For LENGTH_PROBED: copies up to `size` bytes of the source from `offset` to
	 * `out`; returns the number of bytes, 0 at the end, -1 on failure. */
	long (*probe)(void *user, uint64_t offset, char *out, size_t size);
	void *probe_user;
	uint64_t offset;          /* source offset of the first byte fed; in an mbox 0 or where a message begins */
	uint64_t line;            /* line of that byte, from 1; 0 means 1 */
	uint64_t stop;            /* messages that begin here or later are not read: feed returns URLSIFT_STOPPED;
	                             0: no such limit */
	size_t max_depth;         /* MIME levels, 1 to 100 (0: 100) */
	size_t max_parts;         /* parts of a message, 1 to 10000 (0: 10000) */
	size_t max_header;        /* bytes of a header block, 1024 to 1 MiB (0: 1 MiB) */
	int outline;              /* only messages are reported: their bodies are not read */
} urlsift_mail_options;

/* ---- Limits ------------------------------------------------------------------ */

/* A limit of the parser or the scanner other than those of urlsift_option. */
typedef struct urlsift_mail_limit {
	const char *name; /* as in notices */
	const char *unit; /* what is counted, such as "parts of a message" */
	uint64_t least;   /* the smallest value of its option; 0 for a fixed limit */
	uint64_t value;   /* the largest value of its option, or the value of a fixed limit */
} urlsift_mail_limit;
/* Stores limit number `index`, from 0, in *limit; returns 0 after the last one.  Strings are static, NUL-terminated. */
URLSIFT_API int urlsift_mail_limit_at(size_t index, urlsift_mail_limit *limit);

/* ---- Results ----------------------------------------------------------------- */

/* A message, valid from the end of its header block until the next message, or until its end in a multipart/digest.
 * Its texts are valid UTF-8 with line ends and control characters replaced by blanks; empty if absent. */
typedef struct urlsift_message {
	uint64_t offset;     /* source offset of its first byte, or of its From_ line */
	uint64_t line;       /* line of that byte, from 1; 0 without the option `positions` */
	uint64_t index;      /* number of the message in the source, from 0 */
	urlsift_text id;      /* Message-ID without its brackets */
	urlsift_text subject; /* this and the following are decoded (RFC 2047), at most 1 KiB each */
	urlsift_text from;
	urlsift_text date;
	int64_t time;         /* `date` in seconds since 1970-01-01 UTC; -1 if it is absent, malformed, earlier, or after
	                         2100 */
	urlsift_text groups;  /* Newsgroups */
	urlsift_text list;    /* the identifier of List-Id (RFC 2919), without its brackets */
	urlsift_text uri;     /* of the record of a web archive, which the command reads; else empty */
} urlsift_message;

/* A header field of the message or of one of its parts, or the body of a part. */
typedef struct urlsift_place {
	const urlsift_message *message; /* NULL in an HTML document, a calendar and vCards */
	const char *field;     /* its name as written, NUL-terminated; NULL in a body */
	const char *part;      /* "1", "2.1" ... (RFC 3501 section 6.4.5); "" for a message's own header; NUL-terminated */
	const char *type;      /* "text/plain" ..., lower case, of application/octet-stream what the name of the file says;
	                          "" in a field; NUL-terminated */
	const char *lang;      /* the language tag of a body, if `plain` is set: that of Content-Language, or of a charset
	                          for one language; NULL if it is unknown; NUL-terminated */
	int decoded;           /* offsets count decoded bytes from 0, because of a transfer encoding or an encoded-word;
	                          else they are offsets of the source */
	int anchor;            /* the piece is the target of an HTML anchor, or text of the anchor whose target was reported
	                          last: URLSIFT_ANCHOR_...; else 0 */
	int target;            /* the piece is the value of an HTML attribute, not visible text */
	const char *attribute; /* with `target`: element and attribute, "a href", "form action" ...; of a link in a
	                          calendar or vCards: the name of its property, as written, "DESCRIPTION"; else NULL */
	/* The number, in the message, of the outermost multipart/alternative that it is in; 0: none. */
	unsigned alternative;
	unsigned choice;       /* which of its alternatives, from 1 */
	urlsift_text name;     /* with the option `attachments`: the file name of a body, decoded, its last 255 bytes at
	                          most, as written and perhaps not UTF-8; else, and without one, empty */
	int attachment;        /* a body that is not searched: it has no pieces, and is reported at its end */
	uint64_t size;         /* of an attachment: its decoded bytes */
	int flowed;            /* a body of format=flowed (RFC 3676), if `plain` is set: a line that ends in a blank goes on
	                          in the next */
	int delsp;             /* and that blank is not text (DelSp=yes) */
	int attached;          /* a field of a message in the message, not of a part's own header */
	int named;             /* a body declared application/octet-stream, whose `type` is that of the name of its file */
} urlsift_place;

/* Text of an anchor that readers see, and text that the HTML hides from them (display:none and the like), which is not
 * part of the label. */
enum { URLSIFT_ANCHOR_SEEN = 1, URLSIFT_ANCHOR_HIDDEN = 2 };

/* What is left out of the links. */
typedef enum urlsift_omission {
	URLSIFT_OMITTED_NONE = 0,      /* nothing: the notice is of a limit or of damage */
	URLSIFT_OMITTED_RELATIVE = 1,  /* an HTML target that is relative, where no base is known, or of a scheme alone,
	                                  such as `http:`: `text` of the notice, with its `attribute` in the place.  Where
	                                  no base is known it is reported at the end of the part, since a <base> may come
	                                  as late, or after 64 KiB of them. */
	URLSIFT_OMITTED_UNSEARCHED = 2, /* the preamble or the epilogue of a multipart, which is not searched, but contains
	                                  what a link may begin with, or more than 64 KiB: the place is the multipart,
	                                  without type; or a part that is not searched because of its type, but is a file
	                                  whose name ends in `.htm` or `.html`, or an SVG picture: the place is the part */
	URLSIFT_OMITTED_PACKED = 3,    /* a part that is compressed or an archive, by its type or the name of its file, and
	                                  is not searched: the place is the part */
	URLSIFT_OMITTED_ENCRYPTED = 4, /* likewise: one of S/MIME, encrypted or signed, or of PGP; for a multipart/encrypted
	                                  of PGP, its first part */
	URLSIFT_OMITTED_DOCUMENT = 5   /* likewise: PDF, or a document of an office program */
} urlsift_omission;

/* A body of text, in the form that the source has. */
typedef struct urlsift_body {
	uint64_t begin, end;   /* source offsets: of its first byte, and after its last one */
	const char *encoding;  /* "base64", "quoted-printable", "uuencode", or "" for none; NUL-terminated */
	const char *charset;   /* as declared, "" for none; NUL-terminated */
	int sealed;            /* it is in a multipart/signed or multipart/encrypted (RFC 1847) */
} urlsift_body;

typedef struct urlsift_mail_notice {
	const char *limit;  /* the limit that was exceeded, such as "mime-depth"; else NULL */
	const char *damage; /* what is wrong, NUL-terminated; else NULL */
	uint64_t value;     /* the value of the limit, or how often the damage occurred */
	uint64_t offset;    /* in the source or in decoded bytes, as urlsift_place.decoded says */
	urlsift_omission omission;
	urlsift_text text;  /* valid UTF-8; empty if `omission` does not have one */
} urlsift_mail_notice;

/* Called by feed and finish.  A non-zero return stops: URLSIFT_STOPPED.  Arguments are
 * valid until the callback returns, a message until the next one.  `message`, `place`,
 * `notice` and `body` may be NULL. */
typedef struct urlsift_mail_sink {
	/* A message begins; its fields and parts follow.  After one of a multipart/digest, places may be of the message
	 * around it, which is not reported again. */
	int (*message)(void *user, const urlsift_message *message);
	/* A field or a part begins, whose pieces follow. */
	int (*place)(void *user, const urlsift_place *place);
	/* As in urlsift_sink; offsets are as urlsift_place.decoded says.  The pieces of a place
	 * tile only its visible text: markup is not reported.  If markup or folds separate the
	 * parts of a link, a part may have no text; the next part then contains it. */
	int (*piece)(void *user, const urlsift_place *place, const urlsift_piece *piece);
	int (*notice)(void *user, const urlsift_place *place, const urlsift_mail_notice *notice);
	void *user;
	/* The body of the last place has ended, and all its pieces have been reported.  Not called for a body whose bytes
	 * are not in the source as they are: one in a message that a transfer encoding hides. */
	int (*body)(void *user, const urlsift_place *place, const urlsift_body *body);
} urlsift_mail_sink;

/* ---- The parser ---------------------------------------------------------------- */

typedef struct urlsift_mail urlsift_mail;

/* Creates a parser.  *status, which may be NULL, is set to URLSIFT_OK, or to the reason for a result of NULL:
 * URLSIFT_NO_MEMORY, or URLSIFT_BAD_ARGUMENT for an option that is out of range.  `scan` holds the scanner's options
 * for every text (NULL: the defaults).  Its charset applies to parts that declare none, its base to parts for which
 * neither an HTML base nor Content-Base or Content-Location, their own or of an entity around them, gives an absolute
 * one.  A relative one is resolved against the next outer one (RFC 2557 section 5).  Both option structs and the sink
 * are copied; `context` must outlive the parser. */
URLSIFT_API urlsift_mail *urlsift_mail_new(urlsift_context *context, const urlsift_options *scan,
                                           const urlsift_mail_options *options, const urlsift_mail_sink *sink,
                                           urlsift_status *status);
/* Feeds `length` bytes, like urlsift_feed.  URLSIFT_STOPPED once the message at
 * options->stop begins. */
URLSIFT_API urlsift_status urlsift_mail_feed(urlsift_mail *mail, const void *bytes, size_t length);
/* Ends the input. */
URLSIFT_API urlsift_status urlsift_mail_finish(urlsift_mail *mail);
/* As urlsift_flush, for the part that is being read. */
URLSIFT_API urlsift_status urlsift_mail_flush(urlsift_mail *mail);
/* The source offset of the first message that was not read because of options->stop, or the
 * end of the bytes fed. */
URLSIFT_API uint64_t urlsift_mail_stopped_at(const urlsift_mail *mail);
/* Prepares for a new source, with new options; buffers are reused.  URLSIFT_BAD_STATE in a callback;
 * URLSIFT_BAD_ARGUMENT if an option is out of range or `positions` differs from its value in urlsift_mail_new. */
URLSIFT_API urlsift_status urlsift_mail_reset(urlsift_mail *mail, const urlsift_mail_options *options);
URLSIFT_API void urlsift_mail_free(urlsift_mail *mail); /* NULL is allowed */

/* ---- All links at once: neither parser nor callbacks ------------------------------ */

/* Finds the links of a message, a mailbox, an HTML document or a text, as urlsift_mail_detect says, like urlsift_find.
 * Each link has a place, with the number of its part and its message, unless the input is text.  Searched are the
 * header fields that carry URLs and the parts of text. */
URLSIFT_API urlsift_status urlsift_mail_find(urlsift_context *context, const urlsift_options *options,
                                             const void *bytes, size_t length, urlsift_found **found);

/* Finds the links of an input of any length, which is fed in blocks. */
typedef struct urlsift_finder urlsift_finder;

/* Creates a finder; NULL and *status as of urlsift_mail_new.  `context` and `scan` may be NULL.  `options` says what
 * the input is, and of mail what is searched; NULL, or URLSIFT_KIND_TEXT in it, means text.  Lines and columns are
 * always set, plain text is never reported. */
URLSIFT_API urlsift_finder *urlsift_finder_new(urlsift_context *context, const urlsift_options *scan,
                                               const urlsift_mail_options *options, urlsift_status *status);
/* Feeds a block of the input; an empty one ends it, as a read of 0 bytes does at the end of a file.  *found are the
 * links that have become known: those of the block, but for one that the next block may continue or change, such as a
 * URL that ends its line.  They are the caller's, live as long as needed, and are NULL if the status is not
 * URLSIFT_OK.  Linear in all bytes fed.  After the end: URLSIFT_BAD_STATE.  Once a call has returned
 * URLSIFT_NO_MEMORY, links are missing, and every later call returns it too. */
URLSIFT_API urlsift_status urlsift_finder_feed(urlsift_finder *finder, const void *bytes, size_t length,
                                               urlsift_found **found);
URLSIFT_API void urlsift_finder_free(urlsift_finder *finder); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
