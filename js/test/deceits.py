"""Hostile mail in HTML: what names www.bank.example where it is shown, and leads to evil.example.  Used by thunderbird.py."""

EVIL = "http://evil.example/"
NAME = "www.bank.example"
SHADOW = '<template shadowrootmode="{mode}">{inner}</template>'

WORDS = "words\n" * 2000

# Each must have a warning.
DECEITS = {
    "plain": f'<a href="{EVIL}">{NAME}</a>',
    "upper case": f'<a href="HTTP://EVIL.EXAMPLE/">{NAME.upper()}</a>',
    "blanks": f'<a href="  \n{EVIL}">{NAME}</a>',
    "no scheme in the text": f'<a href="{EVIL}">//{NAME}/login</a>',
    "redirect": f'<a href="{EVIL}?u=https://{NAME}/">{NAME}</a>',
    "second name": f'<a href="{EVIL}">evil.example {NAME}</a>',
    "an address": f'<a href="{EVIL}">help@bank.example</a>',
    "mailto": '<a href="mailto:help@evil.example">help@bank.example</a>',
    "ftp": f'<a href="ftp://evil.example/x">{NAME}</a>',
    "shadow tree": f'<div>{SHADOW.format(mode="open", inner=f"<a href={EVIL}>{NAME}</a>")}</div>',
    "closed shadow tree": f'<div>{SHADOW.format(mode="closed", inner=f"<a href={EVIL}>{NAME}</a>")}</div>',
    "slot": f'<div>{SHADOW.format(mode="open", inner=f"<a href={EVIL}><slot></slot></a>")}{NAME}</div>',
    "text in a shadow tree": f'<a href="{EVIL}">log in <span>{SHADOW.format(mode="closed", inner=NAME)}</span></a>',
    "picture": f'<a href="{EVIL}"><img alt="{NAME}" src="http://evil.example/x.png"></a>',
    "tooltip": f'<a href="{EVIL}" title="https://{NAME}/">log in</a>',
    "tooltip around": f'<span title="https://{NAME}/"><a href="{EVIL}">log in</a></span>',
    "hidden letters": f'<a href="{EVIL}">www<span style="display:none">_!_</span>.bank<span style="font-size:0">_!_</span>.example</a>',
    "letters of no colour": f'<a href="{EVIL}">www<span style="color:#fff">_!</span>.bank<span style="color:transparent">_!</span>.example</a>',
    "letters in no room": f'<a href="{EVIL}">www<i style="display:inline-block;width:0;height:0;overflow:hidden">_!</i>.bank.example</a>',
    "letters of no strength": f'<a href="{EVIL}">www<i style="opacity:.01">_!</i>.bank.example</a>',
    "the target, hidden": f'<a href="{EVIL}"><span style="display:none">evil.example/</span>{NAME}</a>',
    "much hidden text": f'<a href="{EVIL}"><span style="display:none">{WORDS}</span>{NAME}</a>',
    "characters that are not seen": f'<a href="{EVIL}">www.ba&#8203;nk.ex&shy;ample</a>',
    "wide letters": f'<a href="{EVIL}">\uff57\uff57\uff57\uff0e\uff42\uff41\uff4e\uff4b\uff0e\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45</a>',
    "ideographic stops": f'<a href="{EVIL}">www\u3002bank\u3002example</a>',
    "reversed": f'<a href="{EVIL}">\u202e{NAME[::-1]}\u202c</a>',
    "reversed by style": f'<a href="{EVIL}"><bdo dir="rtl">{NAME[::-1]}</bdo></a>',
    "letters that float": f'<a href="{EVIL}" style="display:inline-block">' + "".join(f'<b style="float:right">{c}</b>' for c in NAME[::-1]) + "</a>",
    "style sheet": f'<style>.said::before {{ content: "{NAME}" }}</style><a class="said" href="{EVIL}"></a>',
    "attribute in a style sheet": f'<style>.told::after {{ content: attr(data-x) }}</style><a class="told" data-x="{NAME}" href="{EVIL}"></a>',
    "button": f'<form action="{EVIL}"><button>{NAME}</button></form>',
    "input": f'<form action="{EVIL}"><input type="submit" value="{NAME}"></form>',
    "picture button": f'<form action="{EVIL}"><input type="image" alt="{NAME}" src="x.png"></form>',
    "another action": f'<form action="https://{NAME}/"><button formaction="{EVIL}">{NAME}</button></form>',
    "label": f'<form action="{EVIL}"><input id="b" type="submit" value="go"></form><label for="b">{NAME}</label>',
    "text of a form": f'<form action="{EVIL}">{NAME}: <input type="password"><input type="submit" value="go"></form>',
    "form without a button": f'<form action="{EVIL}">{NAME}: <input type="password"></form>',
    "form with odd names": f'<form action="{EVIL}">{NAME}<input name="action"><input name="getAttribute"><input name="localName"><button name="elements">go</button></form>',
    "control that is named as a function": f'<form><input name="assignedNodes"></form><a href="{EVIL}">{NAME}</a>',
    "area": f'<img usemap="#m" alt="map" width="90" height="30"><map name="m"><area href="{EVIL}" shape="default" alt="{NAME}"></map>',
    "picture of an area": f'<img usemap="#n" alt="{NAME}" width="90" height="30"><map name="n"><area href="{EVIL}" shape="default"></map>',
    "svg": f'<svg width="200" height="30"><a href="{EVIL}"><text y="20">{NAME}</text></a></svg>',
    "svg, xlink": f'<svg width="200" height="30"><a xlink:href="{EVIL}"><text y="20">{NAME}</text></a></svg>',
    "svg that changes": f'<svg width="200" height="30"><a href="https://{NAME}/"><set attributeName="href" to="{EVIL}"></set><text y="20">{NAME}</text></a></svg>',
    "math": f'<math href="{EVIL}"><mtext>{NAME}</mtext></math>',
    "button in a link": f'<a href="{EVIL}"><button>{NAME}</button></a>',
    "cut": f'<div style="width:200px;height:18px;overflow:hidden"><a href="{EVIL}?{"cut"}" style="display:block">{NAME}</a></div>',
    "closed": f'<details><summary>more</summary><a href="{EVIL}?closed">{NAME}</a></details>',
    "posing as plain text": '<style>.moz-text-plain a { font-size: 0 } .moz-text-plain a::before '
                            f'{{ content: "{NAME}"; font-size: 16px }}</style><div class="moz-text-plain">{EVIL}</div>',
    "what is not a URL before it": f'<a href="http://[">x</a><a href="http://%zz/">y</a><a href="{EVIL}">{NAME}</a>',
}
CUT = ("cut", "closed")  # their warnings are at the beginning of the page
HONEST = [
    f'<a href="https://{NAME}/">{NAME}</a>', f'<a href="https://login.bank.example/x">bank.example</a>', f'<a href="{EVIL}">our news</a>',
    f'<a href="mailto:help@bank.example">help@bank.example</a>', f'<form action="https://{NAME}/"><button>{NAME}</button></form>',
    f'<img usemap="#o" alt="{NAME}"><map name="o"><area href="https://{NAME}/" alt="x"></map>', f'<a href="#top">{NAME}</a>',
    f'<svg width="20" height="20"><a href="https://{NAME}/"><text y="9">{NAME}</text></a></svg>',
]


def page(cases):
    return "<html><body>\n" + "\n".join(f'<div data-case="{name}">{html}</div>' for name, html in cases) + "\n</body></html>"


PAGES = {
    "deceits": page(DECEITS.items()),
    "honest": page((str(i), html) for i, html in enumerate(HONEST)),
    # the element of the body is ended, and one of plain text begins
    "escape": f'<html><body></div></div></div><div data-case="escape"><div class="moz-text-plain"><a href="{EVIL}">{NAME}</a></div></div></body></html>',
    # style sheets that hide warnings
    "styles": "<html><head><style>span, .urlsift-warning, a + * { display: none !important; font-size: 0 !important; opacity: 0 !important; position: absolute !important;"
              f' left: -999px !important }}</style></head><body><div data-case="styles"><a href="{EVIL}">{NAME}</a></div></body></html>',
    "base": f'<html><head><base href="{EVIL}"></head><body><div data-case="base"><a href="login">{NAME}</a></div></body></html>',
}
