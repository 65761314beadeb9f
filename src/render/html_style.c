#include "html.h"

#include "head.h"

/* Colours have a contrast of at least 7 to 1 with the background, in light and dark; those of a visited link and of
 * quotes 4.5 to 1. */
#define LIGHT \
	"--bg:#fff;--fg:#1a1a1a;--a:#0b4f9c;--v:#6a2a86;--w:#9b1c00;--l:#545454;--b:#c8c8c8;" \
	"--q1:#0b57a4;--q2:#8a3b00;--q3:#1d6b2a;--q4:#8b1f6b;--q5:#5b5200"
#define DARK \
	"--bg:#16181b;--fg:#e4e4e4;--a:#8ab8f5;--v:#cfa6e8;--w:#ffb39c;--l:#b4b4b4;--b:#4a4d52;" \
	"--q1:#8ab8f5;--q2:#f0a875;--q3:#8fd19a;--q4:#eb9fd3;--q5:#d5c96a"

static const char style[] =
	":root{color-scheme:light dark;" LIGHT "}"
	"@media(prefers-color-scheme:dark){:root{" DARK "}}"
	"@media print{:root{font-size:10pt;" LIGHT "}}" /* 80 columns fit a sheet */
	"body{margin:0 auto;padding:1rem;max-width:60rem;overflow-wrap:anywhere;background:var(--bg);color:var(--fg);"
	"font:1rem/1.5 sans-serif}"
	"a{color:var(--a);unicode-bidi:isolate;direction:ltr}a:visited{color:var(--v)}"
	"h1{margin:0 0 1rem;font-size:1.25rem}h2{margin:2rem 0 1rem;font-size:1.125rem}h3{font-size:1rem}"
	"pre{margin:0;font:1rem/1.5 ui-monospace,monospace;white-space:pre-wrap;tab-size:8;unicode-bidi:plaintext}"
	"pre.f{font:inherit;white-space:pre-line}" /* text of HTML: lines of any length, blanks that mean nothing */
	"pre+pre{margin-top:1rem;border-top:1px dashed var(--b);padding-top:1rem}" /* another part without a name */
	"pre{counter-reset:n}.n::before{counter-increment:n;content:counter(n);display:inline-block;min-width:4ch;"
	"margin-inline-end:2ch;text-align:end;color:var(--l);-webkit-user-select:none;user-select:none}"
	".n:target::before{background:var(--a);color:var(--bg)}"
	"bdi.w{color:var(--w);font:1em/1.4 sans-serif;-webkit-user-select:none;user-select:none}"
	"bdi.t{color:var(--l);font:inherit;-webkit-user-select:auto;user-select:auto}"
	/* A quoted line has a bar before it, and what of it wraps begins after its marks. */
	".q{display:inline-block;box-sizing:border-box;width:100%;vertical-align:top;border-inline-start:.15rem solid;"
	"padding-inline-start:calc(.5rem + var(--q));text-indent:calc(-1*var(--q))}"
	"pre:has(.n) .q{display:inline;border:0;padding:0}" /* after a line number */
	".q1{color:var(--q1);--q:2ch}.q2{color:var(--q2);--q:4ch}.q3{color:var(--q3);--q:6ch}"
	".q4{color:var(--q4);--q:8ch}.q5{color:var(--q5);--q:10ch}"
	/* a page may have thousands of messages: those out of sight are not laid out */
	".m{margin:2rem -1rem 0;border-top:1px solid var(--b);padding:0 1rem;"
	"content-visibility:auto;contain-intrinsic-size:auto 40rem}"
	".m:has(h1){margin-top:0;border-top:0}.m h1,.m h2{margin:1rem 0 .5rem;font-size:1.25rem}"
	".m .w:is(h2,h3){margin:1.5rem 0 .5rem;color:var(--l);font-size:1rem}"
	"dl{display:grid;grid-template-columns:fit-content(10rem) minmax(0,1fr);gap:.125rem .75rem;margin:0 0 1rem}"
	"details{margin:0 0 1rem}summary{color:var(--l);cursor:pointer}details dl{margin:.25rem 0 0}dd details{margin:0}"
	"article>ul{margin:.5rem 0;padding:0;list-style:none;color:var(--l)}"
	"dt,caption{color:var(--l)}dd{margin:0}"
	"body:has(#messages) p[hidden]{display:block}"
	"table{width:100%;margin:3rem 0 0;border-collapse:collapse}"
	"caption{font-weight:bold}caption,th,td{padding:.25rem .5rem .25rem 0;text-align:start;vertical-align:top}"
	"tr{border-bottom:1px solid var(--b)}"
	"@media(max-width:40rem){body{padding:.5rem}.m{margin:2rem -.5rem 0;padding:0 .5rem}"
	"dl{display:block}dt,dd{display:inline}dd::before{content:\" \"}dd::after{content:\"\\a\";"
	"white-space:pre}dd:has(details)::after{content:none}thead{display:none}tr,td{display:block}}"
	"@media(min-width:48rem) and (max-width:51rem){pre{font-size:.9375rem}}" /* they fit a tablet, too */
	"@media print{body{max-width:none}details:not([open]){display:none}dd details:not([open]){display:block}"
	"a.t::after{content:\" \\3c \" attr(href) \"\\3e \"}"
	"p[hidden]{display:none!important}h2,h3{break-after:avoid}"
	".m{content-visibility:visible}}";

const char *urlsift_html_style(void) { return style; }

void html_put_head(urlsift_renderer *r, struct writer *w, const urlsift_text *subject)
{
	const urlsift_html_options *o = &r->options.html;
	const struct buf *name = &((const struct html_state *)r->state)->page.name;
	const char *lang = text_or(o->lang, "en"), *given = text_or(o->title, "urlsift");
	urlsift_text title = { given, strlen(given) };
	if (subject)
		title = subject->length > 0 ? *subject : (urlsift_text){ "(no subject)", sizeof "(no subject)" - 1 };
	else if (!o->title && name->length > 0)
		title = (urlsift_text){ (const char *)name->data, name->length };
	writer_text(w, "<!DOCTYPE html><html lang=\"");
	escape_html(w, lang, strlen(lang));
	writer_text(w, "\">" HTML_HEAD
	               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	               "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"
	               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
	               "<meta name=\"color-scheme\" content=\"light dark\"><title>");
	escape_title(w, title.bytes, title.length);
	writer_text(w, "</title><style>");
	writer_text(w, style);
	if (o->style) {
		/* The caller's style sheet, which must not end the element: CSS reads `\/` as `/`. */
		const char *css = o->style;
		for (const char *end; (end = strstr(css, "</")); css = end + 2) {
			writer_put(w, css, (size_t)(end - css));
			writer_text(w, "<\\/");
		}
		writer_text(w, css);
	}
	writer_text(w, "</style></head><body><main>");
	if (subject)
		return;
	writer_text(w, "<h1 class=\"w\"><bdi>");
	escape_html(w, title.bytes, title.length);
	writer_text(w, "</bdi></h1>");
}
