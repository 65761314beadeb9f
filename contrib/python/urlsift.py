"""Finds the URLs in text with liburlsift, through ctypes: nothing to compile.

    >>> import urlsift
    >>> for link in urlsift.find("see <URL:http://example.org/a-\\n  b> and www.example.org"):
    ...     print(link.line, link.target, link.warnings)

The library is $URLSIFT_LIBRARY, or the one that the system finds by the name urlsift.
urlsift(3) says what a link is; the options of find() are those of urlsift_options_set.
"""
import ctypes
import ctypes.util
import os
from typing import NamedTuple

__all__ = ["Alternate", "Error", "Link", "find", "version"]


class Error(Exception):
    """A status of the library other than success."""


class Alternate(NamedTuple):
    """Another reading of a link."""
    text: str
    why: str           # "hyphen" or "join"
    confidence: float  # 0 to 1


class Link(NamedTuple):
    text: str          # as its author meant it
    target: str        # ASCII, absolute; fit for an href when `linkable`
    normal: str        # the form by which links are compared
    scheme: str
    host: str          # of `normal`
    label: str         # shown in place of the link, with the option `labels`
    convention: str    # "wrapper", "angle", "bare" ...
    flags: tuple       # "joined", "hyphen-ambiguous" ...
    warnings: tuple    # "password", "confusable" ...
    linkable: bool     # whether a page may make it an anchor
    line: int          # of its first character, from 1
    column: int
    parts: tuple       # (start, end) of each contiguous part: text[start:end] of what find() was given
    alternates: tuple


# ---- The library -----------------------------------------------------------------

class _String(ctypes.Structure):
    _fields_ = [("bytes", ctypes.POINTER(ctypes.c_char)), ("length", ctypes.c_size_t)]

    def text(self):
        return ctypes.string_at(self.bytes, self.length).decode("utf-8", "replace")


class _Range(ctypes.Structure):
    _fields_ = [("offset", ctypes.c_uint64), ("length", ctypes.c_uint64)]


class _Alternate(ctypes.Structure):
    _fields_ = [("string", _String), ("why", ctypes.c_int), ("confidence", ctypes.c_double)]


class _Link(ctypes.Structure):
    _fields_ = [("text", _String), ("target", _String), ("normal", _String), ("scheme", _String), ("host", _String),
                ("label", _String), ("place", ctypes.c_void_p),
                ("convention", ctypes.c_int), ("flags", ctypes.c_uint), ("warnings", ctypes.c_uint),
                ("linkable", ctypes.c_int), ("line", ctypes.c_uint64), ("column", ctypes.c_uint64),
                ("parts", ctypes.POINTER(_Range)), ("part_count", ctypes.c_size_t),
                ("alternates", ctypes.POINTER(_Alternate)), ("alternate_count", ctypes.c_size_t)]


class _Found(ctypes.Structure):
    _fields_ = [("count", ctypes.c_size_t), ("links", ctypes.POINTER(ctypes.POINTER(_Link)))]


# The values of enum urlsift_option, urlsift_join and urlsift_hyphen.
_OPTIONS = {"email": 0, "domains": 1, "www_https": 2, "refang": 3, "join": 4, "hyphen": 5, "guess": 6, "max_url": 8,
            "max_breaks": 9, "max_alternates": 10, "labels": 12}
_CHOICES = {"join": ("never", "declared", "sure", "likely"), "hyphen": ("keep", "drop")}

_PROTOTYPES = {
    "urlsift_version": (ctypes.c_char_p, []),
    "urlsift_status_text": (ctypes.c_char_p, [ctypes.c_int]),
    "urlsift_context_new": (ctypes.c_void_p, [ctypes.c_void_p]),
    "urlsift_options_new": (ctypes.c_void_p, [ctypes.c_void_p]),
    "urlsift_options_free": (None, [ctypes.c_void_p]),
    "urlsift_options_set": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_int, ctypes.c_long]),
    "urlsift_options_set_charset": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]),
    "urlsift_options_set_base": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]),
    "urlsift_find": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t,
                                    ctypes.POINTER(ctypes.POINTER(_Found))]),
    "urlsift_found_free": (None, [ctypes.POINTER(_Found)]),
    "urlsift_convention_name": (ctypes.c_char_p, [ctypes.c_int]),
    "urlsift_flag_name": (ctypes.c_char_p, [ctypes.c_uint]),
    "urlsift_warning_name": (ctypes.c_char_p, [ctypes.c_uint]),
}


def _load():
    name = os.environ.get("URLSIFT_LIBRARY") or ctypes.util.find_library("urlsift") or "liburlsift.so.0"
    library = ctypes.CDLL(name)
    for function, (result, arguments) in _PROTOTYPES.items():
        getattr(library, function).restype = result
        getattr(library, function).argtypes = arguments
    return library


_library = _load()
_context = _library.urlsift_context_new(None)  # lives as long as the process
if not _context:
    raise MemoryError


# ---- Finding ---------------------------------------------------------------------

def version():
    """The version of the library that is loaded."""
    return _library.urlsift_version().decode()


def _check(status):
    if status:
        raise Error(_library.urlsift_status_text(status).decode())


def _set(options, name, value):
    if name == "charset":
        _check(_library.urlsift_options_set_charset(options, value.encode()))
    elif name == "base":
        base = value.encode()
        _check(_library.urlsift_options_set_base(options, base, len(base)))
    elif name in _OPTIONS:
        if name in _CHOICES:
            if value not in _CHOICES[name]:
                raise ValueError(f"{name}: {value!r} is not one of {', '.join(_CHOICES[name])}")
            value = _CHOICES[name].index(value)
        number = min(max(int(value), -1), 2**31 - 1)  # ctypes would cut off what a long cannot hold
        _check(_library.urlsift_options_set(options, _OPTIONS[name], number))
    else:
        raise TypeError(f"find() has no option {name!r}")


def _names(bits, name_of):
    names = (name_of(1 << bit) for bit in range(32) if bits >> bit & 1)
    return tuple(name.decode() for name in names if name)


_CONTINUATION = bytes(range(0x80, 0xC0))  # the bytes of UTF-8 that begin no character


class _Index:
    """Turns byte offsets, asked for in rising order, into indices of a str."""

    def __init__(self, data):
        self.data, self.at, self.index = data, 0, 0

    def __call__(self, offset):
        if offset < self.at:
            self.at = self.index = 0
        self.index += len(self.data[self.at:offset].translate(None, _CONTINUATION))
        self.at = offset
        return self.index


def _link(raw, index):
    alternates = (raw.alternates[i] for i in range(raw.alternate_count))
    parts = (raw.parts[i] for i in range(raw.part_count))
    return Link(
        raw.text.text(), raw.target.text(), raw.normal.text(), raw.scheme.text(), raw.host.text(), raw.label.text(),
        _library.urlsift_convention_name(raw.convention).decode(), _names(raw.flags, _library.urlsift_flag_name),
        _names(raw.warnings, _library.urlsift_warning_name), bool(raw.linkable), raw.line, raw.column,
        tuple((index(part.offset), index(part.offset + part.length)) for part in parts),
        tuple(Alternate(a.string.text(), "join" if a.why else "hyphen", a.confidence) for a in alternates))


def find(text, **options):
    """The links of a str or of bytes, in order.

    Options: email, domains, www_https, refang, guess, labels (booleans); join ("never", "declared",
    "sure", "likely"); hyphen ("keep", "drop"); max_url, max_breaks, max_alternates (numbers); charset
    (of bytes); base (an absolute URL for partial forms).  Raises Error for a value out of range.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    index = _Index(data) if isinstance(text, str) else int
    handle = _library.urlsift_options_new(None)
    if not handle:
        raise MemoryError
    found = ctypes.POINTER(_Found)()
    try:
        for name, value in options.items():
            _set(handle, name, value)
        _check(_library.urlsift_find(_context, handle, data, len(data), ctypes.byref(found)))
        return [_link(found.contents.links[i].contents, index) for i in range(found.contents.count)]
    finally:
        _library.urlsift_found_free(found)
        _library.urlsift_options_free(handle)
