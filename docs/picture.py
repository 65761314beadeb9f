#!/usr/bin/env python3
"""Makes the pictures of README.md from real runs of the command: docs/terminal.svg, and docs/page.png if Chromium is installed.

usage: docs/picture.py     in the top folder, after make
"""
import html
import os
import re
import shutil
import subprocess
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
URLSIFT = os.path.join(TOP, "build", "urlsift")
SAMPLES = "testdata/readme"
# What is shown as typed, and what is run for it.
RUNS = [
    ("sed -n 8,11p reply.eml", None),
    ("urlsift reply.eml", "urlsift reply.eml"),
    ("urlsift --warned --format='%t: %u (%w)' newsletter.eml",) * 2,
    ("urlsift rewrite reply.eml | sed -n 8p",) * 2,
]
WIDTH, LINE, FONT = 92, 21, 14
COLUMN = FONT * 0.6
STYLES = {"1": "font-weight:bold", "2": "opacity:.6", "4": "text-decoration:underline"}


def run(command):
    env = {**os.environ, "PATH": os.path.dirname(URLSIFT) + os.pathsep + os.environ["PATH"]}
    done = subprocess.run(["sh", "-c", command], cwd=os.path.join(TOP, SAMPLES), env=env, check=True,
                          stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()


def spans(line):
    """SVG of a line with the colour sequences that the command writes."""
    style = ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", re.sub(r"\x1b\]8;[^\x1b]*\x1b\\", "", line)):
        if part.startswith("\x1b"):
            style = ";".join(STYLES[code] for code in re.findall(r"\d+", part) if code in STYLES)
        elif part:
            text = html.escape(part, quote=False)
            yield f'<tspan style="{style}">{text}</tspan>' if style else text


def terminal():
    lines = []
    for shown, command in RUNS:
        lines += [("prompt", shown)] + [("out", line) for line in run(command or shown)] + [("out", "")]
    lines.pop()
    width, height = round(WIDTH * COLUMN) + 40, (len(lines) + 1) * LINE + 20
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           f'font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="{FONT}">',
           f'<rect width="{width}" height="{height}" rx="8" fill="#1b1f24"/>']
    for i, (kind, line) in enumerate(lines):
        y = (i + 1) * LINE + 14
        text = "".join(spans(line))
        if kind == "prompt":
            text = f'<tspan fill="#7ee787">$</tspan> <tspan fill="#fff">{text}</tspan>'
        out.append(f'<text x="20" y="{y}" fill="#c9d1d9" xml:space="preserve">{text}</text>')
    with open(os.path.join(TOP, "docs", "terminal.svg"), "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n</svg>\n")


def page():
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not browser:
        print("skipped: docs/page.png: Chromium is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(run("urlsift html newsletter.eml")) + "\n")
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
                        "--hide-scrollbars", "--window-size=760,340", f"--user-data-dir={folder}/profile",
                        f"--screenshot={os.path.join(TOP, 'docs', 'page.png')}", "file://" + path],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    terminal()
    page()
