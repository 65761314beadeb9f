"""Texts, mail, URLs and guessed joins that are nearly those of testdata: what stands right beside a rule's edge; and
what the fuzzers kept because it made the program go a way of its own.

In each text one byte is gone, another, or one too many, in turn at every few bytes.  What is changed to what is drawn by
the name of the file and the place, so that a new file changes nothing of the others.
"""
import glob
import gzip
import os
import zlib

import guess_matrix
from testlib import DATA, TOP, read, write

STEP = 8
APART = 512  # bytes between two changes of a text: what one does has ended before the next
SEPARATOR = b"From a@a.example Mon Jan  1 00:00:00 2024\n"
OF_OPTIONS = 2  # bytes before each text of a corpus
# What takes the place of a byte, or is put before it.
PIECES = [b""] * 12 + [bytes([c]) for c in b" \n<>()[]{}\"'`.,:;-_/=&%?#@|+*\\aZ19\0\x1b\xe9"] + [b"\xc3\xa9", b"\n> ", b"-\n"]
# Ends of links that one line alone goes on.
IDS = [(end, "ada@harbour.example") for end in ("http://harbour.example/20240131101010.4711-2-", "http://a.example/20240131-lamps-",
                                                "http://a.example/202401311-47-2-north-", "http://a.example/20240131-")]
# Ends of links and next lines of which one rule speaks.
RULED = [("http://a.example/" + end, word) for end, word in (
    ("b;", "c=d and"), ("b?c=d/e", "f=g and"), ("b?c=", "/d/e and"), ("r.git", "-main and"), ("r.git/", "main: it"), ("r.git/", "summary of"),
    ("b#L", "10-L20"), ("b#L10", "and more"), ("b#comment-1234", "word of it"), ("?id=1234", "#1234"), ("1234", "#1234"), ("34", "#1234"),
    ("?id=12", "word: of it"), ("?id=12-", "word of it"), ("b", "??c and"), ("b", "##c"), ("b", "=20"), ("b", "&#8217;s own"), ("b#c", "d?e f"),
    ("0001-fix-", "lamps.patch"), ("1.2", ".3.diff"), ("v", "1-2.patch and"), ("lamps-", "1.2.3.diff"), ("b#", "c:d"), ("b", "c)/d: e"), ("b", "/c:"),
    ("b", "+ item"), ("b", "$ make"), ("b", "<tag> c"), ("b", "[1] c"), ("b", "- c"), ("b%", "2Fc"), ("b%2", "Fc and"), ("%2", "Fc"), ("b", "?%2c"),
    ("b?c=d", "e://f"), ("b", "#c://d"), ("b", "c=d://e"), ("b", "(c://d)"), ("b", "=c"), ("b?c=", "=d"), ("b", "ref=c_1/2"), ("b/", "ref=c/"),
    ("b", "name='c' d"), ("b", 'name="c" d'), ("b", "c</b> d"), ("b", "| c |"), ("b", "\tc  d"), ("b.", "c. d"), ("B", "CC c"), ("b", "AB cd."))]
RULED += [("http://ada@", "a.example/x"), ("http://a.example", "word"), ("http://a.example-", "word"), ("http://a.example", ":80/"),
          ("http://a.example/20240131101010.4711-2-ada@", "harbour.example"), ("http://harbour.example/m/1f2e3d4c@", "mail.example/")]
# Texts of which few others have what a rule names.
NAMED = ["http://a.example/&szlig;b http://a.example/&Aelig; http://a.example/&eacute;.", "http://a.example/&#x10FFFF; http://a.example/&#1114112;b &#x200d;",
         "\\url{http://a.example/b}", "\\href{http://a.example/b}{c}", "url = {http://a.example/b},", 'see url="http://a.example/b_c"',
         "[b](http://a.example/c_(d))", '"http://a.example/\\ud83d\\ude00b", "http:\\/\\/a.example\\/\\u00e9"', "hXXp://a[.]example/b HxxP://b(dot)example hxXps[:]//c.example",
         "https://www.google.co.uk/url?q=http%3A%2F%2Fa.example%2F&sa=D", "https://www.google.com.au/url?q=http://a.example/",
         "http://a.example/=3D=C3=A9b=20 http://a.example/=\nc", "http://[2001:db8::1]:80/b http://[::ffff:192.0.2.1]/ http://[fe80::1%25eth0]/",
         "http://a.example/b... http://a.example/b\u2026 http://a.example/b\u3001c http://a.example/\u200cb\u200d", "news:a@b.example mid:c%25d@e.example/f@g cid:h@i",
         "<URL:http://a.example/b\n c> <http://b.example/\n> c> <URL: http://d.example/>", "ada@a.example, <b@c.example>, mailto:d@e.example?cc=f@g.example.",
         "x://a.example/b zz:c@d tel:+1-555-0100 urn:isbn:0451450523 geo:1,2;u=3 data:,a%20b", "http://a.example:80a/ http://a.example:/b http://a.example:65536/",
         "`http://a.example/b`_ `c <http://d.example/>`__ .. _e: http://f.example/g", "#+LINK: http://a.example/ [[http://b.example/c d][e]] <<http://f.example/>>",
         "http://user:p@ss@a.example/ http://a.example@b.example/ http://a@b:c@d.example/", "www.a.example/b (www.b.example) ftp.c.example/d WWW.E.EXAMPLE.",
         "http://\u00fc.example/ http://a\u3002example/ http://xn--tda.example/ http://\uff41.example/"]
PAGES = ["<p style=\"a:url(&quot;http://a.example/b&quot;);c:url(&#104;ttp://d.example/&amp;e)\">f<img srcset='&#104;ttp://g.example/&h 1x' src=&#x20;i>",
         "<a href='http://a.example/'>b</a>\rc <a href='http://d.example/'>http://e.example/</a>\r\nf", "<p style=\"a:url( 'http://a.example/b' )\">c",
         "<style>@import 'http://a.example/';b{c:url(http://d.example/e)}/*url(f)*/</style>g", "<a title href = \"http://a.example/\" href=b>c</a><a x=1 href>d</a>",
         "<img srcset='http://a.example/b 1x, http://c.example/d 2x' alt=e src=f>", "<meta http-equiv=refresh content='0; url=http://a.example/b'>c",
         "<base href='http://a.example/b/'><a href=c>d</a><a href=//e.example/>f</a><a href='#g'>h</a>", "<a href='http://a.example/'><img alt='http://b.example/'></a>",
         "<a href='http://a.example/'>www.<span style='display:none'>b</span>a.example<i hidden>c</i></a>", "<!--[if mso]>http://a.example/<![endif]--><![CDATA[http://b.example/]]>",
         "<textarea>http://a.example/&lt;</textarea><title>http://b.example/</title><script>http://c.example/</script>", "http://a.example/<wbr>b&amp;c&shy;d&#13;e<br>f",
         "<a href='https://www.google.com/url?q=http://a.example/'>http://a.example/</a><a href=' jav&#9;ascript:b'>c</a>", "<svg><a xlink:href='http://a.example/'>b</a></svg>",
         "<table background=http://a.example/><tr><td>b<td><a name=c>d</a></table><blockquote cite='http://e.example/'>f</blockquote><q>http://g.example/</q>"]
# Blocks that are not searched.
BLOCKS = ["begin 644 a b\nM:'1T<#HO\nhttp://a.example/\nend\nhttp://b.example/", "begin 0644 a\n0 HTTP://A.EXAMPLE/BCDEF\n`\nend\nhttp://b.example/",
          "begin 64 a\n0 HTTP://A.EXAMPLE/BCDEF\n`\nend", "begin 64444 a\n0 HTTP://A.EXAMPLE/BCDEF\n`\nend", "begin  a\n2 HTTP://A.EXAMPLE/BCDEF\n`\nend",
          "=ybegin line=128 size=99 name=a\nhttp://a.example/\n=yend size=99\nhttp://b.example/", "=ybegin part=1 line=128 size=9\nhttp://a.example/\n=yend",
          "-----BEGIN PGP MESSAGE, PART 1/2-----\nVersion: 1\n\nhttp://a.example/\n-----END PGP MESSAGE, PART 1/2-----\nhttp://b.example/",
          "-----BEGIN PGP SIGNED MESSAGE-----\n\nhttp://a.example/\n-----BEGIN PGP SIGNATURE-----\n\nhttp://b.example/\n-----END PGP SIGNATURE-----\nc"]


def with_change(name, data, at):
    drawn = zlib.crc32(f"{name} {at}".encode())  # random.Random of a text takes ten times as long
    return data[:at] + PIECES[drawn % len(PIECES)] + data[at + (0, 1, 1)[drawn // len(PIECES) % 3]:]


def nearly(name, data, step=STEP):
    """A copy for each change."""
    for at in range(len(name) % step, len(data), step):
        yield with_change(name, data, at)


def nearly_apart(name, data):
    """Copies with a change at every APART bytes: of a long text few that have all changes."""
    for first in range(len(name) % STEP, min(APART, len(data)), STEP):
        copy = data
        for at in reversed(range(first, len(data), APART)):
            copy = with_change(name, copy, at)
        yield copy


def lessened(data):
    """One byte is gone."""
    return [data[:at] + data[at + 1:] for at in range(len(data))]


def texts():
    """A file for each case, of its texts."""
    for name in sorted(glob.glob(os.path.join(DATA, "cases*", "*.txt"))):
        short = os.path.relpath(name, DATA).replace("/", "-")
        yield write("near/" + short, b"\n\n\n".join(nearly_apart(short, read(name))))


def mail():
    """A mailbox for each message."""
    for name in sorted(glob.glob(os.path.join(DATA, "mail", "*.eml"))):
        short = os.path.basename(name)
        letters = (SEPARATOR + each + b"\n\n" for each in nearly(short, read(name)))
        yield write("near/" + short + ".mbox", b"".join(letters))


def corpus(fuzzer):
    """The texts that a fuzzer kept.  tarfile would take half a second for them."""
    archive = gzip.decompress(read(os.path.join(TOP, "tests", "fuzz", "corpus", fuzzer + ".tar.gz")))
    at = 0
    while archive[at]:  # a block with a name, a length and a type before each file
        size, is_file = int(archive[at + 124:at + 135], 8), archive[at + 156] in b"0\0"
        at += 512
        if is_file:
            yield archive[at + OF_OPTIONS:at + size]
        at += (size + 511) // 512 * 512


def corpora():
    """A file of many texts, each a paragraph or several, and a mailbox."""
    yield write("near/corpus.txt", b"\n\n\n".join(corpus("scan")))
    yield write("near/corpus.mbox", b"".join(SEPARATOR + text + b"\n\n" for text in corpus("mail")))


def guesses():
    """A file of paragraphs, each with the end of a link and a line that may go on with it, one of them changed."""
    ends, nexts = guess_matrix.lines("ends.txt"), guess_matrix.lines("nexts.txt")
    changed = [each for end in ends for each in [*nearly(end, end.encode(), 1), *lessened(end.encode())]]
    pairs = [(end, nexts[at % len(nexts)].encode()) for at, end in enumerate(changed)]
    changed = [each for word in nexts for each in [*nearly(word, word.encode(), 1), *lessened(word.encode())]]
    pairs += [(ends[at % len(ends)].encode(), word) for at, word in enumerate(changed)]
    for end, word in [*IDS, *RULED]:
        pairs += [(each, word.encode()) for each in [*nearly(end, end.encode(), 1), *lessened(end.encode())]]
        pairs += [(end.encode(), each) for each in [*nearly(word, word.encode(), 1), *lessened(word.encode())]]
    prose = guess_matrix.PROSE[:guess_matrix.WIDTH].encode()
    full = (prose + b"\n" + prose[:max(1, len(prose) - len(end))] + end + b"\n" + word + b"\n\n" for end, word in pairs)
    short = (b"see " + end + b"\n" + word + b"\n\n" for end, word in pairs)
    return write("near/guesses.txt", b"".join([*short, *full]))


def named():
    """A file of paragraphs, each of them changed at every byte."""
    found = [data for text in NAMED for data in [text.encode(), *nearly(text, text.encode(), 1), *lessened(text.encode())]]
    return write("near/named.txt", b"\n\n\n".join(found))


def named_mail():
    """A mailbox of pages, and of texts with blocks, each of them changed at every byte."""
    found = [(kind, data) for kind, texts in (("html", PAGES), ("plain", BLOCKS)) for text in texts
             for data in [text.encode(), *nearly(text, text.encode(), 1), *lessened(text.encode())]]
    return write("near/named.mbox", b"".join(SEPARATOR + b"Content-Type: text/%s\n\n" % kind.encode() + data + b"\n\n" for kind, data in found))


def urls():
    """URLs and references of testdata, these with a byte changed, and those of a corpus."""
    names = [*glob.glob(os.path.join(DATA, "explain", "*.txt")), *glob.glob(os.path.join(DATA, "warnings", "*.txt")),
             os.path.join(DATA, "unwrap.txt"), os.path.join(DATA, "schemes", "cases.txt")]
    lines = {word for name in names for word in read(name).split() if b":" in word or b"/" in word}
    changed = [each for word in sorted(lines) for each in nearly(word.decode(errors="replace"), word, 2)]
    return [line for line in b"\n".join([*sorted(lines), *changed, *corpus("url")]).split(b"\n") if line]
