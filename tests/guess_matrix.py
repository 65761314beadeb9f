"""testdata/guess: how sure a join is, for each of many ends of links and each of many lines that follow.

A line of verdicts.txt is for a line of nexts.txt.  It has three blocks of a character for each line of ends.txt: as a short
line, at the end of a full one, and there with a backslash.  The character is `.` where no join is suggested, `+` where
the lines are joined, else the confidence in units of 1/61, from 0 to 9, A to Z, a to z.  `tests/guess_matrix.py` writes them anew,
from the reference, which takes a minute.
"""
import functools
import os
import re
import string
import sys

from testlib import DATA, read, run

FOLDER = os.path.join(DATA, "guess")
DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
PROSE = "The tables of the northern pier and of its lamps were moved by the office to another page "
WIDTH = 76
# The line of a record, and whether it has several parts; how sure a suggestion is.  To read all as JSON takes twice as long.
RECORD = re.compile(rb'"line":(\d+),.*?"parts":\[\[\d+,\d+\](,)?')
SUGGESTED = re.compile(rb'"why":"join","confidence":([\d.]+)')


@functools.cache
def lines(name):
    return read(os.path.join(FOLDER, name)).decode().split("\n")[:-1]


@functools.cache
def before():
    """What stands before a next line: each end, short, full, and with a backslash."""
    ends = lines("ends.txt")
    full = [f"{PROSE[:WIDTH]}\n{PROSE[:WIDTH - len(end)].rjust(WIDTH - len(end)) + end}" for end in ends]
    return ["see " + end for end in ends] + full + [text + "\\" for text in full]


def texts(following):
    """The paragraph for each of them."""
    return [f"{text}\n{following}\n\n" for text in before()]


def letter(links):
    """Of pairs: whether the link is joined, and how sure the suggestions of joins are."""
    if any(joined for joined, _ in links):
        return "+"
    confidences = sum((found for _, found in links), [])
    return DIGITS[round(61 * max(confidences))] if confidences else "."


def row(letters):
    third = len(letters) // 3
    return " ".join("".join(letters[at:at + third]) for at in range(0, len(letters), third))


def all_texts():
    """All paragraphs, so that no line is near one of its kind."""
    return "".join(text for paragraphs in zip(*(texts(following) for following in lines("nexts.txt"))) for text in paragraphs)


def by_command():
    """The rows as the command sees them, all paragraphs in one text."""
    rows = [texts(following) for following in lines("nexts.txt")]
    places, line, whole = {}, 1, []
    for column, paragraphs in enumerate(zip(*rows)):  # so that no line is near one of its kind
        for number, text in enumerate(paragraphs):
            for at in range(text.count("\n")):
                places[line + at] = number, column
            line += text.count("\n")
        whole += paragraphs
    found = [[[] for _ in paragraphs] for paragraphs in rows]
    done = run("list", "--json", "--input=text", "--join=declared", text="".join(whole))
    for record in done.stdout.splitlines():
        line, more = RECORD.search(record).groups()
        number, column = places[int(line)]
        found[number][column].append((bool(more), [float(value) for value in SUGGESTED.findall(record)]))
    return [row([letter(cell) for cell in cells]) for cells in found]


def by_reference(following):
    from reference_test import expected  # takes a while
    return row([letter([(len(link[-3]) > 1, link[-1]) for link in expected(text.encode(), {})]) for text in texts(following)])


if __name__ == "__main__":
    with open(os.path.join(FOLDER, "verdicts.txt"), "w", encoding="ascii") as file:
        for following in lines("nexts.txt"):
            print(by_reference(following), file=file)
