"""Texts of mail in many scripts, with URLs whose places are known: what mail_generate.py puts into parts.

A Text is made line by line by a Pen; beside its lines it knows the URLs that must be found in
it, as their author meant them, and those that look like some and must not be. All hosts are invented.
TOKEN stands where a copy of a message may put a number of its own, of the same width.
"""
import binascii

TOKEN = "q0000000q"

WORDS = {
    "latin": "the of a list we archive page message under notes and reports moved with next week see draft old version found below "
             "please read before meeting office patch series applies cleanly tested kernel driver value returns pointer buffer".split(),
    "western": "après déjà naïve façade größer Straße über señor mañana olá coração smörgås århus fjörður été garçon Übersicht".split(),
    "central": "žluťoučký kůň příliš dług łódź święto őszi gyűrű čaša ďábel ňu żółw źródło šéf".split(),
    "baltic": "ąžuolas ėjo šūkis žodis ūkis čia".split(),
    "turkish": "şehir ığdır güneş çocuk ağaç İzmir".split(),
    "cyrillic": "список письмо архив страница новая версия отчёт прошлый следующий неделя привет документ ссылка".split(),
    "greek": "κατάλογος σελίδα μήνυμα αρχείο νέα έκδοση εβδομάδα".split(),
    "hebrew": "שלום רשימה הודעה דף חדש ארכיון".split(),
    "arabic": "مرحبا قائمة رسالة صفحة جديد أرشيف".split(),
    "thai": "สวัสดี รายการ ข้อความ หน้า ใหม่".split(),
    "chinese": "你好 列表 消息 页面 新版本 档案 下周 报告".split(),
    "taiwan": "你好 清單 訊息 頁面 新版本 檔案 下週 報告".split(),
    "japanese": "こんにちは 一覧 メッセージ ページ 新しい版 記録 来週 報告".split(),
    "korean": "안녕하세요 목록 메시지 페이지 새판 보관소 다음주".split(),
}

# (names as mail writes them, Python's codec, scripts it can write).
CHARSETS = [
    (["utf-8", "UTF-8", "utf8", "unicode-1-1-utf-8"], "utf-8", list(WORDS)),
    (["us-ascii", "US-ASCII", "ANSI_X3.4-1968", "ascii", "US_ASCII", "iso646-us"], "ascii", ["latin"]),
    (["iso-8859-1", "ISO-8859-1", "latin1", "iso8859-1", "ISO_8859-1"], "iso8859_1", ["latin", "western"]),
    (["iso-8859-15", "Latin-9"], "iso8859_15", ["western"]),
    (["iso-8859-2", "ISO-8859-2", "latin2"], "iso8859_2", ["central"]),
    (["iso-8859-4", "iso-8859-13"], "iso8859_13", ["latin"]),
    (["iso-8859-5"], "iso8859_5", ["cyrillic"]),
    (["iso-8859-6"], "iso8859_6", ["arabic"]),
    (["iso-8859-7", "greek"], "iso8859_7", ["greek"]),
    (["iso-8859-8", "iso-8859-8-i"], "iso8859_8", ["hebrew"]),
    (["iso-8859-9", "latin5"], "iso8859_9", ["turkish"]),
    (["windows-1250", "cp1250", "x-cp1250"], "cp1250", ["central"]),
    (["windows-1251", "Windows-1251", "cp1251"], "cp1251", ["cyrillic"]),
    (["windows-1252", "cp1252", "x-cp1252"], "cp1252", ["western"]),
    (["windows-1253"], "cp1253", ["greek"]),
    (["windows-1254"], "cp1254", ["turkish"]),
    (["windows-1255"], "cp1255", ["hebrew"]),
    (["windows-1256"], "cp1256", ["arabic"]),
    (["windows-1257"], "cp1257", ["baltic"]),
    (["windows-874", "tis-620"], "tis_620", ["thai"]),
    (["koi8-r", "KOI8-R"], "koi8_r", ["cyrillic"]),
    (["koi8-u"], "koi8_u", ["cyrillic"]),
    (["gb2312", "GBK", "x-gbk", "cn-gb"], "gb2312", ["chinese"]),
    (["gb18030", "GB18030"], "gb18030", ["chinese", "cyrillic", "taiwan"]),
    (["big5", "Big5", "x-big5"], "big5", ["taiwan"]),
    (["euc-jp", "x-euc-jp"], "euc_jp", ["japanese"]),
    (["iso-2022-jp", "ISO-2022-JP", "csISO2022JP"], "iso2022_jp", ["japanese"]),
    (["shift_jis", "Shift-JIS", "x-sjis", "windows-31j"], "cp932", ["japanese"]),
    (["euc-kr", "ks_c_5601-1987", "KS_C_5601-1987"], "euc_kr", ["korean"]),
    (["iso-2022-kr"], "iso2022_kr", ["korean"]),
    (["hz-gb-2312"], "hz", ["chinese"]),
    (["utf-7", "unicode-1-1-utf-7"], "utf_7", ["cyrillic", "japanese", "latin"]),
    # Undeclared or unknown: rule C1 takes them for UTF-8 and else for windows-1252.
    (["", "unknown-8bit", "x-unknown", "x-no-such-charset", "default", "iso-8859-99"], "utf-8", ["latin", "cyrillic", "japanese"]),
    (["", "x-user-defined", "unknown", "x-none"], "cp1252", ["latin"]),
]
# Only behind base64: their line ends are no LF.
WIDE = [(["utf-16", "UTF-16"], "utf_16", ["cyrillic", "chinese", "latin"]), (["utf-16le"], "utf_16_le", ["latin", "greek"]),
        (["utf-16be"], "utf_16_be", ["japanese"])]
SHIFTED = ("iso2022_jp", "iso2022_kr", "hz", "utf_7")  # made of ASCII: no byte needs a transfer encoding

HOSTS = ["www.archive{}.example", "lists{}.example.org", "docs{}.test", "ftp{}.example", "a{}.b.example.net", "host-{}.example.com", "mirror{}.invalid"]
PATHS = ["pub", "notes", "~weir", "index.html", "a_b", "reports-2019", "x(y)z", "msg%20one", "v1.2", "list,all", "Foo_(bar)", "cgi-bin"]
QUERIES = ["", "", "", "?id=%d", "?a=b&c=%d", "#part-%d", "?q=x+y&page=%d#top", "/", "/%d.txt"]


def url(r):
    """A URL like no other of its message, that ends where its reader would end it."""
    scheme = r.choices(["http", "https", "ftp", "gopher", "HTTP"], (50, 35, 8, 2, 1))[0]
    query = r.choice(QUERIES)
    parts = [r.choice(HOSTS).format(r.randrange(10**6)), *r.choices(PATHS, k=r.randrange(4)), *r.choice(([], [TOKEN]))]
    return "%s://%s%s" % (scheme, "/".join(parts), query % r.randrange(1000) if "%" in query else query)


def in_scheme(line, at):
    """Whether a cut there parts a scheme and its `://`, or ends behind them."""
    colon = line.find(":", max(0, at - 3), at + 8)
    return colon >= 0 and (line[at:colon].isalpha() or at in (colon, colon + 1, colon + 2, colon + 3))


class Text:
    def __init__(self, lines=(), found=(), never=()):
        self.lines, self.found, self.never = list(lines), list(found), list(never)

    def add(self, other):
        self.lines += other.lines
        self.found += other.found
        self.never += other.never
        return self

    def prefixed(self, mark):
        return Text([mark + line for line in self.lines], self.found, self.never)

    def __str__(self):
        return "\n".join(self.lines) + "\n"


class Pen:
    """Writes the words of one script, with URLs among them."""

    def __init__(self, r, scripts=("latin",), iris=False):
        self.r = r
        self.script = r.choice(scripts)
        self.words = WORDS[self.script] + (WORDS["latin"] if r.random() < 0.3 else [])
        self.iris = iris  # the charset gives back what was put in: paths beyond ASCII may come
        self.width = r.choice((60, 66, 72, 76))

    def prose(self, n):
        return self.r.choices(self.words, k=n)

    def url(self):
        if self.iris and self.script != "latin" and self.r.random() < 0.15:
            return "http://www.h%d.example/%s/%s" % (self.r.randrange(10**6), self.r.choice(WORDS[self.script]), self.r.randrange(99))
        return url(self.r)

    def inline(self):
        """Words with a URL in them, and the URL."""
        r, u = self.r, self.url()
        kind = r.randrange(16)
        if kind == 0:
            u = "www.h%d.example/%s" % (r.randrange(10**6), r.choice(PATHS))
        elif kind == 1:
            u = "mailto:user%d@h%d.example" % (r.randrange(999), r.randrange(10**6))
        forms = {2: "%s.", 3: "%s,", 4: "(%s)", 5: '"%s"', 6: "<%s>", 7: "<URL:%s>", 8: "URL:%s", 9: "[link](%s)", 10: "*%s*", 11: "%s;", 12: "[%s]"}
        return forms.get(kind, "%s") % u, u

    def fill(self, words, mark="", width=None):
        lines, line, width = [], mark, width or self.width
        for word in words:
            if len(line) + len(word) > width and line != mark:
                lines.append(line.rstrip(" "))
                line = mark
            line += word + " "
        return lines + [line.rstrip(" ")]

    def paragraph(self, mark="", links=None):
        words, found = self.prose(self.r.randint(8, 60)), []
        for _ in range(self.r.choice((0, 1, 1, 2)) if links is None else links):
            word, u = self.inline()
            words.insert(self.r.randrange(1, len(words) + 1), word)
            found.append(u)
        return Text(self.fill(words, mark), found)

    def whole_url(self):
        """A URL to be cut, so that no TOKEN stands in it."""
        return self.url().replace(TOKEN, "x%d" % self.r.randrange(10**6))

    def cut(self, u):
        """Where a URL may be broken: behind its host, between characters that are no mark."""
        from_ = u.index("//") + 2 if "//" in u else 0
        places = [i for i in range(from_ + 4, len(u) - 1) if u[i - 1].isalnum() and u[i].isalnum()]
        at = self.r.choice(places)
        return u[:at], u[at:]

    def wrapped(self, mark="", more=None):
        head, tail = self.cut(self.whole_url())
        return Text([mark + self.r.choice(self.words) + self.r.choice((" <URL:", " <")) + head, (more or mark) + tail + "> " + self.r.choice(self.words)],
                    [head + tail])

    def footnotes(self):
        urls = [self.url() for _ in range(self.r.randint(1, 4))]
        return Text(["[%d] %s" % (i + 1, u) for i, u in enumerate(urls)], urls)

    def quoted(self):
        mark = self.r.choice(("> ", ">> ", "> > ", "| ", "JD> "))
        return Text([" ".join(self.prose(2)) + " wrote:"]).add(self.paragraph(mark)).add(self.wrapped(mark) if self.r.random() < 0.5 else Text())

    def patch(self):
        u, v = self.url(), self.url()
        lines = ["diff --git a/x.c b/x.c", "--- a/x.c", "+++ b/x.c", "@@ -1,3 +1,4 @@", " /* %s */" % " ".join(self.prose(4)), "-see %s here" % u]
        for _ in range(self.r.randrange(20)):
            lines.append(self.r.choice(" +-") + "\t" + " ".join(self.r.choices(WORDS["latin"], k=6)) + ";")
        return Text(lines + ["+\t# %s" % v, "-- ", "2.39.2"], [u, v])

    def code(self):
        """Lines without URLs, as most are."""
        words = WORDS["latin"]
        return Text(["\t%s->%s = %s(%s, %d);" % (*self.r.choices(words, k=4), self.r.randrange(99)) for _ in range(self.r.randint(3, 25))])

    def signature(self):
        u = self.url()
        return Text(["-- ", " ".join(self.prose(2)), u], [u])

    def json(self):
        u = self.url()
        return Text(['{"word": "%s", "url": "%s"}' % (self.r.choice(WORDS["latin"]), u.replace("/", "\\/"))], [u])

    def from_line(self):
        u = self.url()
        return Text(["", "From here on %s %s" % (" ".join(self.prose(3)), u)], [u])

    def uuencoded(self):
        hidden = "HTTP://N%d.EXAMPLE/" % self.r.randrange(10**6)
        lines = ["M" + (hidden + "A" * 60)[:60]] + [binascii.b2a_uu(self.r.randbytes(45), backtick=True).decode().rstrip("\n") for _ in range(self.r.randint(1, 30))]
        return Text(["begin 644 file.bin", *lines, "`", "end"], (), [hidden])

    def yenc(self):
        hidden = "http://n%d.example/" % self.r.randrange(10**6)
        lines = ["".join(self.r.choices("!#$%&()*+,/0123456789;@ABCXYZ^`abcxyz{|}~", k=120)) for _ in range(self.r.randint(1, 20))] + [" %s " % hidden]
        size = sum(map(len, lines))
        return Text(["=ybegin line=120 size=%d name=file.bin" % size, *lines, "=yend size=%d" % size], (), [hidden])

    def base64_lines(self, n):
        return [binascii.b2a_base64(self.r.randbytes(48)).decode().rstrip("\n") for _ in range(n)]

    def armoured(self):
        return Text(["-----BEGIN PGP MESSAGE-----", "Version: X 1.0", "", *self.base64_lines(self.r.randint(1, 20)), "=AbCd", "-----END PGP MESSAGE-----"])

    def clearsigned(self):
        text = Text(["-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA256", ""]).add(self.paragraph(links=1))
        return text.add(Text(["- -- ", "-----BEGIN PGP SIGNATURE-----", "", *self.base64_lines(4), "=AbCd", "-----END PGP SIGNATURE-----"]))

    def text(self):
        """A body."""
        block = (self.paragraph, self.paragraph, self.paragraph, self.wrapped, self.footnotes, self.quoted, self.patch, self.json, self.from_line,
                 self.uuencoded, self.yenc, self.armoured, self.clearsigned)
        text = self.paragraph(links=1)
        for make in self.r.choices(block, (8, 8, 8, 5, 3, 6, 2, 2, 3, 1, 1, 1, 1), k=self.r.randint(0, 6)):
            text.add(Text([""])).add(make())
        if self.r.random() < 0.3:
            text.add(Text([""])).add(self.signature())
        return text

    def flowed(self, delsp):
        """format=flowed (RFC 3676): URLs that soft line ends cut, where DelSp undoes them."""
        text = Text()
        for _ in range(self.r.randint(1, 6)):
            depth = self.r.choice((0, 0, 0, 1, 2, 3))
            mark = ">" * depth + " " * (depth > 0)
            words, found = self.prose(self.r.randint(20, 70)), []
            for _ in range(self.r.randint(1, 2)):
                found.append(self.whole_url())
                words.insert(self.r.randrange(1, len(words)), found[-1])
            text.add(Text(self.flow(" ".join(words), mark, delsp) + [mark.rstrip() if depth else ""], found))
        return text.add(Text(["", "-- "])).add(self.paragraph(links=1))

    def flow(self, line, mark, delsp):
        """A logical line as soft lines: with DelSp anywhere, else behind blanks."""
        lines, room = [], self.width - len(mark)
        while len(line) > room:
            at = room if delsp else line.find(" ", room // 2) + 1
            if at <= 0 or line[at - 1:at + 1].isspace():
                break
            # A soft line of blanks at its end would lose them, and one that begins with a blank is stuffed.
            while delsp and (" " in line[at - 1:at + 1] or in_scheme(line, at)):
                at -= 1
            head, line = line[:at] + " " * delsp, line[at:]
            lines.append(mark + self.stuffed(head, mark))
        return lines + [mark + self.stuffed(line, mark)]

    @staticmethod
    def stuffed(line, mark):
        return " " + line if not mark and line.startswith((" ", ">", "From ")) else line


HIDDEN = ['<!-- %s -->', '<script>var u = "%s";</script>', '<style>p { background: url(%s) }</style>', '<img src="%s" alt="">']


class Page(Pen):
    """HTML as mail has it: hrefs in every spelling, text with references in it, things that are not shown."""

    def __init__(self, r, scripts=("latin",), iris=False):
        super().__init__(r, scripts, iris)
        self.iris = False

    def escaped(self, text):
        return text.replace("&", self.r.choice(("&amp;", "&amp;", "&#38;", "&#x26;"))) if "&" in text else text

    def anchor(self):
        r, u = self.r, self.url()
        if r.random() < 0.1:
            u = "mailto:user%d@h%d.example?subject=x" % (r.randrange(999), r.randrange(10**6))
        value = self.escaped(u)
        form = r.choice(('<a href="%s">', '<a href="%s">', "<A HREF='%s'>", '<a class=x href=%s>', '<a\n href = "%s"\n target="_blank">', '<a href=" %s ">',
                         '<a title="a > b" href="%s">', '<area href="%s">', '<form action="%s">', '<iframe src="%s"></iframe>',
                         '<meta http-equiv=refresh content="3; url=%s">', "<meta content='0;URL=\"%s\"' http-equiv='Refresh'>"))
        shown = " ".join(self.prose(r.randint(1, 4)))
        return Text([form % value + r.choice(("%s</a>", "<b>%s</b></a>", '<img src="cid:x@h.example" alt="">%s</A>')) % shown], [u])

    def shown(self):
        u = self.url()
        return Text([self.r.choice(("%s", "(%s)", "&lt;%s&gt;", "&quot;%s&quot;", "<b>%s</b>", "%s<br>", "<pre>%s\n</pre>", "%s&nbsp;")) % self.escaped(u)], [u])

    def hidden(self):
        u = self.url()
        return Text([self.r.choice(HIDDEN) % u], (), [u])

    def markup(self):
        """Tags and styles, as programs write them."""
        r, lines = self.r, []
        for _ in range(r.randint(1, 6)):
            lines.append('<td align="center" valign="top" width="%d" style="font-family: Arial, sans-serif; font-size: %dpx; line-height: 1.%d; color: #%06x; '
                         'padding: %dpx 0 0 %dpx;"><div class="c%d">%s</div></td></tr><tr>' % (r.randrange(600), r.randrange(40), r.randrange(9), r.randrange(2**24),
                                                                                              r.randrange(30), r.randrange(30), r.randrange(99), " ".join(self.prose(8))))
        return Text(lines)

    def text(self, blocks=None, markup=False):
        page = Text()
        whole = self.r.random() < 0.7
        if whole:
            page.lines += [self.r.choice(("<!DOCTYPE html>", "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\">", "")),
                           "<html><head>", '<meta http-equiv="Content-Type" content="text/html">', "</head><body>"]
        for _ in range(blocks or self.r.randint(1, 8)):
            page.lines.append(self.r.choice(("<p>", "<div>", '<td style="color: #333">', "<br>")) + " ".join(self.prose(self.r.randint(3, 30))))
            for make in self.r.choices((self.anchor, self.shown, self.hidden), (5, 2, 2), k=self.r.randint(1, 3)):
                page.add(make())
            if markup:
                page.add(self.markup())
            page.lines.append(" ".join(self.prose(3)) + self.r.choice(("</p>", "", "</div>")))
        if whole:
            page.lines.append("</body></html>")
        return page
