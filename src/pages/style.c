#include "page.h"

#ifdef URLSIFT_WITH_SQLITE

/* What pages of an archive have besides those of the renderer. */
static const char style[] =
	"nav>a,.steps a{display:inline-block;margin-right:1rem;padding:.25rem 0}"
	"h1{margin-top:1rem;font-size:1.5rem;line-height:1.25}"
	"ul,ol{margin:.25rem 0;padding-left:1.25rem}li{margin:.25rem 0}"
	".by{color:var(--l)}"
	".outline{padding:0;list-style:none}.d1{margin-left:.75rem}.d2{margin-left:1.5rem}.d3{margin-left:2.25rem}"
	".d4{margin-left:3rem}.d5{margin-left:3.75rem}.d6{margin-left:4.5rem}.d7{margin-left:5.25rem}"
	".d8{margin-left:6rem}"
	".m:target{border-top:.25rem solid var(--a)}"
	"table{width:auto;margin:1rem 0}th,td{padding-right:1.5rem}tbody th{font-weight:normal}"
	"@media(max-width:40rem){thead{display:table-header-group}tr{display:table-row}td{display:table-cell}"
	"th,td{padding-right:.5rem}.d1,.d2,.d3,.d4,.d5,.d6,.d7,.d8{margin-left:.75rem}}"
	"@media print{nav,.steps{display:none}}\n";

void style_write(struct pages *p)
{
	site_begin(&p->site, SECTION_TOP, "style.css");
	page_text(&p->site, urlsift_html_style());
	page_text(&p->site, style);
	page_text(&p->site, p->options.style ? p->options.style : "");
	site_end(&p->site);
}

#endif
