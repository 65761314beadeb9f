"""Finds the URLs in text, mail and files with liburlsift, through ctypes: nothing to compile.

    >>> import urlsift
    >>> for link in urlsift.find("see <URL:http://a.example/long-\\n  name> and www.b.example"):
    ...     print(link.line, link.target)
    1 http://a.example/long-name
    2 http://www.b.example

find() takes a text, mail() a message or a mailbox, find_all() files of any of these; linkify() makes HTML, and
explain() describes one URL.  The library is $URLSIFT_LIBRARY, the one that came with the wheel, or that of the system.

Options of all functions that find links: email, domains, ipv4, www_https, refang, guess, labels (booleans); join ("never",
"declared", "sure", "likely"); hyphen ("keep", "drop"); max_url, max_breaks, max_alternates (numbers); charset (of
bytes); base (an absolute URL for relative ones); rules (a text in the format of the command's --rules, or a
list of its lines).  urlsift(3) describes them.  A value that is not accepted raises ValueError, one of another type and
an unknown option TypeError.
"""
import ctypes
import ctypes.util
import functools
import importlib
import io
import itertools
import json
import os
import re
import struct
import sys
import warnings
import zlib
from typing import (TYPE_CHECKING, Any, BinaryIO, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple,
                    Type, Union, cast)

if TYPE_CHECKING:
    import email.message

__all__ = ["Alternate", "Error", "Link", "Message", "Place", "explain", "find", "find_all", "linkify", "mail",
           "version"]


class Error(Exception):
    """A status of the library other than success."""


class Message(NamedTuple):
    """A message in a mailbox."""
    number: int             # in the input, from 0
    offset: int             # of its first byte
    id: str                 # without the brackets
    subject: str
    sender: str             # From
    date: str
    time: Optional[int]     # `date` in seconds since 1970; None if it is absent or malformed
    groups: str
    list_id: str


class Place(NamedTuple):
    """The part of a message, or the header field, that a link is in."""
    message: Optional[Message]  # None in an HTML document, a calendar and vCards
    part: str                   # "1", "2.1" ...; "" for the message's own header
    field: Optional[str]        # None in a body
    type: str                   # "text/plain" ...; "" in a field
    attribute: Optional[str]    # of HTML: "a href" ...; None for text
    decoded: bool               # offsets count decoded bytes of the part, not bytes of the input


class Alternate(NamedTuple):
    """Another reading of a link."""
    text: str
    why: str           # "hyphen" or "join"
    confidence: float  # 0 to 1


class Link(NamedTuple):
    """A link.  Without `decoded` of its place, input[start:end] is the text of a part as it was given."""
    text: str          # as its author meant it
    target: str        # ASCII, absolute; fit for an href when `linkable`
    normal: str        # the form by which links are compared
    scheme: str
    host: str          # of `normal`
    label: str         # what a reader sees in its place: text of an HTML anchor, of Markdown with the option `labels`
    convention: str    # "wrapper", "angle", "bare" ...
    flags: Tuple[str, ...]     # "joined", "hyphen-ambiguous" ...
    warnings: Tuple[str, ...]  # "password", "confusable" ...
    linkable: bool     # whether a page may make it an anchor
    line: int          # of its first character, from 1
    column: int
    parts: Tuple[Tuple[int, int], ...]  # (start, end) of each contiguous part
    alternates: Tuple[Alternate, ...]
    place: Optional[Place]              # None in text
    source: Optional[str]               # the file, of find_all()

    @property
    def start(self) -> int:
        """Where its first part begins."""
        return self.parts[0][0]

    @property
    def end(self) -> int:
        """Where its last part ends: what is between two parts, such as quote marks, is in input[start:end] as well."""
        return self.parts[-1][1]


# ---- The library -----------------------------------------------------------------

class _Text(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def text(self) -> str:
        return ctypes.string_at(self.bytes, self.length).decode("utf-8", "replace")


class _Alternate(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t), ("why", ctypes.c_int),
                ("confidence", ctypes.c_double)]


class _Message(ctypes.Structure):
    _fields_ = [("offset", ctypes.c_uint64), ("line", ctypes.c_uint64), ("index", ctypes.c_uint64), ("id", _Text),
                ("subject", _Text), ("sender", _Text), ("date", _Text), ("time", ctypes.c_int64), ("groups", _Text),
                ("list", _Text)]


class _Place(ctypes.Structure):
    _fields_ = [("message", ctypes.POINTER(_Message)), ("field", ctypes.c_char_p), ("part", ctypes.c_char_p),
                ("type", ctypes.c_char_p), ("lang", ctypes.c_char_p), ("decoded", ctypes.c_int),
                ("anchor", ctypes.c_int), ("target", ctypes.c_int), ("attribute", ctypes.c_char_p)]


class _Link(ctypes.Structure):
    _fields_ = [("texts", _Text * 6), ("place", ctypes.c_void_p), ("convention", ctypes.c_int),
                ("flags", ctypes.c_uint), ("warnings", ctypes.c_uint), ("linkable", ctypes.c_int),
                ("line", ctypes.c_uint64), ("column", ctypes.c_uint64), ("parts", ctypes.c_void_p),
                ("part_count", ctypes.c_size_t), ("alternates", ctypes.c_void_p), ("alternate_count", ctypes.c_size_t)]


class _MailOptions(ctypes.Structure):
    """The members that are set here: `size` says that there are no others."""
    _fields_ = [("size", ctypes.c_size_t)] + [(name, ctypes.c_int) for name in (
        "kind", "headers", "message_ids", "plain", "display", "repeated", "positions", "resources", "attachments",
        "metadata")]


class _RenderOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("format", ctypes.c_char_p)]


class _RuleFault(ctypes.Structure):
    _fields_ = [("line", ctypes.c_size_t), ("what", ctypes.c_char * 160)]


_Write = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
_int, _size, _pointer, _string = ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p
# Where no types are given, arguments are bytes, None or values of ctypes: these are not converted, which saves time.
_PROTOTYPES: Dict[str, Tuple[Any, Optional[List[Any]]]] = {
    "urlsift_version": (_string, []),
    "urlsift_status_text": (_string, [_int]),
    "urlsift_context_new": (_pointer, [_pointer]),
    "urlsift_options_new": (_pointer, [_pointer]),
    "urlsift_options_free": (None, [_pointer]),
    "urlsift_options_set": (_int, [_pointer, _int, ctypes.c_long]),
    "urlsift_options_set_charset": (_int, [_pointer, _string]),
    "urlsift_options_set_base": (_int, [_pointer, _string, _size]),
    "urlsift_options_set_link_rules": (None, [_pointer, _pointer]),
    "urlsift_link_rules_new": (_int, [_pointer, _string, _size, _pointer, _pointer]),
    "urlsift_link_rules_free": (None, [_pointer]),
    "urlsift_find": (_int, None),
    "urlsift_mail_detect": (_int, [_string, _size, _int]),
    "urlsift_mail_kind_name": (_string, [_int]),
    "urlsift_finder_new": (_pointer, [_pointer, _pointer, _pointer, _pointer]),
    "urlsift_finder_feed": (_int, [_pointer, _string, _size, _pointer]),
    "urlsift_finder_free": (None, [_pointer]),
    "urlsift_linkify": (_int, [_pointer, _pointer, _string, _size, _pointer]),
    "urlsift_html_free": (None, [_pointer]),
    "urlsift_render_new": (_pointer, [_pointer, _pointer, _Write, _pointer, _pointer]),
    "urlsift_render_url": (_int, [_pointer, _string, _size]),
    "urlsift_render_end": (_int, [_pointer]),
    "urlsift_render_free": (None, [_pointer]),
    "urlsift_convention_name": (_string, [_int]),
    "urlsift_flag_name": (_string, [ctypes.c_uint]),
    "urlsift_warning_name": (_string, [ctypes.c_uint]),
}


def _load() -> ctypes.CDLL:
    # Beside the module, in a wheel; or where `make install PREFIX=DIR` puts it: DIR/lib/pythonN/site-packages/urlsift.
    folder = os.path.dirname(os.path.abspath(__file__))
    here = [os.path.join(at, name) for at in (folder, os.path.join(folder, "..", "..", ".."))
            for name in ("liburlsift.so", "liburlsift.dylib")]
    bundled = next(filter(os.path.exists, here), None)
    name = os.environ.get("URLSIFT_LIBRARY") or bundled or ctypes.util.find_library("urlsift") or "liburlsift.so.1"
    library = ctypes.CDLL(name)
    for function, (result, arguments) in _PROTOTYPES.items():
        getattr(library, function).restype = result
        getattr(library, function).argtypes = arguments
    return library


_library = _load()
_byref = ctypes.byref
_find = _library.urlsift_find  # short calls notice a look-up in the library
_free = ctypes.PyDLL("", handle=_library._handle).urlsift_found_free  # takes less time than giving the lock away
_free.restype = None
_context = ctypes.c_void_p(_library.urlsift_context_new(None))  # lives as long as the process
if not _context:
    raise MemoryError


def version() -> str:
    """The version of the library that is loaded."""
    return str(_library.urlsift_version().decode())


_NO_MEMORY, _BAD_ARGUMENT, _BAD_CHARSET = 1, 2, 3  # of urlsift_status


def _check(status: int, what: str = "") -> None:
    if status == _NO_MEMORY:
        raise MemoryError
    if status:
        text = what + _library.urlsift_status_text(status).decode()
        raise ValueError(text) if status in (_BAD_ARGUMENT, _BAD_CHARSET) else Error(text)


# ---- Options ---------------------------------------------------------------------

# The values of enum urlsift_option, urlsift_join, urlsift_hyphen and urlsift_headers.
_OPTIONS = {"email": 0, "domains": 1, "www_https": 2, "refang": 3, "join": 4, "hyphen": 5, "guess": 6, "max_url": 8,
            "max_breaks": 9, "max_alternates": 10, "labels": 12,
            "ipv4": 15}
_CHOICES = {"join": ("never", "declared", "sure", "likely"), "hyphen": ("keep", "drop"),
            "headers": ("none", "urls", "all")}


def _choice(name: str, value: Any) -> int:
    if name not in _CHOICES:
        if not hasattr(value, "__index__"):
            raise TypeError(f"{name}: {value!r} is neither a boolean nor a whole number")
        return min(max(int(value), -1), 2**31 - 1)  # ctypes would cut off what a long cannot hold
    if value not in _CHOICES[name]:
        raise ValueError(f"{name}: {value!r} is not one of {', '.join(_CHOICES[name])}")
    return _CHOICES[name].index(value)


def _text(name: str, value: Any) -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"{name}: {type(value).__name__} is not str")
    return value.encode()


class _Options:
    """Options of the library, which are freed with it."""

    def __init__(self, values: Iterable[Tuple[str, Any]]) -> None:
        self.rules = ctypes.c_void_p()
        self.handle = ctypes.c_void_p(_library.urlsift_options_new(None))
        if not self.handle:
            raise MemoryError
        for name, value in values:
            self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        if name == "charset":
            _check(_library.urlsift_options_set_charset(self.handle, _text(name, value)), "charset: ")
        elif name == "base":
            base = _text(name, value)
            _check(_library.urlsift_options_set_base(self.handle, base, len(base)), "base (an absolute URL): ")
        elif name == "rules":
            rules, fault = _text(name, value), _RuleFault()
            status = _library.urlsift_link_rules_new(None, rules, len(rules), ctypes.byref(self.rules),
                                                     ctypes.byref(fault))
            if status == _BAD_ARGUMENT:
                raise ValueError(f"rules, line {fault.line}: {fault.what.decode()}")
            _check(status, "rules: ")
            _library.urlsift_options_set_link_rules(self.handle, self.rules)
        elif name in _OPTIONS:
            _check(_library.urlsift_options_set(self.handle, _OPTIONS[name], _choice(name, value)), name + ": ")
        else:
            raise TypeError(f"there is no option {name!r}")

    def __del__(self, free: Callable[..., None] = _library.urlsift_options_free,
                free_rules: Callable[..., None] = _library.urlsift_link_rules_free) -> None:
        free(self.handle)
        free_rules(self.rules)


@functools.lru_cache(maxsize=64, typed=True)  # 64.0 is not 64: it is a TypeError
def _kept_options(**values: Any) -> _Options:
    return _Options(values.items())


def _options(values: Dict[str, Any]) -> _Options:
    rules = values.get("rules", "")
    if isinstance(rules, (list, tuple)) and all(isinstance(rule, str) for rule in rules):
        values = {**values, "rules": "\n".join(rules)}
    try:
        return _kept_options(**values)
    except TypeError:  # no option has such a value: this says so
        return _Options(values.items())


# ---- Links of the library, a block at a time --------------------------------------

class _Reader:
    """Memory by slices: _memory[begin:end] are the bytes at these addresses."""

    def __getitem__(self, where: slice) -> bytes:
        return ctypes.string_at(where.start, where.stop - where.start)


# A slice of an array that begins at address 0 takes a quarter of the time of string_at.  An array covers at most half
# of all addresses, which is enough with 64 bits.
_is_array = sys.maxsize > 2**32 and sys.implementation.name == "cpython"
_memory: Any = (ctypes.c_char * sys.maxsize).from_address(0) if _is_array else _Reader()


def _unpacker(form: struct.Struct) -> Callable[[Any, int], Tuple[Any, ...]]:
    """What reads such words at an address of _memory, without a slice, which takes as long as the reading."""
    if _is_array:
        return form.unpack_from
    return lambda memory, at: form.unpack(memory[at:at + form.size])


class _Names(Dict[int, Tuple[str, ...]]):
    """The names of the bits of a number."""

    def __init__(self, name_of: Any) -> None:
        super().__init__()
        self.name_of = name_of

    def __missing__(self, bits: int) -> Tuple[str, ...]:
        names = (self.name_of(1 << bit) for bit in range(31) if bits >> bit & 1)
        self[bits] = tuple(name.decode() for name in names if name)
        return self[bits]


_flags, _warnings = _Names(_library.urlsift_flag_name), _Names(_library.urlsift_warning_name)
_conventions = [name.decode() for name in itertools.takewhile(bool, map(_library.urlsift_convention_name, range(99)))]


class _Index:
    """Turns byte offsets, asked for in rising order, into indices of a str."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.index = data, 0, 0

    def __call__(self, offset: int) -> int:
        if offset < self.at:
            self.at = self.index = 0
        self.index += len(self.data[self.at:offset].decode("utf-8", "ignore"))
        self.at = offset
        return self.index


def _indices(index: Callable[[int], int], ranges: Tuple[Tuple[int, int], ...]) -> Tuple[Tuple[int, int], ...]:
    return tuple([(index(begin), index(end)) for begin, end in ranges])


def _alternates(address: int, count: int) -> Tuple[Alternate, ...]:
    return tuple(Alternate(ctypes.string_at(a.bytes, a.length).decode(), "join" if a.why else "hyphen", a.confidence)
                 for a in (_Alternate * count).from_address(address))


def _optional(name: Optional[bytes]) -> Optional[str]:
    return None if name is None else name.decode("utf-8", "replace")


def _place(address: int, messages: Dict[int, Message]) -> Place:
    place = _Place.from_address(address)
    message = None
    if place.message:
        m = place.message.contents
        message = messages.get(m.index)
        if not message:
            messages.clear()
            message = messages[m.index] = Message(
                m.index, m.offset, m.id.text(), m.subject.text(), m.sender.text(), m.date.text(),
                m.time if m.time >= 0 else None, m.groups.text(), m.list.text())
    return Place(message, place.part.decode(), _optional(place.field), place.type.decode("utf-8", "replace"),
                 _optional(place.attribute), bool(place.decoded))


_record = struct.Struct(f"{_Link.place.offset}xPiIIiQQPNPN")  # of a urlsift_found_link, from `place` to the end


@functools.lru_cache(maxsize=4)
def _records(link_size: int) -> Callable[[bytes], Iterator[Tuple[Any, ...]]]:
    """What reads each urlsift_found_link of an array."""
    return struct.Struct(f"{_record.format}{link_size - _record.size}x").iter_unpack


_found, _address, _range = map(struct.Struct, ("NPNPN", "P", "QQ"))  # urlsift_found, a pointer, urlsift_range
_found_at, _address_at, _record_at, _range_at = map(_unpacker, (_found, _address, _record, _range))


def _whole_texts(first: int, count: int, size: int) -> List[str]:
    """The texts of links one by one: one has a NUL inside."""
    return [text.text() for i in range(count) for text in _Link.from_address(first + i * size).texts]


def _links(found: int, index: Optional[Callable[[int], int]] = None, source: Optional[str] = None,
           messages: Optional[Dict[int, Message]] = None) -> List[Link]:
    """The links of a block; `messages` has the last one, which may go on in the next block.  No generator and no
    comprehension is in here: the variables that they use are slower."""
    count, pointers, size, strings, length = _found_at(_memory, found)
    if not count:
        return []
    first, = _address_at(_memory, pointers)
    texts = _memory[strings:strings + length].decode("utf-8", "replace").split("\0")
    if len(texts) != 6 * count + 1:
        texts = _whole_texts(first, count, size)
    one = count == 1  # the most frequent: saves the slice and the iterator
    records = (_record_at(_memory, first),) if one else _records(size)(_memory[first:first + count * size])
    place_at, place, i, new, links = 0, None, 0, tuple.__new__, []
    for at, convention, flags, warnings, linkable, line, column, part, parts, other, others in records:
        if at != place_at:
            place_at, place = at, _place(at, {} if messages is None else messages) if at else None
        start, length = _range_at(_memory, part)
        ranges: Tuple[Tuple[int, int], ...] = ((start, start + length),)
        while parts > 1:
            parts -= 1
            part += _range.size
            start, length = _range_at(_memory, part)
            ranges += ((start, start + length),)
        if index:
            ranges = _indices(index, ranges)
        text, target, normal, scheme, host, label = texts[i:i + 6]
        i += 6
        links.append(new(Link, (
            text, target, normal, scheme, host, label, _conventions[convention], _flags[flags], _warnings[warnings],
            linkable != 0, line, column, ranges, _alternates(other, others) if others else (), place, source)))
    return links


# ---- Finding ---------------------------------------------------------------------

def _encode(argument: str, text: Any, options: Iterable[str] = ()) -> bytes:
    """The bytes to search: those given, or a str in UTF-8.  `argument` is the name of `text` for its user."""
    if not isinstance(text, str):
        try:
            return bytes(memoryview(text))
        except TypeError:
            raise TypeError(f"{argument}: {type(text).__name__} is neither str nor bytes") from None
    if "charset" in options:
        raise ValueError("charset: it is that of bytes; a str has none")
    try:
        return text.encode()
    except UnicodeEncodeError:  # lone surrogates
        return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()


def find(text: Union[str, bytes], **options: Any) -> List[Link]:
    """The links of a str or of bytes, in order.  Parts are indices of `text`.  A lone surrogate is read as U+FFFD.

    help(urlsift) has the options.
    """
    data = _encode("text", text, options)
    index = _Index(data) if isinstance(text, str) and not text.isascii() else None
    found = _pointer()
    kept = _options(options) if options else None  # whatever another thread asks for meanwhile
    status = _find(_context, kept and kept.handle, data, _size(len(data)), _byref(found))
    if status:
        _check(status)
    try:
        return _links(found.value or 0, index)
    finally:
        _free(found)


def linkify(text: Union[str, bytes], **options: Any) -> str:
    """HTML of a text: escaped, with an anchor for each link that may be followed.  The anchors have no attributes of
    yours.

    help(urlsift) has the options.
    """
    data, html = _encode("text", text, options), ctypes.c_void_p()
    kept = _options(options) if options else None
    _check(_library.urlsift_linkify(_context, kept and kept.handle, data, len(data), ctypes.byref(html)))
    try:
        return ctypes.string_at(html.value or 0).decode()
    finally:
        _library.urlsift_html_free(html)


_BLOCK = 1 << 18  # bytes of a file; the kind is told from the first 64 KiB
_NAME = re.compile(r"(?!.*://)[^\n]{1,4096}\.(eml|emlx|mbox)")  # of a file of mail
_ZIP, _TAR, _TAR_AT = (b"PK\3\4", b"PK\5\6"), b"ustar", 257  # what archives begin with, and have at that offset
_WARC = re.compile(rb"WARC/[0-9]\.")
_CSV = re.compile(r"(?is).+\.csv")  # of a file whose text the command reads as CSV
_KINDS = [name.decode() for name in itertools.takewhile(bool, map(_library.urlsift_mail_kind_name, range(99)))]


def _read(read: Callable[[int], Any], size: int) -> bytes:
    """The next bytes of a file, whatever holds them; none at its end."""
    block = read(size)
    if block is None:
        raise BlockingIOError("data: a file that does not wait for its bytes")
    return block if isinstance(block, bytes) else bytes(memoryview(block))


def _read_first(read: Callable[[int], Any]) -> bytes:
    """As many bytes as tell the kind: a pipe may give less at a time."""
    block = b""
    while len(block) < _BLOCK:
        more = _read(read, _BLOCK - len(block))
        if not more:
            break
        block += more
    return block


def _only_command(source: str, what: str, instead: str = "") -> OSError:
    return OSError(f"{source}: is {what}, which only the command reads: urlsift list --json {source}{instead}")


def _stream(read: Callable[[int], bytes], source: Optional[str], options: Dict[str, Any],
            is_csv: bool = False) -> Iterator[Link]:
    """`is_csv`: what is plain text is CSV."""
    how = _MailOptions(size=ctypes.sizeof(_MailOptions), metadata=1)
    how.headers = _choice("headers", options.pop("headers", "urls"))
    how.message_ids, how.resources, how.repeated = (
        int(bool(options.pop(name, False))) for name in ("message_ids", "resources", "repeated"))
    kind = options.pop("kind", "auto")
    if kind not in ["auto", *_KINDS]:
        raise ValueError(f"kind: {kind!r} is not one of auto, {', '.join(_KINDS)}")
    settings = _options(options)
    block = _read_first(read) if kind == "auto" else _read(read, _BLOCK)
    if kind == "auto" and source is not None:
        if block.startswith(_ZIP) or block.startswith(_TAR, _TAR_AT):
            raise _only_command(source, "an archive of tar or zip")
        if _WARC.match(block):
            raise _only_command(source, "a web archive")
    how.kind = (_library.urlsift_mail_detect(block, len(block), len(block) < _BLOCK) if kind == "auto"
                else _KINDS.index(kind))
    if kind == "auto" and source is not None and is_csv and _KINDS[how.kind] == "text":
        raise _only_command(source, "CSV", "; kind='text' reads it as text")
    status = ctypes.c_int()
    finder = _library.urlsift_finder_new(_context, settings.handle, ctypes.byref(how), ctypes.byref(status))
    _check(status.value)
    messages: Dict[int, Message] = {}
    try:
        while True:
            found = _pointer()
            _check(_library.urlsift_finder_feed(finder, block, len(block), ctypes.byref(found)))
            try:
                links = _links(found.value or 0, None, source, messages)
            finally:
                _free(found)
            yield from links
            if not block:
                return
            block = _read(read, _BLOCK)
    finally:
        _library.urlsift_finder_free(finder)


def mail(data: Union[bytes, str, BinaryIO, "email.message.Message", "os.PathLike[str]"], **options: Any) -> Iterator[Link]:
    """The links of a message, a mailbox, an HTML document or a text, in order, each with its place: of bytes, of a str,
    of an email.message.Message, of a binary file of any length, which is read as links are taken, or of the file with
    a path (pathlib.Path), as of find_all().  A str is text; a UserWarning says so where it looks
    like the name of a file of mail.

    help(urlsift) has the options.  Further ones: kind ("auto", "message", "mbox", "mmdf", "rnews", "babyl", "emlx", "html", "calendar", "vcard",
    "text"); headers, the fields that are searched ("none", "urls", "all"); message_ids, resources, repeated (booleans,
    see urlsift-mail(3)).
    Parts are offsets in bytes.
    """
    if isinstance(data, io.TextIOBase):
        raise TypeError("data: a file must be open in binary mode ('rb')")
    if isinstance(data, os.PathLike):
        return find_all(data, **options)
    if isinstance(data, str) and _NAME.fullmatch(data):  # the file is not looked for: the text may be a stranger's
        warnings.warn(f"data: {data!r} is read as text; for the file of that name give pathlib.Path({data!r})", stacklevel=2)
    if hasattr(data, "read"):
        return _stream(data.read, None, options)
    if hasattr(data, "as_bytes"):
        try:
            data = data.as_bytes()
        except UnicodeEncodeError:  # it was made from a str with characters beyond ASCII
            data = data.as_string()
    rest = [b"", _encode("data", data, options)]  # taken from the end
    return _stream(lambda size: rest.pop() if rest else b"", None, options)


# The module of the standard library that unpacks a file with these first bytes.
_PACKED = ((rb"\x1f\x8b", "gzip"), (rb"BZh[1-9](1A|\x17r)", "bz2"), (rb"\xfd7zXZ\0", "lzma"))
# What other packed files begin with; the last ones the command does not read either.
_ZSTD = b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18\4\0\0\0", b"\x5d\x2a\x4d\x18"
_FOR_COMMAND = ((_ZSTD, "zstd"), ((b"\x04\x22\x4d\x18", b"\x02\x21\x4c\x18"), "lz4"), ((b"LZIP\0", b"LZIP\1"), "lzip"),
                ((b"\x1f\x9d",), "compress"))
_UNREAD = ((b"7z\xbc\xaf\x27\x1c",), "7z"), ((b"Rar!\x1a\7",), "RAR")
_PACKED_HEAD = 8


def _form(forms: Iterable[Tuple[Tuple[bytes, ...], str]], head: bytes) -> Optional[str]:
    return next((name for magic, name in forms if head.startswith(magic)), None)


def _named(read: Callable[[int], bytes], source: str,
           damage: Tuple[Type[BaseException], ...]) -> Callable[[int], bytes]:
    """Reads so, and says of what file it is that something is damaged."""
    def read_named(size: int) -> bytes:
        try:
            return read(size)
        except damage as error:
            raise OSError(f"{source}: {error}") from error

    return read_named


def find_all(paths: Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]], **options: Any) -> Iterator[Link]:
    """The links of a file, or of files, as mail() finds them, with the path as `source`.  Files of gzip, bzip2 and xz are unpacked.
    One block of a file is in memory at a time.  Raises OSError for a file that cannot be read, and for what only the
    command reads: files of zstd, lz4, lzip and compress; unless `kind` is given, archives of tar and zip, web archives
    (WARC), and text whose file is named *.csv.  In text of UTF-16 without a byte order mark nothing is found, and
    nothing says so, unless `charset` is given ("utf-16le", "utf-16be").

    help(urlsift.mail) has the options.
    """
    for path in [paths] if isinstance(paths, (str, bytes, os.PathLike)) else paths:
        if not isinstance(path, (str, os.PathLike)):  # open() takes numbers, of files that are not ours, too
            raise TypeError(f"paths: {type(path).__name__} is neither str nor os.PathLike")
        with open(path, "rb") as file:
            source, head = os.fspath(path), file.peek(_PACKED_HEAD)
            unpack = next((module for magic, module in _PACKED if re.match(magic, head)), None)
            other, unread = _form(_FOR_COMMAND, head), _form(_UNREAD, head)
            if other:
                raise _only_command(source, f"a file of {other}")
            if unread:
                raise OSError(f"{source}: is a file of {unread}, which is not read")
            name = os.fsdecode(source)
            is_csv = any(map(_CSV.fullmatch, (name, os.path.splitext(name)[0] if unpack else "")))
            if not unpack:
                yield from _stream(file.read, source, dict(options), is_csv)
                continue
            module = importlib.import_module(unpack)
            damage = (OSError, EOFError, zlib.error, getattr(module, "LZMAError", EOFError))
            with module.open(file) as unpacked:
                yield from _stream(_named(unpacked.read, source, damage), source, dict(options), is_csv)


def explain(url: Union[str, bytes]) -> Dict[str, Any]:
    """All that is known about one URL: the record of the command's `explain --json`, always with "warnings"."""
    output: List[bytes] = []

    def write(_: Any, data: int, length: int) -> int:
        output.append(ctypes.string_at(data, length))
        return 0

    data, status, callback = _encode("url", url), ctypes.c_int(), _Write(write)
    how = _RenderOptions(ctypes.sizeof(_RenderOptions), b"json")
    renderer = _library.urlsift_render_new(_context, ctypes.byref(how), callback, None, ctypes.byref(status))
    _check(status.value)
    try:
        _check(_library.urlsift_render_url(renderer, data, len(data)))
        _check(_library.urlsift_render_end(renderer))
    finally:
        _library.urlsift_render_free(renderer)
    record: Dict[str, Any] = {"warnings": [], **json.loads(b"".join(output))}
    return record
