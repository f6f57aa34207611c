"""From raw passes to the picture: denoise, tone, lay the shadow underneath, convert."""

import subprocess
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

WIDTHS = (320, 640, 1024)
WHOLE = (0, 0, 1, 1)


def master(folder, name):
    return Path(folder) / f"{name.replace('/', '~')}.png"


def _raw(folder, name, suffix):
    path = Path(folder) / f"{name.replace('/', '~')}.{suffix}"
    found = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if found is None:
        raise SystemExit(f'cannot read {path}')
    return found.astype(np.float32)


def pixels(path):
    """A master's rows from the bottom up: red, green, blue and alpha, 0 to 1."""
    return np.asarray(Image.open(path).convert('RGBA')).astype(np.float32)[::-1] / 255


def develop(folder, name, size=1024, region=WHOLE, floor=True, fade=None):
    """Write the master PNG (`size` pixels) of a picture from its raw passes, and remove them.

    A picture of a `region` of the frame keeps the pixels that it was rendered with. Without a `floor` there is no
    shadow. `fade` ({'bottom': 0.2}) lets a device that is larger than the frame end softly: the share of the frame by side.
    """
    colour = _raw(folder, name, 'colour.0001.exr')
    guides = [_raw(folder, name, f'{k}.0001.exr')[..., :3] for k in ('albedo', 'normal')]
    alpha = np.clip(colour[..., 3], 0, 1)
    rgb = _denoise(tone(_solid(colour[..., :3], alpha)), alpha, *guides)
    shade = _shadow(folder, name, alpha.shape, region) if floor else np.zeros_like(alpha)
    total = alpha + shade * (1 - alpha)
    rgb = rgb * (alpha / np.maximum(total, 1e-4))[..., None]
    rgba = np.dstack([np.clip(rgb, 0, 1), total * _fade(alpha.shape, fade or {})])
    rgba = _scaled(rgba, size) if region == WHOLE and size != alpha.shape[0] else rgba
    # Written aside first: a run that is stopped leaves no half picture behind.
    aside = master(folder, f'part/{name}')
    cv2.imwrite(str(aside), (rgba * 255 + 0.5).astype(np.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 6])
    aside.replace(master(folder, name))
    stem = str(Path(folder) / name.replace('/', '~'))
    for suffix in ('colour.0001.exr', 'albedo.0001.exr', 'normal.0001.exr'):
        Path(f'{stem}.{suffix}').unlink(missing_ok=True)


def _fade(shape, shares):
    """1 inside the frame, and 0 at the sides that `shares` names."""
    height, width = shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    distances = {'left': x / width, 'right': 1 - (x + 1) / width, 'top': y / height, 'bottom': 1 - (y + 1) / height}
    result = np.ones(shape, np.float32)
    for side, share in shares.items():
        t = np.clip(distances[side] / share, 0, 1)
        result *= t * t * (3 - 2 * t)
    return result


def _solid(rgb, alpha):
    """The colour of the product without its premultiplied alpha, carried on past its outline.

    Pixels of the outline take the mean of the product around them: alone they hold too few samples to be calm.
    """
    solid = np.where(alpha[..., None] > 0.98, rgb, 0)
    weight = (alpha > 0.98).astype(np.float32)
    result, known = solid, weight
    for sigma in (0.9, 2.0, 6.0, 30.0):
        near = cv2.GaussianBlur(weight, (0, 0), sigma)
        mean = cv2.GaussianBlur(solid, (0, 0), sigma) / np.maximum(near, 1e-4)[..., None]
        usable = (known == 0) & (near > 0.02)
        result = np.where(usable[..., None], mean, result)
        known = np.where(usable, 1, known)
    return result


def _denoise(picture, alpha, albedo, normal, strength=5.0):
    """Non-local means: strong where the surface is even (its albedo and normals say so); at details only
    pixels of like albedo and normal are averaged."""
    image = (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)
    # A speck that is lighter or darker than all its neighbours is grain; a thin line is not, it has neighbours.
    around = np.ones((3, 3), np.uint8)
    around[1, 1] = 0
    for _ in range(2):
        image = np.clip(image, cv2.erode(image, around), cv2.dilate(image, around))
    gentle = cv2.fastNlMeansDenoising(image, None, strength, 5, 17)
    if alpha.shape[0] < 300:
        return gentle.astype(np.float32) / 255
    strong = cv2.fastNlMeansDenoising(gentle, None, strength * 2.4, 5, 21)
    rough = _grain(gentle)
    if rough.max() > 0.1:
        coarse = cv2.fastNlMeansDenoising(cv2.GaussianBlur(gentle, (0, 0), 1.0), None, strength * 3, 5, 21)
        strong = (strong * (1 - rough) + coarse * rough).astype(np.uint8)
    # What is left of the grain is faint and broad: it goes without touching any edge.
    strong = cv2.bilateralFilter(strong.astype(np.float32), 19, 7, 7)
    guide = np.dstack([cv2.cvtColor(albedo, cv2.COLOR_BGR2GRAY) + 2 * alpha, normal[..., 0], normal[..., 2]]).astype(np.float32)
    along = cv2.ximgproc.jointBilateralFilter(guide, gentle.astype(np.float32), 9, 0.09, 2.5)
    even = _evenness(np.dstack([albedo, normal]), alpha)[..., None]
    return (along * (1 - even) + strong * even).astype(np.float32) / 255


def _grain(image):
    """0 where little grain is left, 1 where there is much; outlines and patterns are too thin to count."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    noise = cv2.absdiff(grey, cv2.medianBlur(grey, 3))
    spread = cv2.GaussianBlur(cv2.medianBlur(np.minimum(noise, 40), 11).astype(np.float32), (0, 0), 4)
    return np.clip((spread - 1.0) / 2.0, 0, 1)[..., None]


def _evenness(guides, alpha):
    """1 where albedo and normals change evenly or not at all (flat and gently curved surfaces), 0 at their edges."""
    guides = cv2.GaussianBlur(guides.astype(np.float32), (0, 0), 0.8)
    bend = np.abs(guides - cv2.GaussianBlur(guides, (0, 0), 2.5)).max(2)
    bend = cv2.dilate(bend, np.ones((3, 3), np.uint8))
    return cv2.GaussianBlur(np.clip(1.6 - bend / 0.025, 0, 1), (0, 0), 1.0)


def tone(linear):
    """Linear light to sRGB with a soft shoulder: whites roll off instead of clipping, colours stay true."""
    start = 0.72
    peak = linear.max(2, keepdims=True)
    over = np.maximum(peak - start, 0)
    rolled = np.where(peak > start, start + (1 - start) * (1 - np.exp(-over / (1 - start) * 0.75)), peak)
    scaled = linear * (rolled / np.maximum(peak, 1e-5))
    # Very bright colours drift to white, as on film.
    white = np.clip((peak - 1.0) / 3.0, 0, 0.7)
    scaled = scaled * (1 - white) + rolled * white
    scaled = np.clip(scaled, 0, 1)
    return np.where(scaled <= 0.0031308, scaled * 12.92, 1.055 * scaled ** (1 / 2.4) - 0.055)


def _shadow(folder, name, shape, region=WHOLE):
    """How dark the floor is, for a picture of `shape` (height, width) that shows `region` of the frame."""
    slug, *_, view = name.split('/')
    shade = np.clip(_raw(folder, f'{slug}/{view}', 'shadow.exr')[..., 3], 0, 1)
    left, top, right, bottom = region
    is_fine = shade.shape[1] / (right - left) > 112.5
    shade = cv2.GaussianBlur(shade, (0, 0), 1.0 if is_fine else 1.3)
    shade = cv2.resize(shade, shape[::-1], interpolation=cv2.INTER_CUBIC)
    shade = cv2.GaussianBlur(shade, (0, 0), shape[1] / (right - left) / (900 if is_fine else 300))
    shade = np.clip(shade * 1.2 - 0.2, 0, 1) * (0.78 if is_fine else 0.54)
    # The shadow ends before the frame does.
    y = np.linspace(top, bottom, shape[0], endpoint=False)[:, None] * 2 - 1
    x = np.linspace(left, right, shape[1], endpoint=False)[None] * 2 - 1
    ramp = np.clip((1 - np.hypot(np.maximum(np.abs(x) - 0.7, 0), np.maximum(np.abs(y) - 0.7, 0)) / 0.28), 0, 1)
    return shade * ramp * ramp * (3 - 2 * ramp)


def publish(folder, name, public, picture):
    """Convert a master to the AVIFs of the shop, and the first picture of each colour to a JPEG too."""
    image = Image.open(master(folder, name))
    target = Path(public) / name
    target.parent.mkdir(parents=True, exist_ok=True)
    for width in WIDTHS:
        _avif(image, width, target.with_name(f'{target.name}.avif' if width == 1024 else f'{target.name}-{width}.avif'))
    _, _, product, _, view = picture
    if view == next(iter(product['views'])):
        white = Image.new('RGBA', image.size, '#ffffff')
        white.alpha_composite(image)
        white.convert('RGB').resize((640, 640), Image.LANCZOS).save(target.with_name(f'{target.name}.jpg'), quality=80, optimize=True)


def _avif(image, width, path):
    """Encode; a picture over its budget is encoded again, a little coarser."""
    small = image if image.width == width else _resized(image, width)
    source = path.with_suffix('.part.png')
    small.save(source)
    for quality in (22, 26, 30, 35, 41):
        subprocess.run(['avifenc', '-s', '6', '-y', '444' if width == 320 else '420', '--min', '0', '--max', '63',
                        '-a', 'end-usage=q', '-a', f'color:cq-level={quality}', '-a', 'alpha:cq-level=12', '--minalpha', '0',
                        '--maxalpha', '63', str(source), str(path)], check=True, stdout=subprocess.DEVNULL)
        if path.stat().st_size <= {320: 10_000, 640: 30_000, 1024: 60_000}[width]:
            break
    source.unlink()


def _resized(image, width):
    small = _scaled(np.asarray(image).astype(np.float32) / 255, width)
    return Image.fromarray((small * 255 + 0.5).astype(np.uint8), 'RGBA')


def _scaled(rgba, width):
    """Scale with premultiplied alpha, so that edges keep their colour. Values 0 to 1."""
    rgba = np.dstack([rgba[..., :3] * rgba[..., 3:], rgba[..., 3]])
    way = cv2.INTER_AREA if width < rgba.shape[0] else cv2.INTER_LANCZOS4
    rgba = np.clip(cv2.resize(rgba, (width, width), interpolation=way), 0, 1)
    rgba[..., :3] /= np.maximum(rgba[..., 3:], 1 / 510)
    return np.clip(rgba, 0, 1)


def sheet(chosen, folder, path, cell=256, across=8):
    """Every finished picture on white, on card grey and on dark."""
    images = [(p[0], Image.open(master(folder, p[0]))) for p in chosen if master(folder, p[0]).exists()]
    rows = -(-len(images) // across)
    page = Image.new('RGB', (cell * across, cell * rows * 3), '#808080')
    for g, ground in enumerate(('#ffffff', '#f5f5f7', '#1d1d1f')):
        for i, (_, image) in enumerate(images):
            tile = Image.new('RGBA', (cell, cell), ground)
            tile.alpha_composite(_resized(image, cell))
            page.paste(tile.convert('RGB'), (i % across * cell, ((i // across) * 3 + g) * cell))
    page.save(path)
    return path
