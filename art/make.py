#!/usr/bin/python3
"""The product pictures: render, develop and convert. See README.md.

  python3 art/make.py iphone            render and convert what is missing of a family ('all' for every family)
  python3 art/make.py iphone iphone-17/back …   only these pictures (a prefix is enough), again even if they are there
  python3 art/make.py --preview 320 --samples 12 --out /tmp/x iphone iphone-17/back    a quick look, nothing in public/
  python3 art/make.py publish iphone    convert the masters of a family again
  python3 art/make.py sheet iphone      a contact sheet on white, grey and dark
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
os.environ['OPENCV_IO_ENABLE_OPENEXR'] = '1'

import develop  # noqa: E402
import pictures  # noqa: E402

PUBLIC = HERE.parent / 'public/images/products'
RENDERED = HERE / 'rendered.json'


def wanted(family, prefixes):
    everything = pictures.families()
    chosen = everything if family == 'all' else {family: everything[family]}
    found = [p for products in chosen.values() for p in pictures.pictures(products)]
    # Card pictures first, then the other views, then the other colours.
    found.sort(key=lambda p: (list(p[2]['colours']).index(p[3]) > 0, list(p[2]['views']).index(p[4])))
    return [p for p in found if not prefixes or any(p[0].startswith(x) for x in prefixes)]


def record(name, size=None):
    """Note the size in pixels that a published picture was rendered at, with the hash of its file; a test reads it."""
    known = json.loads(RENDERED.read_text()) if RENDERED.exists() else {}
    if size is None and name not in known:
        return
    digest = hashlib.sha256((PUBLIC / f'{name}.avif').read_bytes()).hexdigest()[:16]
    known[name] = {'pixels': size or known[name]['pixels'], 'sha256': digest}
    RENDERED.write_text(json.dumps(dict(sorted(known.items())), indent=2) + '\n')


def render(names, folder, size, samples):
    """Render raw passes in one Blender process, at the lowest priority; develop each picture as soon as it is there."""
    command = ['nice', '-n', '19', 'ionice', '-c3', 'blender', '-b', '--threads', '1', '-P', str(HERE / 'render.py'), '--',
               str(folder), str(size), str(samples), *names]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    tail = []
    for line in process.stdout:
        tail = [*tail[-25:], line]
        if line.startswith('PICTURE '):
            print(line.strip(), flush=True)
            yield line.split()[1]
    if process.wait():
        sys.exit(''.join(tail))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--preview', type=int, help='size in pixels of a quick look')
    parser.add_argument('--size', type=int, default=1024, help='pixels to render; a smaller master is enlarged to 1024')
    parser.add_argument('--samples', type=int, default=32)
    parser.add_argument('--only', choices=('first', 'colours'), help='only first colours, or only the others')
    parser.add_argument('--out', type=Path, default=HERE / 'out')
    parser.add_argument('family')
    parser.add_argument('prefixes', nargs='*')
    options = parser.parse_args()
    if options.family == 'sheet':
        for family in options.prefixes:
            print(develop.sheet(wanted(family, []), options.out, options.out / f'sheet-{family}.png'))
        return
    if options.family == 'publish':
        for family in options.prefixes:
            for picture in wanted(family, []):
                if develop.master(options.out, picture[0]).exists():
                    develop.publish(options.out, picture[0], PUBLIC, picture)
                    record(picture[0])
        return
    options.out.mkdir(parents=True, exist_ok=True)
    chosen = {p[0]: p for p in wanted(options.family, options.prefixes)}
    if options.only:
        chosen = {n: p for n, p in chosen.items() if (n == f'{p[1]}/{p[4]}') == (options.only == 'first')}
    if not options.prefixes and not options.preview:
        chosen = {n: p for n, p in chosen.items() if not develop.master(options.out, n).exists()}
    for name in render(list(chosen), options.out, options.preview or options.size, options.samples):
        *_, product, _, view = chosen[name]
        develop.develop(options.out, name, options.preview or 1024, fade=product['views'][view].get('fade'))
        if not options.preview:
            develop.publish(options.out, name, PUBLIC, chosen[name])
            record(name, options.size)


if __name__ == '__main__':
    main()
