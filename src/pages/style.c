#include "page.h"

#ifdef URLSIFT_WITH_SQLITE

#include <string.h>

/* Colours have a contrast of at least 4.5 to 1 on their background, light and dark. */
static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#1b1b1b;--a:#0645ad;--v:#6b3fa0;--l:#5c5c5c;--r:#d5d5d5;"
	"--q1:#0b57a4;--q2:#8a3b00;--q3:#1d6b2a;--q4:#8b1f6b;--q5:#5b5200;--w:#9b1c00}\n"
	"@media(prefers-color-scheme:dark){:root{--bg:#161616;--fg:#e6e6e6;--a:#8ab8f5;--v:#c7a6f0;--l:#b0b0b0;--r:#4a4a4a;"
	"--q1:#8ab8f5;--q2:#f0a875;--q3:#8fd19a;--q4:#eb9fd3;--q5:#d5c96a;--w:#ffb39c}}\n"
	"body{margin:0 auto;padding:1rem;max-width:60rem;background:var(--bg);color:var(--fg);"
	"font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
	"a{color:var(--a);unicode-bidi:isolate}a:visited{color:var(--v)}\n"
	"nav>a,.steps a{display:inline-block;margin-right:1rem;padding:.25rem 0}\n"
	"h1{margin:1rem 0;font-size:1.5rem;line-height:1.25}h2{margin:1.5rem 0 .5rem;font-size:1.125rem}\n"
	"h3{margin:1.5rem 0 .5rem;color:var(--l);font-size:.875rem}\n"
	"pre{margin:0;font:.875rem/1.5 ui-monospace,monospace;white-space:pre-wrap;tab-size:8}\n"
	"ul,ol{margin:.25rem 0;padding-left:1.25rem}li{margin:.25rem 0}\n"
	".by,dt{color:var(--l)}.by{font-size:.875rem}\n"
	".outline{padding:0;list-style:none}.d1{margin-left:.75rem}.d2{margin-left:1.5rem}.d3{margin-left:2.25rem}"
	".d4{margin-left:3rem}.d5{margin-left:3.75rem}.d6{margin-left:4.5rem}.d7{margin-left:5.25rem}.d8{margin-left:6rem}\n"
	".m{margin:2rem -1rem 0;border-top:1px solid var(--r);padding:0 1rem;content-visibility:auto;"
	"contain-intrinsic-size:auto 40rem}.m:target{border-top:.25rem solid var(--a)}\n"
	"dl{display:grid;grid-template-columns:fit-content(10rem) minmax(0,1fr);gap:.125rem .75rem;margin:0 0 1rem;"
	"font-size:.875rem}dd{margin:0}\n"
	"bdi.w{color:var(--w);font:.875em/1.4 system-ui,sans-serif}bdi.t{color:var(--l);font:inherit;font-size:.8em}\n"
	".q{box-shadow:-.5rem 0 var(--bg),-.65rem 0 currentColor;-webkit-box-decoration-break:clone;"
	"box-decoration-break:clone}.q1{color:var(--q1)}.q2{color:var(--q2)}.q3{color:var(--q3)}.q4{color:var(--q4)}"
	".q5{color:var(--q5)}\n"
	"table{border-collapse:collapse}th,td{padding:.25rem 1.5rem .25rem 0;text-align:start;vertical-align:top}"
	"tr{border-bottom:1px solid var(--r)}tbody th{font-weight:normal}\n"
	"@media(max-width:40rem){th,td{padding-right:.5rem}.d1,.d2,.d3,.d4,.d5,.d6,.d7,.d8{margin-left:.75rem}}\n"
	"@media print{nav,.steps{display:none}.m{content-visibility:visible}}\n";

void style_write(struct pages *p)
{
	const char *css = p->options.css ? p->options.css : style;
	site_begin(&p->site, SECTION_TOP, "style.css");
	site_put(&p->site, css, strlen(css));
	site_end(&p->site);
}

#endif
