"""Entry inside Blender: `blender -b -P art/render.py -- <folder> <size> <samples> <picture id> …`.

Builds each picture's scene and writes its raw passes to <folder>. Started by make.py.
"""

import importlib
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import pictures  # noqa: E402
import studio  # noqa: E402


def main():
    folder, size, samples, *wanted = sys.argv[sys.argv.index('--') + 1 :]
    known = {}
    for products in pictures.families().values():
        known.update({p[0]: p for p in pictures.pictures(products)})
    for name in wanted:
        started = time.process_time()
        _, slug, product, colour, view = known[name]
        path = Path(folder).resolve() / name.replace('/', '~')
        studio.empty_scene(int(size), int(samples))
        module, function = product['model'].split('.')
        build = getattr(importlib.import_module(f'models.{module}'), function)
        look = product['colours'][colour]
        # A colour may want a light of its own: black things a brighter rim.
        options = {**product['views'][view], **look.get('studio', {})}
        root = build(product['params'], look, {'name': view, **options})
        # All colours of a view have one shadow; the first colour draws it anew.
        shadow = path.with_name(f'{slug}~{view}.shadow.exr')
        if name == f'{slug}/{view}':
            shadow.unlink(missing_ok=True)
        studio.shoot(root, path, shadow=shadow, **options)
        print(f'PICTURE {name} {time.process_time() - started:.1f} s', flush=True)


if __name__ == '__main__':
    try:
        main()
    except Exception:
        import traceback

        traceback.print_exc()
        sys.stdout.flush()
        os._exit(1)
