"""usage: xpi.py ARCHIVE FOLDER FILE...     a zip archive of a folder and further files, without times and owners"""
import os
import sys
import zipfile

archive, folder, *more = sys.argv[1:]
files = {os.path.relpath(os.path.join(where, name), folder): os.path.join(where, name)
         for where, _, names in os.walk(folder) for name in names if name != "REVIEWERS.md"}
files.update((os.path.basename(path), path) for path in more)
with zipfile.ZipFile(archive, "w") as out:
    for name in sorted(files):
        with open(files[name], "rb") as file:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            out.writestr(entry, file.read(), zipfile.ZIP_DEFLATED, 9)
