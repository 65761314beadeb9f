#include "options.h"

static void choose_scan(struct choices *c, urlsift_options *o, bool *declared)
{
	static const long lengths[] = { 65536, 65536, 65536, 64, 64, 100, 1000 };
	static const char *const charsets[] = {
		"utf-8", "windows-1252", "iso-8859-1", "utf-16", "utf-7", "iso-2022-jp", "shift_jis", "koi8-r"
	};
	static const char base[] = "http://base.example/a/b;c?d#e";
	urlsift_options_set(o, URLSIFT_OPT_EMAIL, once_in(c, 2));
	const bool domains = once_in(c, 2);
	urlsift_options_set(o, URLSIFT_OPT_DOMAINS, domains);
	urlsift_options_set(o, URLSIFT_OPT_IPV4, domains);
	urlsift_options_set(o, URLSIFT_OPT_REFANG, once_in(c, 4));
	urlsift_options_set(o, URLSIFT_OPT_WWW_HTTPS, once_in(c, 4));
	urlsift_options_set(o, URLSIFT_OPT_GUESS, once_in(c, 3));
	urlsift_options_set(o, URLSIFT_OPT_POSITIONS, once_in(c, 2));
	urlsift_options_set(o, URLSIFT_OPT_LABELS, once_in(c, 2));
	urlsift_options_set(o, URLSIFT_OPT_CONTEXT, once_in(c, 4) ? (long)choose(c, 4) : 0);
	if (once_in(c, 2)) {
		urlsift_options_set(o, URLSIFT_OPT_JOIN, choose(c, 4));
		urlsift_options_set(o, URLSIFT_OPT_HYPHEN, choose(c, 2));
	}
	long length = CHOOSE(c, lengths);
	c->limit = length < 65536 ? (size_t)length : 0;
	urlsift_options_set(o, URLSIFT_OPT_MAX_URL, length);
	if (once_in(c, 4)) {
		urlsift_options_set(o, URLSIFT_OPT_MAX_BREAKS, choose(c, 17));
		urlsift_options_set(o, URLSIFT_OPT_MAX_ALTERNATES, choose(c, 9));
	}
	*declared = once_in(c, 8) && urlsift_options_set_charset(o, CHOOSE(c, charsets)) == URLSIFT_OK;
	c->declared = *declared;
	if (once_in(c, 6))
		urlsift_options_set_base(o, base, sizeof base - 1);
}

static void set_rules(urlsift_options *o, size_t i)
{
#define RULES "([a-z]+)[ /](\\d+) => http://$1.example/$2?$$\n^.?$ => http://lines.example/$0\n" \
	"(a+)+x => http://steps.example/\n"
	/* a match that begins at each sequence of a terminal, or goes over those that are in it */
	static const char *const texts[] = { RULES "[^ -~]+ => mailto:$0\n",
		RULES "[^\\x01-~]([^a-z]*[^ -~])? => mailto:$0\n" };
	static urlsift_link_rules *rules[sizeof texts / sizeof *texts];
	urlsift_rule_fault fault;
	if (!rules[i])
		REQUIRE(urlsift_link_rules_new(NULL, texts[i], strlen(texts[i]), &rules[i], &fault) == URLSIFT_OK);
	urlsift_options_set_link_rules(o, rules[i]);
}

static void choose_rules(struct choices *c, urlsift_options *o)
{
	c->ruled = once_in(c, 8);
	if (c->ruled)
		set_rules(o, choose(c, 2));
}

static void choose_output(struct choices *c, urlsift_render_options *how)
{
	static const char *const formats[] = { "list", "json", "json", "html", "html", "rewrite", "rewrite" };
	static const char *const templates[] = {
		NULL, NULL, "%u %U %N %s %k %l %c %o %f %m %S %d %p %t %%", "%u | %x %h"
	};
	static const char *const forms[] = {
		"join", "wrap", "angle", "markdown", "org", "rst", "gemtext", "term", "defang", "refang", "template:%u %t %x"
	};
	how->format = CHOOSE(c, formats);
	how->html.fragment = !once_in(c, 3);
	how->form = CHOOSE(c, forms);
	how->line_format = CHOOSE(c, templates);
	how->width = once_in(c, 2) ? 20 : 0;
	how->terminal = once_in(c, 2);
	uint32_t bits = choose(c, 256), more = choose(c, 256);
	if (once_in(c, 2))
		bits = more = 0;
	how->null_separated = bits & 1;
	how->with_filename = bits >> 1 & 1;
	how->line_number = bits >> 2 & 1;
	how->byte_offset = bits >> 3 & 1;
	how->encoded = bits >> 4 & 1;
	how->unwrap = bits >> 5 & 1;
	how->hyphen_both = bits >> 6 & 1;
	how->warnings = bits >> 7 & 1;
	how->color = more % 16 == 1;
	how->count = more % 16 == 2;
	how->whole_records = more >> 4 & 1;
	how->context = more >> 5 & 1 ? (long)(more >> 6) : 0;
	how->key = more % 16 == 3 ? "0123abcd" : NULL;
	how->html.style = more % 16 == 4 ? "p{color:red}" : NULL;
	how->html.title = more % 16 == 5 ? "<title>&\x01" : NULL;
	how->html.lang = more % 16 == 6 ? "de\"" : NULL;
}

static void choose_mail(struct choices *c, urlsift_mail_options *m)
{
	m->headers = (urlsift_headers)choose(c, 3);
	uint32_t bits = choose(c, 256);
	m->message_ids = bits & 1;
	m->plain = bits >> 1 & 1;
	m->display = bits >> 2 & 1;
	m->repeated = bits >> 3 & 1;
	m->positions = bits >> 4 & 1;
	m->resources = bits >> 5 & 1;
	m->metadata = bits >> 6 & 1;
	m->content_length = bits >> 7 ? URLSIFT_LENGTH_BELIEVED : URLSIFT_LENGTH_IGNORED;
	if (once_in(c, 6)) {
		m->max_depth = 1 + choose(c, 4);
		m->max_parts = 1 + choose(c, 6);
		m->max_header = 1024;
	}
}

/* The options that an aim of HTML needs. */
static void choose_aim_html(struct choices *c, struct plan *p, enum aim aim)
{
	static const char base[] = "http://base.example/a/b?c";
	c->of = OF_HTML;
	p->some = false;
	switch (aim) {
	case AIM_BASES:
		urlsift_options_set_base(p->scan, base, sizeof base - 1);
		break;
	case AIM_PIECES:
		p->how.format = "html";
		break;
	default:
		urlsift_options_set(p->scan, URLSIFT_OPT_CONTEXT, (long)choose(c, 3));
	}
}

/* Joins are guessed, and all readings are told. */
static void choose_guesses(struct plan *p)
{
	urlsift_options_set(p->scan, URLSIFT_OPT_MAX_ALTERNATES, 8);
	urlsift_options_set(p->scan, URLSIFT_OPT_JOIN, URLSIFT_JOIN_LIKELY);
	urlsift_options_set(p->scan, URLSIFT_OPT_GUESS, 1);
}

/* The text around links is told, in half of the runs. */
static void choose_around(struct choices *c, struct plan *p)
{
	bool around = once_in(c, 2);
	urlsift_options_set(p->scan, URLSIFT_OPT_CONTEXT, around ? 1 + (long)choose(c, 3) : 0);
	urlsift_options_set(p->scan, URLSIFT_OPT_LABELS, around);
}

static void choose_limit(struct choices *c, struct plan *p, long limit)
{
	c->limit = (size_t)limit;
	urlsift_options_set(p->scan, URLSIFT_OPT_MAX_URL, limit);
}

/* What takes memory of its own: rules, a declared charset, contexts, pages. */
static void choose_scarce(struct choices *c, struct plan *p)
{
	c->failing = true;
	c->of = once_in(c, 2) ? OF_MAIL : OF_TEXT;
	c->ruled = once_in(c, 2);
	if (c->ruled)
		set_rules(p->scan, 0);
	if (once_in(c, 3) && urlsift_options_set_charset(p->scan, "iso-8859-2") == URLSIFT_OK)
		c->declared = p->declared = true;
	if (once_in(c, 2))
		choose_guesses(p);
	if (once_in(c, 2))
		p->how.format = once_in(c, 2) ? "json" : "html";
}

/* The options that an aim of lengths.c needs. */
static void choose_aim_long(struct choices *c, struct plan *p, enum aim aim)
{
	switch (aim) {
	case AIM_TURNS:
		choose_around(c, p);
		if (!once_in(c, 3))
			choose_limit(c, p, once_in(c, 4) ? 64 : 8192 + (long)choose(c, 8192));
		p->how.format = once_in(c, 4) ? p->how.format : "json";
		break;
	case AIM_RULES:
		c->ruled = true;
		set_rules(p->scan, choose(c, 2));
		break;
	case AIM_GROWN:
		c->failing = true;
		choose_guesses(p);
		break;
	case AIM_FAR: c->urls = 22; break;
	case AIM_UNSAFE:
		c->failing = true;
		p->how.format = "rewrite";
		p->how.terminal = true;
		p->how.color = false;
		break;
	case AIM_CALENDARS:
		p->mail.positions = true;
		urlsift_options_set(p->scan, URLSIFT_OPT_POSITIONS, 1);
		break;
	case AIM_HELD:
		p->how.format = "html";
		p->how.html.fragment = false;
		p->how.html.title = NULL;
		break;
	default: break;
	}
}

/* The options that an aim of meetings.c needs. */
static void choose_aim_met(struct choices *c, struct plan *p, enum aim aim)
{
	switch (aim) {
	case AIM_NOTICES:
		choose_limit(c, p, 64);
		urlsift_options_set(p->scan, URLSIFT_OPT_MAX_BREAKS, choose(c, 3));
		p->how.format = "json";
		break;
	case AIM_BLOCKS: urlsift_options_set(p->scan, URLSIFT_OPT_LABELS, 1); break;
	case AIM_CUTS: p->how.format = "html"; break;
	case AIM_STEPS:
		c->ruled = true;
		set_rules(p->scan, choose(c, 2));
		p->how.format = once_in(c, 4) ? p->how.format : "json";
		break;
	case AIM_BLANKS:
		c->ruled = once_in(c, 2);
		if (c->ruled)
			set_rules(p->scan, choose(c, 2));
		break;
	case AIM_TARGETS:
		choose_limit(c, p, 64);
		p->mail.resources = true;
		break;
	case AIM_ANCHORS:
		c->failing = true;
		p->how.format = "rewrite";
		p->how.form = once_in(c, 4) ? p->how.form : "wrap";
		break;
	case AIM_FRAMES:
		p->mail.content_length = (urlsift_content_length)(1 + choose(c, 2));
		p->mail.headers = URLSIFT_HEADERS_ALL;
		break;
	case AIM_PARAGRAPHS:
		p->how.format = "rewrite";
		p->how.form = once_in(c, 2) ? p->how.form : "gemtext"; /* which has its links after a paragraph */
		break;
	case AIM_FORMS:
		urlsift_options_set(p->scan, URLSIFT_OPT_REFANG, 1);
		/* mostly without them: a name is found for its forms only */
		urlsift_options_set(p->scan, URLSIFT_OPT_DOMAINS, once_in(c, 4));
		urlsift_options_set(p->scan, URLSIFT_OPT_EMAIL, once_in(c, 4));
		break;
	case AIM_FLOWED: p->how.format = once_in(c, 4) ? p->how.format : "html"; break;
	case AIM_REMAINS:
	case AIM_FIELDS:
		p->some = aim == AIM_FIELDS && once_in(c, 2);
		p->how.format = aim == AIM_FIELDS && once_in(c, 4) ? "rewrite" : "html";
		p->how.html.fragment = once_in(c, 4);
		p->mail.display |= once_in(c, 4); /* of these fields some are not searched */
		p->mail.headers = p->mail.display ? p->mail.headers : URLSIFT_HEADERS_ALL;
		break;
	default: break;
	}
}

/* THE table of aims: what they read; what a run takes in microseconds, without sanitizers; their share of the time, by
 * how seldom they meet what they are about. */
static const struct aim_row {
	enum kind_of_text of;
	uint16_t cost, share;
} aims[AIMS] = {
	[AIM_NONE] = { OF_ANY, 900, 8 },        [AIM_GUESSES] = { OF_ANY, 800, 6 },
	[AIM_ESCAPES] = { OF_ANY, 600, 4 },     [AIM_HEADERS] = { OF_MAIL, 2200, 6 },
	[AIM_COPIES] = { OF_MAIL, 2000, 6 },    [AIM_LABELS] = { OF_TEXT, 1200, 6 },
	[AIM_WRAPPED] = { OF_ANY, 700, 4 },     [AIM_PAGES] = { OF_ANY, 1000, 4 },
	[AIM_SCARCE] = { OF_ANY, 850, 8 },      [AIM_QUIET] = { OF_TEXT, 4500, 16 },
	[AIM_EDGES] = { OF_TEXT, 160, 8 },      [AIM_ENDINGS] = { OF_TEXT, 140, 4 },
	[AIM_TAILS] = { OF_TEXT, 180, 3 },      [AIM_HIDDEN] = { OF_HTML, 2500, 4 },
	[AIM_PIECES] = { OF_HTML, 330, 5 },     [AIM_BASES] = { OF_HTML, 180, 4 },
	[AIM_LONG_HOSTS] = { OF_TEXT, 220, 3 }, [AIM_TURNS] = { OF_TEXT, 4000, 20 },
	[AIM_RULES] = { OF_TEXT, 11500, 4 },    [AIM_GROWN] = { OF_TEXT, 200, 10 },
	[AIM_UNSAFE] = { OF_TEXT, 150, 6 },     [AIM_FAR] = { OF_TEXT, 320, 12 },
	[AIM_HYPHENS] = { OF_TEXT, 150, 6 },    [AIM_CALENDARS] = { OF_MAIL, 1300, 8 },
	[AIM_HELD] = { OF_MAIL, 19000, 16 },     [AIM_NOTICES] = { OF_TEXT, 400, 3 },
	[AIM_BLOCKS] = { OF_TEXT, 300, 6 },     [AIM_STEPS] = { OF_TEXT, 1200, 5 },
	[AIM_FANGS] = { OF_TEXT, 260, 8 },      [AIM_TARGETS] = { OF_HTML, 190, 2 },
	[AIM_ANCHORS] = { OF_HTML, 200, 8 },    [AIM_BLANKS] = { OF_HTML, 160, 3 },
	[AIM_FRAMES] = { OF_MAIL, 260, 4 },     [AIM_REMAINS] = { OF_MAIL, 210, 3 },
	[AIM_FIELDS] = { OF_MAIL, 310, 3 },     [AIM_OPENINGS] = { OF_TEXT, 480, 8 },
	[AIM_CUTS] = { OF_TEXT, 200, 4 },       [AIM_VALUES] = { OF_HTML, 11000, 6 },
	[AIM_FLOWED] = { OF_MAIL, 1800, 4 },    [AIM_PARAGRAPHS] = { OF_TEXT, 260, 3 },
	[AIM_FORMS] = { OF_TEXT, 440, 10 },
};

/* The options that the aim needs. */
static void choose_aim(struct choices *c, struct plan *p, enum aim aim)
{
	c->aim = aim;
	c->of = aims[aim].of;
	if (aim >= AIM_NOTICES) {
		choose_aim_met(c, p, aim);
		return;
	}
	if (aim >= AIM_LONG_HOSTS) {
		choose_aim_long(c, p, aim);
		return;
	}
	switch (aim) {
	case AIM_GUESSES:
		c->urls = 21;
		c->failing = true;
		choose_limit(c, p, 64);
		choose_guesses(p);
		break;
	case AIM_EDGES:
		choose_guesses(p);
		choose_around(c, p);
		break;
	case AIM_ENDINGS: choose_limit(c, p, 64); break;
	case AIM_ESCAPES: c->urls = 20; break;
	case AIM_HEADERS:
		p->mail.max_header = 1024;
		p->mail.metadata |= c->failing = once_in(c, 2);
		p->how.format = c->failing ? "html" : p->how.format;
		break;
	case AIM_COPIES: p->mail.positions = true; break;
	case AIM_LABELS:
		c->changes = 1u << 8;
		if (once_in(c, 2)) {
			p->how.format = "html";
			p->how.line_number = true;
			c->ruled = true;
			set_rules(p->scan, 1);
		}
		break;
	case AIM_WRAPPED: c->urls = 22; break;
	case AIM_PAGES:
		p->how.format = "html";
		p->how.html.fragment = false;
		p->how.html.title = NULL;
		c->failing = true;
		break;
	case AIM_QUIET:
		c->changes = 1u << 6 | 1u << 8 | 1u << 10;
		p->how.format = once_in(c, 4) ? p->how.format : "json"; /* which has the notices */
		if (once_in(c, 2))
			choose_limit(c, p, once_in(c, 2) ? 64 : 4096 + (long)choose(c, 8192));
		break;
	case AIM_SCARCE: choose_scarce(c, p); break;
	case AIM_TAILS:
	case AIM_NONE:
		break;
	default: choose_aim_html(c, p, aim);
	}
}

/* A state whose numbers have nothing to do with those of another (the end of splitmix64).  After the complement of a
 * state, each number would follow from that of the same turn: with an aim, some options would never come. */
static uint64_t scatter(uint64_t state)
{
	state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9u;
	state = (state ^ state >> 27) * 0x94D049BB133111EBu;
	return state ^ state >> 31;
}

/* How often an aim is drawn, so that it has its share of the time: an aim whose runs take long does not starve
 * others. */
static uint32_t weight(enum aim aim) { return 1000000u * aims[aim].share / aims[aim].cost; }

/* FUZZ_AIM names one by its number. */
static enum aim draw_aim(struct choices *own)
{
	const char *only = getenv("FUZZ_AIM");
	uint32_t sum = 0, aim = 0;
	if (only)
		return (enum aim)(strtoul(only, NULL, 10) % AIMS);
	for (uint32_t i = 0; i < AIMS; i++)
		sum += weight((enum aim)i);
	uint32_t at = (uint32_t)((uint64_t)choose(own, 65536) * sum >> 16);
	for (; at >= weight((enum aim)aim); aim++)
		at -= weight((enum aim)aim);
	return (enum aim)aim;
}

/* A run of the swarm has few kinds of things, but these often, so that some meet which seldom do.  What they are is
 * drawn from numbers of their own, so that other seeds keep their texts. */
static void choose_swarm(struct choices *c, struct plan *p)
{
	static const uint32_t urls[] = { 0, 0, 1, 11, 16, 16, 19 }, hosts[] = { 0, 0, 3 };
	struct choices own = { .state = scatter(c->state) };
	for (int i = 0; i < 3; i++)
		c->changes |= 1u << choose(&own, CHANGES_PLAIN);
	c->urls = CHOOSE(&own, urls);
	c->long_hosts = CHOOSE(&own, hosts);
	c->failing = once_in(&own, 3);
	if (once_in(&own, 4)) {
		c->ruled = true;
		set_rules(p->scan, 1);
	}
	if (once_in(&own, 4)) {
		p->how.format = "html";
		p->how.line_number = true;
	}
	choose_aim(c, p, draw_aim(&own));
}

void construct_options(struct choices *c, struct plan *p, bool of_swarm)
{
	choose_scan(c, p->scan, &p->declared);
	choose_rules(c, p->scan);
	choose_output(c, &p->how);
	choose_mail(c, &p->mail);
	p->some = once_in(c, 8);
	if (of_swarm)
		choose_swarm(c, p);
}
