"""Phones. Built lying in x and y with the screen up (+z), then stood up facing -y. Millimetres.

params: size (width, height, depth), radius of the corners, cameras (a key of BACKS), island ('pill' or 'notch'),
control (has the camera button), bezel, frame_rough, design (turn, folds, seed and style of the wallpaper).
colour: back, frame, plateau, lens, wallpaper (palette and ground). view pose: 'pair' (display before back), 'back first' or 'card'
(beside a plate of the size of a bank card).
"""

import materials as m
from models import extras, optics
from shapes import disc, frame, grille, group, loft, mesh, place, rounded_outline, rounded_profile, slab

EDGE = 1.1


def build(params, colour, view):
    root = group('phone root')
    pose = view.get('pose')
    if pose in ('pair', 'back first'):
        width, near = params['size'][0], 9 if pose == 'pair' else -9
        one = phone(params, colour, root)
        place(one, (-0.31 * width, near, 0), (90, 0, 180), root)
        two = phone(params, colour, root)
        place(two, (0.31 * width, -near, 0), (90, 0, 0), root)
    elif pose == 'card':
        width, height, _ = params['size']
        across = extras.CARD[1]
        place(phone(params, colour, root), (-(across + 12) / 2, 0, 0), (90, 0, 0), root)
        extras.card(root, ((width + 12) / 2, 0, (extras.CARD[0] - height) / 2), (90, -90, 0))
    else:
        place(phone(params, colour, root), (0, 0, 0), (90, 0, 0), root)
    return root


def phone(p, c, root):
    body = group('phone', parent=root)
    width, height, depth = p['size']
    p = {'radius': 12.5, 'bezel': 2.9, 'control': True, 'island': 'pill', 'design': (62, 4, 3), 'frame_rough': 0.34, **p}
    titanium = p['cameras'] in ('square', 'bar')
    metal = m.metal(c['frame'], p['frame_rough']) if titanium else m.anodised(c['frame'], 0.38)
    profile = [(i, z) for i, z in _edge(depth)]
    loft('frame', rounded_outline(width, height, p['radius'], 28), profile, metal, parent=body)
    _front(p, c, body)
    BACKS[p['cameras']](p, c, body, metal)
    _buttons(p, metal, body)
    _antennas(p, c, body, profile)
    _bottom(p, body)
    return body


def _edge(depth, bevel=EDGE, steps=6):
    return rounded_profile(depth, bevel, bevel, steps)


def _front(p, c, body):
    width, height, depth = p['size']
    top = depth / 2
    slab(width - 1.3, height - 1.3, 0.5, p['radius'] - 0.65, m.black_glass(), 0.22, at=(0, 0, top - 0.1), parent=body, steps=28)
    bezel = p['bezel']
    w, h = width - 2 * bezel, height - 2 * bezel
    slab(w, h, 0.02, p['radius'] - bezel, m.screen(_wallpaper(p, c, w, h)), 0, at=(0, 0, top + 0.16), parent=body, steps=28)
    dark = m.principled('island', '#020203', rough=0.12, specular=0.3)
    if p['island'] == 'pill':
        y = height / 2 - bezel - 5.2
        slab(20.5, 6.0, 0.02, 3.0, dark, 0, at=(0, y, top + 0.18), parent=body)
        optics.sensor(1.7, body, (7.0, y, top + 0.1))
    else:
        y = height / 2 - bezel - 1.2
        slab(26.5, 7.6, 0.02, 3.0, dark, 0, at=(0, y - 0.6, top + 0.18), parent=body)
        optics.sensor(1.5, body, (8.4, y - 0.1, top + 0.1))
    slab(9.5, 0.7, 0.05, 0.35, m.black(0.7), 0, at=(0, height / 2 - 1.1, top + 0.14), parent=body)


def _wallpaper(p, c, w, h):
    wall, design = c['wallpaper'], p['design']
    return m.wallpaper(round(w * 9), round(h * 9), wall['palette'], wall['ground'], *design)


def _glass(p, c, body, z=0.0):
    """The back glass, a hair proud of the frame."""
    width, height, depth = p['size']
    slab(width - 1.5, height - 1.5, 0.5, p['radius'] - 0.75, m.matte_glass(c['back'], 0.34), 0.22,
         at=(0, 0, -depth / 2 + 0.1 - z), turn=(180, 0, 0), parent=body, steps=28)


def _behind(p, body, proud=0.15):
    """A group on the back: +z looks out of the back, x to the right of who looks at it, y up."""
    return group('behind', (0, 0, -p['size'][2] / 2 - proud), (0, 180, 0), body)


def _two_lenses(p, c, body, metal):
    """A tall pill with two lenses."""
    _glass(p, c, body)
    behind = _behind(p, body)
    width, height, _ = p['size']
    x, y = -width / 2 + 15.3, height / 2 - 24.2
    pill = m.principled('plateau', c['plateau'], rough=0.2, specular=0.7)
    slab(22.4, 41.4, 1.7, 11.2, pill, 0.9, 0.1, at=(x, y, 0.8), parent=behind, steps=40, segments=8)
    for dy in (9.4, -9.4):
        optics.lens(8.7, behind, (x, y + dy, 1.6), m.metal(c['lens'], 0.2), 1.8, 1.0)
    optics.pinhole(0.55, behind, (x, y, 1.67))
    optics.flash(2.9, behind, (x + 18.0, y, 0.0))


def _one_lens(p, c, body, metal):
    """A single lens in the corner."""
    _glass(p, c, body)
    behind = _behind(p, body)
    width, height, _ = p['size']
    x, y = -width / 2 + 14.6, height / 2 - 14.6
    optics.lens(8.3, behind, (x, y, 0.0), m.metal(c['lens'], 0.2), 2.1, 0.95)
    optics.flash(2.5, behind, (x + 14.6, y, 0.0))
    optics.pinhole(0.5, behind, (x + 14.6, y - 5.4, 0.01))


def _square(p, c, body, metal):
    """A square plateau with three lenses."""
    _glass(p, c, body)
    behind = _behind(p, body)
    width, height, _ = p['size']
    x, y = -width / 2 + 22.6, height / 2 - 22.8
    glass = m.principled('plateau', c['plateau'], rough=0.18, specular=0.7)
    slab(40.0, 40.8, 2.0, 11.5, glass, 1.1, 0.1, at=(x, y, 0.95), parent=behind, steps=32, segments=8)
    _trio(c, behind, x, y, 1.95, 9.2)
    optics.flash(2.8, behind, (x + 9.4, y + 14.3, 1.95))
    optics.sensor(2.8, behind, (x + 9.4, y - 14.3, 1.95))
    optics.pinhole(0.55, behind, (x + 0.2, y - 14.6, 1.97))


def _trio(c, behind, x, y, z, spread, radius=8.5):
    rim = m.metal(c['lens'], 0.18)
    for dx, dy in ((-spread, spread), (-spread, -spread), (spread, 0.0)):
        optics.lens(radius, behind, (x + dx, y + dy, z), rim, 2.2, 1.05)


def _full_width(p, c, body, metal):
    """An aluminium back with a plateau over its whole width, three lenses, and a glass field beneath."""
    behind = _behind(p, body, 0.0)
    width, height, _ = p['size']
    tall, z = 43.5, 2.4
    y = height / 2 - tall / 2 - 1.6
    shell = m.anodised(c['frame'], 0.38)
    outline = rounded_outline(width - 3.0, tall, 14.5, 40)
    rise = [(-1.6, -0.2), (-1.5, 0.0), (-0.7, 0.06), (-0.1, 0.3), (0.25, 0.8), (0.45, z - 0.9), (0.65, z - 0.45), (1.0, z - 0.14), (1.6, z)]
    loft('plateau', outline, rise, shell, at=(0, y, 0), parent=behind)
    field = m.matte_glass(c['back'], 0.3)
    bottom = height - tall - 11.5
    slab(width - 7.0, bottom, 0.3, 11.0, field, 0.12, at=(0, -height / 2 + bottom / 2 + 4.2, 0.0), parent=behind, steps=28)
    x = -width / 2 + 22.4
    _trio(c, behind, x, y, z, 9.3, 8.7)
    right = width / 2 - 13.0
    optics.flash(3.0, behind, (right, y + 11.2, z))
    optics.sensor(3.0, behind, (right, y - 11.2, z))
    optics.pinhole(0.6, behind, (right, y, z + 0.02))


def _bar(p, c, body, metal):
    """A thin phone: a bar over the whole width with one lens."""
    _glass(p, c, body)
    behind = _behind(p, body)
    width, height, _ = p['size']
    tall, z = 24.5, 2.4
    y = height / 2 - tall / 2 - 2.6
    glass = m.principled('plateau', c['plateau'], rough=0.24, specular=0.7)
    rise = [(-1.4, -0.2), (-1.3, 0.0), (-0.6, 0.06), (-0.1, 0.3), (0.2, 0.8), (0.4, z - 0.8), (0.6, z - 0.4), (1.0, z - 0.12), (1.6, z)]
    loft('plateau', rounded_outline(width - 6.0, tall, tall / 2, 48), rise, glass, at=(0, y, 0), parent=behind)
    optics.lens(8.6, behind, (-width / 2 + 3.4 + tall / 2, y, z), m.metal(c['lens'], 0.18), 1.9, 1.0)
    right = width / 2 - 3.4 - tall / 2
    optics.flash(2.8, behind, (right + 2.0, y, z))
    optics.pinhole(0.55, behind, (right - 6.5, y, z))


BACKS = {'two': _two_lenses, 'one': _one_lens, 'square': _square, 'full': _full_width, 'bar': _bar}


def _buttons(p, metal, body):
    width, height, depth = p['size']
    tall = min(3.1, depth * 0.42)
    left = [(height / 2 - 31.5, 6.0), (height / 2 - 45.5, 10.0), (height / 2 - 59.5, 10.0)]
    right = [(height / 2 - 50.0, 17.5)]
    for side, buttons in ((-1, left), (1, right)):
        for y, long in buttons:
            x = side * (width / 2 + 0.05)
            slab(long + 0.5, tall + 0.5, 0.3, tall / 2 + 0.25, m.black(), 0, at=(side * (width / 2 - 0.14), y, 0),
                 turn=(90, 0, 90 * side), parent=body)
            slab(long, tall, 0.9, tall / 2, metal, 0.25, at=(x, y, 0), turn=(90, 0, 90 * side), parent=body)
    if p['control']:
        y = -height / 2 + 0.36 * height
        slab(16.5, tall + 0.2, 0.1, tall / 2 + 0.1, m.metal('#55575c', 0.3), 0.02, at=(width / 2, y, 0), turn=(90, 0, 90), parent=body)
        slab(15.9, tall - 0.4, 0.14, tall / 2 - 0.2, m.gloss('#3a3b3f', 0.1), 0.03, at=(width / 2, y, 0), turn=(90, 0, 90), parent=body)


def _antennas(p, c, body, profile):
    """Plastic strips that part the metal frame."""
    width, height, _ = p['size']
    strip = m.plastic(c.get('antenna', c['back']), 0.45)
    for side in (-1, 1):
        for y in (height / 2 - p['radius'] - 4.5, -height / 2 + p['radius'] + 4.5):
            _strip(profile, width / 2, y, strip, body, 0 if side > 0 else 180)
    for top, x in ((1, -width / 2 + p['radius'] + 5), (-1, width / 2 - p['radius'] - 5)):
        _strip(profile, height / 2, x * -top, strip, body, 90 * top)


def _strip(profile, reach, along, material, body, angle, breadth=1.0):
    """A band across the frame: the profile of the edge, a hair proud, `breadth` wide."""
    points = [(reach - inset + 0.012, z) for inset, z in profile]
    n = len(points)
    side = 1 if angle != 180 else -1
    y = along * side
    vertices = [(x, y - breadth / 2, z) for x, z in points] + [(x, y + breadth / 2, z) for x, z in points]
    faces = [(i, i + 1, n + i + 1, n + i) for i in range(n - 1)]
    place(mesh('antenna', vertices, faces, material, weighted=False), turn=(0, 0, angle), parent=body)


def _bottom(p, body):
    """Connector, screws, loudspeaker and microphone holes."""
    width, height, depth = p['size']
    end = group('bottom', (0, -height / 2, 0), (90, 0, 0), body)
    frame(9.6, 3.5, 1.75, 0.35, 0.1, m.metal('#6b6d70', 0.3), 0.03, parent=end)
    slab(9.0, 2.9, 0.06, 1.45, m.black(), 0, parent=end)
    slab(6.6, 0.7, 0.1, 0.3, m.metal('#3a3a3c', 0.4), 0.02, parent=end)
    for side in (-1, 1):
        disc(0.75, 0.1, m.metal('#77797c', 0.35), 0.03, at=(side * 7.4, 0, 0), parent=end, steps=32)
        grille(5, 1, 2.6, 0.62, m.black(), at=(side * 15.6, 0, 0.0), parent=end, depth=0.06)
