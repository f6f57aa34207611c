"""Tablets. Built lying in x and y with the screen up (+z), then stood up facing -y. Millimetres.

params: size (width, height, depth), radius of the corners, bezel, camera ('one', 'flash' or 'square'), connector
(contacts on the back), design (turn, folds, seed and style of the wallpaper). colour: body, palette, ground.
view pose: 'pair' (display before back), 'crossed' (the same, the display lying across), 'landscape', 'face down' or 'card'
(beside a plate of the size of a bank card).
"""

import materials as m
from models import extras, optics
from shapes import disc, frame, grille, group, loft, place, rounded_outline, rounded_profile, slab


def build(params, colour, view):
    root = group('tablet root')
    width = params['size'][0]
    pose = view.get('pose')
    if pose == 'pair':
        place(tablet(params, colour, root, shows=False), (-0.2 * width, 11, 0), (90, 0, 180), root)
        place(tablet(params, colour, root), (0.2 * width, -11, 0), (90, 0, 0), root)
    elif pose == 'crossed':
        place(tablet(params, colour, root, shows=False), (-0.1 * width, 11, 0), (90, 0, 180), root)
        low = (width - params['size'][1]) / 2
        place(tablet(params, colour, root, True), (0, -11, low), (90, -90, 0), root)
    elif pose == 'card':
        long, across, _ = extras.CARD
        place(tablet(params, colour, root), (-(across + 14) / 2, 0, 0), (90, 0, 0), root)
        extras.card(root, ((width + 14) / 2, 0, (long - params['size'][1]) / 2), (90, -90, 0))
    elif pose == 'face down':
        place(tablet(params, colour, root, shows=False), turn=(0, 180, 0), parent=root)
    elif pose == 'landscape':
        place(tablet(params, colour, root, True), (0, 0, 0), (90, -90, 0), root)
    else:
        place(tablet(params, colour, root), (0, 0, 0), (90, 0, 0), root)
    return root


def tablet(p, c, root, landscape=False, shows=True):
    """`landscape` turns the wallpaper for a tablet that lies across; one whose back is seen `shows` nothing."""
    p = {'radius': 18.0, 'bezel': 8.6, 'camera': 'one', 'connector': True, 'design': (62, 4, 3), **p}
    body = group('tablet', parent=root)
    width, height, depth = p['size']
    metal = m.anodised(c['body'], 0.4)
    profile = rounded_profile(depth, 0.9, 0.9, 6)
    loft('shell', rounded_outline(width, height, p['radius'], 28, 2.3), profile, metal, parent=body)
    _front(p, c, body, landscape, shows)
    _back(p, c, body, metal)
    _edges(p, c, body, metal)
    return body


def _front(p, c, body, landscape, shows):
    width, height, depth = p['size']
    bezel, top = p['bezel'], depth / 2
    slab(width - 1.5, height - 1.5, 0.4, p['radius'] - 0.75, m.black_glass(), 0.2, at=(0, 0, top - 0.08), parent=body, steps=28, exponent=2.3)
    optics.sensor(1.3, body, (width / 2 - bezel / 2 - 0.3, 0, top + 0.06))
    if not shows:
        return
    w, h = width - 2 * bezel, height - 2 * bezel
    across, tall = (h, w) if landscape else (w, h)
    wall = m.wallpaper(round(across * 5), round(tall * 5), c['palette'], c['ground'], *p['design'])
    if landscape:
        wall = wall.swapaxes(0, 1)[::-1]
    slab(w, h, 0.02, p['radius'] - bezel + 0.6, m.screen(wall), 0, at=(0, 0, top + 0.13), parent=body, steps=20)


def _back(p, c, body, metal):
    width, height, depth = p['size']
    behind = group('behind', (0, 0, -depth / 2), (0, 180, 0), body)
    x, y = -width / 2 + 14.0, height / 2 - 14.0
    ring = m.metal(c['body'], 0.25)
    if p['camera'] == 'square':
        x, y = -width / 2 + 20.0, height / 2 - 20.0
        plate = m.principled('plateau', c['glass'], rough=0.2, specular=0.7)
        slab(31, 31, 1.2, 9.5, plate, 0.6, 0.1, at=(x, y, 0.55), parent=behind, steps=28, segments=8)
        optics.lens(6.6, behind, (x - 6.0, y + 6.0, 1.15), ring, 1.3, 0.8)
        optics.sensor(3.6, behind, (x - 6.0, y - 8.0, 1.15))
        optics.flash(2.6, behind, (x + 8.0, y + 6.0, 1.15))
        optics.pinhole(0.5, behind, (x + 8.0, y - 8.0, 1.17))
    else:
        optics.lens(6.3, behind, (x, y, 0), ring, 1.5, 0.8)
        optics.pinhole(0.5, behind, (x + 10.5, y, 0.02))
        if p['camera'] == 'flash':
            optics.flash(2.2, behind, (x + 15.5, y, 0))
    if p['connector']:
        contact = m.metal('#b9b9ba', 0.25)
        for dx in (-4.2, 0, 4.2):
            ringed = group('contact', (dx, -height / 2 + 11.5, 0), parent=behind)
            disc(1.75, 0.06, m.plastic('#6d6e70', 0.5), 0.02, parent=ringed, steps=40)
            disc(1.45, 0.1, contact, 0.03, parent=ringed, steps=40)


def _edges(p, c, body, metal):
    """Top button and loudspeakers, volume, connector."""
    width, height, depth = p['size']
    tall = depth * 0.42
    top = group('top', (0, height / 2, 0), (90, 0, 180), body)
    bottom = group('bottom', (0, -height / 2, 0), (90, 0, 0), body)
    side = group('side', (width / 2, 0, 0), (90, 0, 90), body)
    slab(14.5, tall + 0.4, 0.2, tall / 2 + 0.2, m.black(), 0, at=(-width / 2 + 26, 0, -0.08), parent=top)
    slab(14.0, tall, 0.7, tall / 2, metal, 0.25, at=(-width / 2 + 26, 0, 0.1), parent=top)
    for y in (height / 2 - 26, height / 2 - 40):
        slab(11.5, tall + 0.4, 0.2, tall / 2 + 0.2, m.black(), 0, at=(y, 0, -0.08), parent=side)
        slab(11.0, tall, 0.7, tall / 2, metal, 0.25, at=(y, 0, 0.1), parent=side)
    frame(9.6, 3.4, 1.7, 0.35, 0.1, m.metal(c['body'], 0.25), 0.03, parent=bottom)
    slab(9.0, 2.8, 0.06, 1.4, m.black(), 0, parent=bottom)
    slab(6.6, 0.7, 0.1, 0.3, m.metal('#3a3a3c', 0.4), 0.02, parent=bottom)
    for end in (top, bottom):
        for x in (-1, 1):
            grille(9, 1, 2.4, 0.72, m.black(), at=(x * width * 0.29, 0, 0.0), parent=end, depth=0.06)
