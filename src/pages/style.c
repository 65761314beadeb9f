#include "page.h"

#ifdef URLSIFT_WITH_SQLITE

/* What pages of an archive have besides those of the renderer. */
static const char style[] =
	"nav>a,.steps a{display:inline-block;margin-right:1rem;padding:.25rem 0}"
	"h1{margin-top:1rem;font-size:1.5rem;line-height:1.25}"
	"ul,ol{margin:.25rem 0;padding-left:1.25rem}li{margin:.25rem 0}"
	".by{color:var(--l)}time{white-space:nowrap}"
	".outline{padding:0;list-style:none;--d:.75rem}.d1{margin-left:var(--d)}.d2{margin-left:calc(2*var(--d))}"
	".d3{margin-left:calc(3*var(--d))}.d4{margin-left:calc(4*var(--d))}.d5{margin-left:calc(5*var(--d))}"
	".d6{margin-left:calc(6*var(--d))}.d7{margin-left:calc(7*var(--d))}.d8{margin-left:calc(8*var(--d))}"
	".m:target{border-top:.25rem solid var(--a)}"
	"table{width:auto;margin:1rem 0}th,td{padding-right:1.5rem}tbody th{font-weight:normal}"
	"@media(max-width:40rem){thead{display:table-header-group}tr{display:table-row}td{display:table-cell}"
	"th,td{padding-right:.5rem}.outline{--d:.375rem}}"
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
