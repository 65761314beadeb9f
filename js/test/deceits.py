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
    "a line after it": f'<a href="{EVIL}">bank.example<br>log in</a>',
    "an element after it": f'<a href="{EVIL}"><b>bank.example</b> <b>log in</b></a>',
    "a block after it": f'<a href="{EVIL}"><div>bank.example</div>log in</a>',
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
    "counter style": f'<style>@counter-style bank {{ system: cyclic; symbols: "{NAME}" }} .counts::before {{ counter-set: x 1; content: counter(x, bank) }}</style>'
                     f'<a class="counts" href="{EVIL}"></a>',
    "symbols of a counter": f'<style>.symbols::before {{ content: counter(x, symbols(cyclic "{NAME}")) }}</style><a class="symbols" href="{EVIL}"></a>',
    "counted letters": f'<style>.l::before {{ content: counter(l, lower-alpha) }}</style><a href="{EVIL}">' + ".".join(
        "".join(f'<b class="l" style="counter-set: l {ord(c) - 96}"></b>' for c in word) for word in NAME.split(".")) + "</a>",
    "marker": f'<a href="{EVIL}" style=\'display: list-item; list-style: inside "{NAME}"\'></a>',
    "quotes": f'<style>.quoted {{ quotes: "{NAME}" "" }} .quoted::before {{ content: open-quote }}</style><a class="quoted" href="{EVIL}"></a>',
    "half of it in a style sheet": f'<style>.half::before {{ content: "www.ba" }} .half::after {{ content: ".example" }}</style><a class="half" href="{EVIL}">nk</a>',
    "text that overflows": f'<a href="{EVIL}" style=\'display: block; width: 12em; overflow: hidden; white-space: nowrap; text-overflow: "{NAME}"\'>{"log in " * 9}</a>',
    "letters off a clip path": f'<a href="{EVIL}" style="clip-path: inset(0)">www<i style="clip-path: inset(50%)">_!_</i>.bank<i style="clip-path: circle(0)">_!_</i>'
                               '.exa<i style="clip-path: polygon(0 0, 9px 0, 0 0)">_!_</i>mp<i style="clip-path: path(&quot;M0 0h1v1z&quot;)">_!_</i>le</a>',
    "letters off a shape that is not known": f'<a href="{EVIL}">www<i style="clip-path: url(#none)">_!_</i>.bank.example</a>',
    "letters off a clip": f'<a href="{EVIL}">www<i style="position: absolute; clip: rect(0, 0, 0, 0)">_!_</i>.bank.example</a>',
    "letters off a mask": f'<a href="{EVIL}">www<i style="mask-image: linear-gradient(transparent, transparent)">_!_</i>.bank.example</a>',
    "text over a link": f'<div style="position: relative"><a href="{EVIL}" style="display: block">log in to your account</a>'
                        f'<span style="position: absolute; left: 0; top: 0; pointer-events: none; background: #fff">{NAME}</span></div>',
    "letters over a link": f'<div style="position: relative"><a href="{EVIL}" style="display: block">&nbsp;</a>' + "".join(
        f'<span style="position: absolute; left: {i}em; top: 0; pointer-events: none">{c}</span>' for i, c in reversed(list(enumerate(NAME)))) + "</div>",
    "link over a text": f'<div style="position: relative">{NAME}<a href="{EVIL}" style="position: absolute; inset: 0"></a></div>',
    "link over a link": f'<div style="position: relative"><a href="https://{NAME}/">{NAME}</a><a href="{EVIL}" style="position: absolute; inset: 0"></a></div>',
    "part of a link over a text": f'<div style="position: relative">{NAME}<a href="{EVIL}"><b style="position: absolute; inset: 0"></b></a></div>',
    "style sheet over a text": '<style>.over::after { content: ""; position: absolute; inset: 0 }</style>'
                               f'<div style="position: relative">{NAME} <a class="over" href="{EVIL}">log in</a></div>',
    "svg that is changed from elsewhere": f'<svg width="200" height="30"><a id="z" href="https://{NAME}/"><text y="20">{NAME}</text></a>'
                                          f'<set href="#z" attributeName="href" to="{EVIL}"></set></svg>',
    "form with names of a node": f'<form action="{EVIL}">{NAME}: ' + "".join(f'<input name="{name}">' for name in (
        "nodeType", "localName", "hasAttribute", "childNodes", "checkVisibility", "getBoundingClientRect", "after", "slot")) + "</form>",
    "what is not a URL before it": f'<a href="http://[">x</a><a href="http://%zz/">y</a><a href="{EVIL}">{NAME}</a>',
    **{f"U+{ord(c):04X}": f'<a href="{EVIL}">bank.exa{c}mple</a>' for c in "\U000e0061\U000e0100\U0001d173\x01\x7f\ufff9"},
    "picture of an area, after more": f'<img usemap="x#um" alt="{NAME}" width="90" height="30"><map name="um"><area href="{EVIL}" shape="default"></map>',
    "picture of an area, by its id": f'<img usemap="#ui" alt="{NAME}" width="90" height="30"><map id="ui"><area href="{EVIL}" shape="default"></map>',
    "no script": f'<a href="{EVIL}"><noscript>{NAME}</noscript></a>',
    "letters of no fill": f'<a href="{EVIL}"><svg width="200" height="30"><text y="20">www<tspan fill="none">_!</tspan>.bank<tspan fill="#fff">_!</tspan>.example</text></svg></a>',
    "letters in places of a picture": f'<a href="{EVIL}"><svg width="200" height="30"><text y="20" x="90">.example</text><text y="20" x="0">www.bank</text></svg></a>',
    "letters in other notations of colours": f'<a href="{EVIL}">www<i style="color:lab(100 0 0)">_!</i>.bank<i style="color:color(srgb 1 .99 1)">_!</i>.example</a>',
    **{f"seen by its {style.split(':')[0]}": f'<a href="{EVIL}" style="color:transparent;{style}">bank.exa<i style="display:none">_!</i>mple</a>' for style in (
        "text-shadow: 0 0 #000", "-webkit-text-stroke: 1px #000", "background: linear-gradient(#000, #000); background-clip: text")},
    "white on a dark picture": f'<a href="{EVIL}" style="color:#fff;background-image:linear-gradient(#000,#000)">bank.exa<i style="display:none">_!</i>mple</a>',
    "first letter": f'<style>.first::first-letter {{ font-size: 0 }}</style><div class="first"><a href="{EVIL}">_{NAME[4:]}</a></div>',
    "part reversed by style": f'<a href="{EVIL}">ba<bdo dir="rtl">xe.kn</bdo>ample<br>log in</a>',
    "part reversed": f'<a href="{EVIL}">ba\u202exe.kn\u202cample<br>log in</a>',
    "reversed before it": f'\u202e<a href="{EVIL}">elp<b>maxe.knab</b></a>\u202c',
    "from right to left": f'<div dir="rtl"><a href="{EVIL}">example\u200f.\u200fbank\u200f.\u200fwww</a></div>',
    "style sheet of an element over a link": f'<style>.on::after {{ content: "{NAME}" }}</style><div style="position: relative"><a href="{EVIL}">log in to your account</a>'
                                             '<b class="on" style="position: absolute; inset: 0; pointer-events: none; background: #fff"></b></div>',
    "style sheet over a link": f'<style>.top::before {{ content: "{NAME}"; position: absolute; inset: 0; pointer-events: none; background: #fff }}</style>'
                               f'<div class="top" style="position: relative"><a href="{EVIL}">log in to your account</a></div>',
}
CUT = ("closed",)  # its warning is seen in the bar alone
HONEST = [
    f'<a href="https://{NAME}/">{NAME}</a>', f'<a href="https://login.bank.example/x">bank.example</a>', f'<a href="{EVIL}">our news</a>',
    f'<a href="mailto:help@bank.example">help@bank.example</a>', f'<form action="https://{NAME}/"><button>{NAME}</button></form>',
    f'<img usemap="#o" alt="{NAME}"><map name="o"><area href="https://{NAME}/" alt="x"></map>', f'<a href="#top">{NAME}</a>',
    f'<svg width="20" height="20"><a href="https://{NAME}/"><text y="9">{NAME}</text></a></svg>',
    # a card: the link is over all of it
    f'<div style="position: relative">{NAME} <a href="https://login.bank.example/" style="position: absolute; inset: 0"></a></div>',
    f'<style>.all::after {{ content: ""; position: absolute; inset: 0 }}</style><div style="position: relative">{NAME}: <a class="all" href="https://{NAME}/">log in</a></div>',
    # beside it, above it and below it
    f'<div style="line-height: 1">{NAME} <a href="{EVIL}">news</a> {NAME}<br><a href="{EVIL}">more news</a><br>{NAME} {NAME}</div>',
    f'<table><tr><td>{NAME}<td><a href="{EVIL}">news</a><td><a href="https://{NAME}/">{NAME}</a></table>',
    f'<style>ol a::before {{ content: counter(list-item) ". " }}</style><ol><li><a href="{EVIL}">news</a><li><a href="{EVIL}"><q>more</q></a></ol>',
    f'<a href="https://{NAME}/" style="clip-path: circle(50%); border-radius: 4px; filter: none">{NAME}</a>',
    f'<div style="font-size: 0"><a href="https://{NAME}/" style="font-size: 16px">{NAME}</a></div>',
    # a large initial
    f'<style>.initial::first-letter {{ font-size: 3em; color: #c00; float: left; margin: -2px 4px 0 -2px }}</style><p class="initial"><a href="https://{NAME}/">{NAME}</a> is open</p>',
    f'<a href="{EVIL}" style="display: block; overflow: hidden; text-overflow: ellipsis">{"our news " * 40}</a>',
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
    "contents": f'<html><body style="display: contents"><div data-case="contents"><a href="{EVIL}">{NAME}</a></div></body></html>',
    # controls that are named as what a script asks of a form, in what poses as plain text
    "controls": '<html><body><div class="moz-text-plain"><form>http://a.example/ ' + "".join(f'<input name="{name}">' for name in (
        "matches", "closest", "localName", "nodeType", "parentElement", "childNodes", "data")) + '</form></div>'
        f'<div data-case="controls"><a href="{EVIL}">{NAME}</a></div></body></html>',
    # pictures that are named as what a script asks of the page
    "names": "<html><body>" + "".join(f'<img name="{name}" src="x.png"><form name="{name}"></form>' for name in (
        "querySelector", "querySelectorAll", "createElement", "createTreeWalker", "body", "documentElement", "styleSheets"))
             + f'<div data-case="names"><a href="{EVIL}">{NAME}</a></div></body></html>',
    "base": f'<html><head><base href="{EVIL}"></head><body><div data-case="base"><a href="login">{NAME}</a></div></body></html>',
}

# Style sheets that would hide the bar with the warnings.
_ALL = "display: none; opacity: 0; color: #fff; background: #fff; left: -9999px; max-height: 0; clip-path: inset(50%); animation: hide 1ms forwards".replace(";", " !important;")
_GONE = "from, to { opacity: 0; visibility: hidden; filter: opacity(0); transform: translate(-9999px) }"
HIDING = {
    "of the page": "html { opacity: 0; clip-path: inset(50%); mask-image: linear-gradient(transparent, transparent); transform: translate(-9999px); contain: strict; height: 1px }",
    "filter": "html { filter: opacity(0) !important; transition: all 1000s !important }",
    "size": "html { zoom: .01 !important } body { zoom: 100 }",
    "animation": f"@keyframes hide {{ {_GONE} }} * {{ animation: hide 1ms forwards !important }}",
    "cover": "body::after { content: ''; position: fixed; inset: 0; z-index: 2147483647; background: #fff; pointer-events: none }",
    "important": f"@keyframes hide {{ {_GONE} }} .urlsift-warning, :root > span, [popover] {{ {_ALL} !important }} @layer a {{ [popover] {{ {_ALL} !important }} }}",
    "more of it": "span::before, span::after, ::backdrop { content: '' !important; display: block !important; position: fixed !important; inset: 0 !important; "
                  "z-index: 2147483647 !important; background: #fff !important } ::first-letter, ::first-line { font-size: 0 !important; background: #fff !important }",
}
HIDING = {f"hidden: {name}": f'<html><head><style>{style}</style></head><body><a href="{EVIL}">{NAME}</a></body></html>' for name, style in HIDING.items()}
# What one click on the button lays over all.
LAID = {f"laid over: {name}": f'<html><style>#x {{ position: fixed; inset: 0; width: 100%; height: 100%; max-width: none; max-height: none; background: #fff }}</style>'
        f'<body><a href="{EVIL}">{NAME}</a><button {opens}>x</button>{opened}</body></html>' for name, opens, opened in (
            ("popover", "popovertarget=x", "<div popover id=x>y</div>"), ("dialog", "commandfor=x command=show-modal", "<dialog id=x>y</dialog>"))}

# Mail that is made to be slow.  If the work were not linear, most would take 20 s and more.
HEAVY = {
    "nested formulas": "<math>" + f'<mrow href="{EVIL}">x' * 500 + "</math>",
    "deep": f'<a href="{EVIL}">' + "<div>x" * 6000 + "</a>",
    "areas": "".join(f'<img usemap="#m" alt="{i}.example">' for i in range(600)) + '<map name="m">' + "".join(f'<area href="{EVIL}?{i}">' for i in range(2000)) + "</map>",
    "buttons": f'<form action="{EVIL}">' + "".join(f'<button formaction="{EVIL}?{i}">{i}.name.example</button>' for i in range(3000)) + "</form>",
    "posing as nested plain text": '<div class="moz-text-plain">http://a.example/ x' * 1200,
    "piled up": "".join(f'<a href="{EVIL}?{i}" style="position:absolute;top:0;left:0;width:900px;height:20px">x</a>'
                        f'<span style="position:absolute;top:0;left:0">n{i}.example</span>' for i in range(1500)),
    "a long style sheet": f'<style>a::before {{ display: none; content: "{"w." * 20000}" }}</style>' + f'<a href="{EVIL}">x</a> ' * 3000,
    "many names": '<form>' + "".join(f'<button formaction="https://{NAME}/{i}">{i}.bank.example</button> ' for i in range(300)) + "</form>",
    "many elements": "<br>" * 100000 + f'<a href="{EVIL}">{NAME}</a>',
    "shapes": f'<p><a href="{EVIL}">{NAME}</a></p><style>b {{ clip-path: polygon({"1px 1px, " * 5000}0 0) }}</style><a href="{EVIL}">{"<b>x</b> " * 500}</a>',
    "many links": "".join(f'<p><a href="https://www.site{i}.example/"><b>www.site{i}.example</b></a> and more' for i in range(2000)),
}
# No limit is met in these.
WHOLE = ("areas", "buttons", "posing as nested plain text", "many links")
