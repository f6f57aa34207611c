"""Entry inside Blender: `blender -b -P art/render.py -- <folder> <size> <samples> <picture id> …`.

Builds each picture's scene and writes its raw passes to <folder>. Started by make.py.
"""

import functools
import importlib
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import develop  # noqa: E402
import pictures  # noqa: E402
import studio  # noqa: E402
from models import extras  # noqa: E402


def shown(make, options, path, size, samples):
    studio.empty_scene(size, samples)
    return make(options)


def boxed(make, options, path, size, samples):
    """The box of a product. The picture on its lid is rendered and developed first."""
    printed = {**options, **options['print']}
    name = f'{path.name}~print'
    studio.empty_scene(min(size, 720), samples)
    studio.shoot(make(printed), path.with_name(name), **printed)
    develop.develop(path.parent, name, min(size, 720), floor=False)
    image = develop.master(path.parent, name)
    pixels = develop.pixels(image)
    image.unlink()
    studio.empty_scene(size, samples)
    return extras.box(options['box'], pixels)


def main():
    folder, size, samples, *wanted = sys.argv[sys.argv.index('--') + 1 :]
    known = {}
    for products in pictures.families().values():
        known.update({p[0]: p for p in pictures.pictures(products)})
    for name in wanted:
        started = time.process_time()
        _, slug, product, colour, view = known[name]
        path = Path(folder).resolve() / name.replace('/', '~')
        module, function = product['model'].split('.')
        build = getattr(importlib.import_module(f'models.{module}'), function)
        look = product['colours'][colour]
        # A colour may want a light of its own: black things a brighter rim.
        options = {**product['views'][view], **look.get('studio', {})}
        make = functools.partial(build, product['params'], look)
        root = (boxed if 'box' in options else shown)(make, {'name': view, **options}, path, int(size), int(samples))
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
