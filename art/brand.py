#!/usr/bin/python3
"""The shop's own pictures: the hero of the home page, the two of its advantages, and the preview of links.

The phone of the hero turns: `turn` renders its other angles, of which only the part of the picture is kept that changes.

  python3 art/brand.py                       all, into public/images/
  python3 art/brand.py turn                  the other angles of the hero's phone, into public/images/hero-turn/
  python3 art/brand.py og                    the preview of links alone: words (og-words.svg) beside the hero's master
  python3 art/brand.py --preview 320 --out /tmp/x hero

Inside Blender this file builds and renders; outside it starts Blender, develops and converts.
"""

import functools
import math
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

# name: what the studio is told, the size of the master, {file name: width}.
PICTURES = {
    'hero': (dict(turn=0, elevation=13, fill=0.97, lights={'card': 0, 'top': 1.3}, contact=240), 1600,
             {'hero-640': 640, 'hero-1600': 1600, 'hero': 1024}),
    'secure-payments': (dict(turn=0, elevation=10, fill=0.9, lights={'card': 0.2}), 768, {'secure-payments': 332, 'secure-payments-664': 664}),
    'fast-delivery': (dict(turn=0, elevation=22, fill=0.92, lights={'card': 0}), 768, {'fast-delivery': 332, 'fast-delivery-664': 664}),
}

# The angles of the phone, a full turn; the first is the hero itself.
ANGLES = 24
# The part of the frame that they change, in 80ths: its edges are whole pixels of 960 and of the shadow's 240.
REGION = (49 / 80, 29 / 80, 79 / 80, 74 / 80)
FIRST_TURN = 160


def _phone(parent, slug, colour, at, turn, scale=1.0):
    from catalogue import iphone
    from models import phone
    from shapes import group, place

    product = iphone.PRODUCTS[slug]
    holder = group('phone', at, turn, parent, scale)
    body = phone.phone(product['params'], product['colours'][colour], holder)
    place(body, (0, 0, product['params']['size'][1] / 2 * 1.0), (90, 0, 0), holder)
    return holder


def build_hero():
    from catalogue import laptop as laptops
    from models import coin, laptop
    from shapes import group, place

    root = group('hero')
    notebook = laptop.build(laptops.AIR_13, laptops.SKY, {'angle': 106})
    place(notebook, (-8, 70, 0), (0, 0, -20), root)
    phone = _phone(root, 'iphone-air', 'Light Gold', (104, -104, 0), (0, 0, FIRST_TURN), 1.075)
    phone.name = 'turning'
    coin.coin(root, 43, (-96, -128, 42.5), (-14, 0, -22))
    return root


def build_secure_payments():
    from models import coin
    from shapes import group

    root = group('secure payments')
    _phone(root, 'iphone-air', 'Sky Blue', (14, 22, 0), (0, 0, -16))
    coin.coin(root, 35, (-36, -24, 34.6), (-14, 0, -21))
    coin.padlock(root, (48, -30, 0), (0, 0, -22), 0.82)
    return root


def build_fast_delivery():
    from models import coin
    from shapes import group

    root = group('fast delivery')
    coin.parcel(root, (200, 130, 92), (0, 0, 0), (0, 0, -24))
    _phone(root, 'iphone-17-pro', 'Cosmic Orange', (-30, 0, 26), (0, 0, 150))
    _phone(root, 'iphone-air', 'Sky Blue', (44, -8, 14), (0, 0, -30))
    return root


def _poses(path, indexes):
    """(path, function that turns the phone) of these angles."""
    import bpy

    def turn_to(index):
        bpy.data.objects['turning'].rotation_euler.z = math.radians(FIRST_TURN + 360 / ANGLES * index)

    return [(path.with_name(f'{path.name}-{index:02}'), functools.partial(turn_to, index)) for index in indexes]


def inside_blender(folder, size, samples, names):
    import studio

    if names[0] == 'turn':
        studio.empty_scene(int(size), int(samples))
        poses = _poses(Path(folder).resolve() / 'brand~hero', [int(index) for index in names[1:]])
        studio.shoot(build_hero(), None, poses=poses, region=REGION, **PICTURES['hero'][0])
        return
    for name in names:
        studio.empty_scene(int(size), int(samples))
        root = globals()[f"build_{name.replace('-', '_')}"]()
        path = Path(folder).resolve() / f'brand~{name}'
        shadow = path.with_name(f'{path.name}.shadow.exr')
        shadow.unlink(missing_ok=True)
        studio.shoot(root, path, shadow=shadow, **PICTURES[name][0])
        print(f'PICTURE {name}', flush=True)


def outside_blender():
    import argparse

    os.environ['OPENCV_IO_ENABLE_OPENEXR'] = '1'
    import develop
    from PIL import Image

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--preview', type=int)
    parser.add_argument('--size', type=int, default=1280, help='pixels to render at most; the master is enlarged from it')
    parser.add_argument('--samples', type=int, default=24)
    parser.add_argument('--out', type=Path, default=HERE / 'out')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or [*PICTURES, 'og']:
        if name == 'og':
            _preview_of_links(Image.open(develop.master(options.out, 'brand/hero')))
            continue
        if name == 'turn':
            _turn(options)
            continue
        _, master, files = PICTURES[name]
        _blender(options.out, options.preview or min(master, options.size), options.samples, name)
        develop.develop(options.out, f'brand/{name}', options.preview or master)
        if not options.preview:
            image = Image.open(develop.master(options.out, f'brand/{name}'))
            for stem, width in files.items():
                _convert(image, width, stem)


def _blender(folder, size, samples, *names):
    subprocess.run(['nice', '-n', '19', 'blender', '-b', '--threads', '1', '-P', __file__, '--', str(folder), str(size), str(samples),
                    *map(str, names)], check=True, stdout=subprocess.DEVNULL)


def _turn(options):
    """Every angle but the first, or every fourth in a preview. An angle whose master is there is not rendered again."""
    import develop
    from PIL import Image

    names = {index: f'brand/hero-{index:02}' for index in range(1, ANGLES) if not options.preview or index % 4 == 0}
    missing = [index for index, name in names.items() if options.preview or not develop.master(options.out, name).exists()]
    # Every second angle first: a run that is stopped leaves a turn in coarser steps.
    for batch in ([index for index in missing if index % 2 == 0], [index for index in missing if index % 2]):
        if batch:
            _blender(options.out, options.preview or 960, options.samples, 'turn', *batch)
        for index in batch:
            develop.develop(options.out, names[index], region=REGION)
    if not options.preview:
        hero = Image.open(develop.master(options.out, 'brand/hero'))
        for index, name in names.items():
            image = _with_edges_of(hero, Image.open(develop.master(options.out, name)))
            _convert(image, image.width, f'hero-turn/{index:02}', 26_000)


def _with_edges_of(hero, image):
    """The picture of an angle, which blends into the hero at its edges, so that no seam shows."""
    import cv2
    import develop
    import numpy as np
    from PIL import Image

    left, top, right, _ = REGION
    size = round(image.width / (right - left))
    x, y = round(left * size), round(top * size)
    around = np.asarray(develop._resized(hero, size)).astype(np.float32)[y : y + image.height, x : x + image.width] / 255
    inside = np.zeros((image.height + 2, image.width + 2), np.uint8)
    inside[1:-1, 1:-1] = 1
    weight = np.clip(cv2.distanceTransform(inside, cv2.DIST_L2, 3)[1:-1, 1:-1, None] / (size / 80), 0, 1)
    turned = np.asarray(image).astype(np.float32) / 255
    total = around[..., 3:] * (1 - weight) + turned[..., 3:] * weight
    rgb = around[..., :3] * around[..., 3:] * (1 - weight) + turned[..., :3] * turned[..., 3:] * weight
    rgba = np.dstack([rgb / np.maximum(total, 1 / 510), total])
    return Image.fromarray((np.clip(rgba, 0, 1) * 255 + 0.5).astype(np.uint8), 'RGBA')


def _preview_of_links(hero):
    """1200 x 630, on a pale ground: JPEG, which every program that shows a link can read."""
    import numpy as np
    import words
    from PIL import Image

    x = np.linspace(0, 1, 1200)
    ground = np.stack([np.interp(x, (0, 0.75, 1), values) for values in ((229, 247, 243), (230, 248, 244), (235, 250, 248))], -1)
    page = Image.fromarray(np.repeat(ground[None], 630, 0).round().astype(np.uint8), 'RGB')
    hero = hero.crop(hero.getbbox())
    hero = hero.convert('RGBa').resize((704, round(704 * hero.height / hero.width)), Image.LANCZOS).convert('RGBA')
    page.paste(hero, (1200 - 704 - 16, (630 - hero.height) // 2 + 8), hero)
    letters = words.draw(HERE / 'og-words.svg', 470, 630)
    page.paste(letters, (72, 0), letters)
    page.save(HERE.parent / 'public/images/og.jpg', quality=84, optimize=True, progressive=True)


def _convert(image, width, stem, budget=45_000):
    import develop

    path = HERE.parent / 'public/images' / f'{stem}.avif'
    source = path.with_suffix('.part.png')
    (image if image.width == width else develop._resized(image, width)).save(source)
    for quality in (20, 24, 28, 32, 36, 40, 45, 50):
        subprocess.run(['avifenc', '-s', '4', '-y', '420', '--min', '0', '--max', '63', '-a', 'end-usage=q', '-a', f'color:cq-level={quality}',
                        '-a', 'alpha:cq-level=14', '--minalpha', '0', '--maxalpha', '63', str(source), str(path)], check=True, stdout=subprocess.DEVNULL)
        if path.stat().st_size <= budget:
            break
    source.unlink()


if __name__ == '__main__':
    if '--' in sys.argv:
        inside_blender(*sys.argv[sys.argv.index('--') + 1 :][:3], sys.argv[sys.argv.index('--') + 4 :])
    else:
        outside_blender()
