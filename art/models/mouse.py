"""Mice. They lie on the floor, their front away from the hand at +y turned towards -y by the views. Millimetres."""

import math

import materials as m
from parts_plate import dome
from shapes import group, lathe, mesh, outline_of, place, slab, tube


def magic(p, c, view):
    """A low shell of clear-coated glass over an aluminium keel. colour: top, body."""
    root = group('mouse')
    length, width, high = 113.5, 57.1, 21.6
    # Between an ellipse and a rectangle, as the real shell.
    outline = outline_of([(math.copysign(abs(math.cos(a)) ** 0.72, math.cos(a)) * width / 2,
                           math.copysign(abs(math.sin(a)) ** 0.72, math.sin(a)) * length / 2)
                          for a in (2 * math.pi * i / 160 for i in range(160))])

    def top(x, y, t):
        along = 1 - (abs(y) / (length / 2)) ** 2.3
        edge = 6.2 + 3.2 * along
        crown = (high - edge - 0.4) * (0.30 + 0.70 * along)
        return edge + crown * (1 - t ** 2.6)

    shell = m.principled('shell', c['top'], rough=0.1, coat=1.0, coat_rough=0.02)
    dome(outline, top, shell, 48, None, root)
    alloy = m.anodised(c['body'], 0.34, 0.75)

    def band(x, y, t):
        return 5.9 + 3.2 * (1 - (abs(y) / (length / 2)) ** 2.3)

    _skirt(outline, band, alloy, root)
    for side in (-1, 1):
        slab(2.2, 84, 1.4, 1.1, m.rubber('#d8d8da' if c['top'] > '#888888' else '#2a2a2c'), 0.3, at=(side * 14, 0, 0.7), parent=root)
    return root


def _skirt(outline, edge, material, root):
    """The metal below the shell: from its edge inwards to the narrow keel."""
    points = [p for p, _ in outline]
    n, vertices, faces = len(points), [], []
    rows = ((1.0, 1.0), (0.995, 0.93), (0.97, 0.7), (0.92, 0.45), (0.85, 0.26), (0.76, 0.15), (0.6, 0.12), (0.0, 0.12))
    for scale, part in rows:
        vertices += [(x * scale, y * (0.3 + 0.7 * scale), 0.6 + (edge(x, y, 1) - 0.6) * part) for x, y in points]
    for r in range(len(rows) - 1):
        a, b = r * n, (r + 1) * n
        faces += [(a + (i + 1) % n, a + i, b + i, b + (i + 1) % n) for i in range(n)]
    place(mesh('skirt', vertices, faces, material, 180, weighted=False), parent=root)


def master(p, c, view):
    """A sculpted mouse with a metal wheel and a thumb rest. colour: body, grip, wheel."""
    root = group('mouse')
    shell = m.principled('shell', c['body'], rough=0.48, specular=0.4)
    grip = m.principled('grip', c['grip'], rough=0.62, specular=0.3)
    steel = m.metal(c['wheel'], 0.24)
    outline = outline_of(_hand_outline())
    dome(outline, _hand_height, shell, 70, 1.0, root)
    slab(52, 104, 2, 26, m.rubber('#1b1b1d'), 0.4, at=(-3, -1, 0.9), parent=root)
    _thumb(root, grip, steel)
    _wheel(root, steel)
    _seams(root)
    return root


def _hand_outline(count=220):
    """Seen from above: broad at the palm (-y), the thumb rest bulging to the left, narrow at the front (+y)."""
    points = []
    for i in range(count):
        a = 2 * math.pi * i / count
        c, s = math.cos(a), math.sin(a)
        x = math.copysign(abs(c) ** 0.8, c) * 38.5
        y = math.copysign(abs(s) ** 0.82, s) * 62.4
        waist = 1 - 0.10 * math.exp(-((y - 12) / 26) ** 2)
        thumb = 11.5 * math.exp(-((y + 10) / 30) ** 2) if x < 0 else 0
        points.append((x * waist * (1 - 0.12 * max(0, y / 62)) - thumb * min(1, -x / 34), y))
    return points


def _hand_height(x, y, t):
    """The back of the mouse: highest behind the middle, falling to the front, scooped above the thumb."""
    along = (y + 62.4) / 124.8
    spine = 51 * math.sin(math.pi * (0.08 + 0.84 * along) ** 0.62 * 1.0) ** 0.62 if 0 < along < 1 else 6
    spine = max(10, min(51, spine)) * (1 - 0.35 * max(0, along - 0.55))
    lean = 1 - 0.16 * (x / 38) if x > 0 else 1 + 0.02 * (x / 38)
    side = max(0.0, 1 - t ** 2.9)
    body = 5 + (spine * lean - 5) * side ** 0.62
    scoop = math.exp(-((y + 4) / 34) ** 2) * math.exp(-((x + 39) / 10.5) ** 2)
    return body - scoop * max(0, body - 11) * 0.86


def _surface(x, y):
    """The height of the back above a point: what lies on it is placed with this."""
    angle = math.atan2(y, x)
    edge = min(_hand_outline(360), key=lambda q: abs((math.atan2(q[1], q[0]) - angle + math.pi) % (2 * math.pi) - math.pi))
    return _hand_height(x, y, min(1.0, math.hypot(x, y) / math.hypot(*edge)))


def _line(points, radius, material, root):
    """A seam pressed into the back."""
    tube([(x, y, _surface(x, y) - radius * 0.35) for x, y in points], radius, material, parent=root)


def _thumb(root, grip, steel):
    """The wheel under the thumb, two buttons behind it, and the ridged rest."""
    x, y = -29.0, 13.0
    wheel = group('thumb wheel', (x, y, _surface(x, y) - 0.6), (0, -58, 0), root, 0.74)
    profile = [(6.2, -6.2), (7.2, -5.8), (7.6, -5.0), (7.6, 5.0), (7.2, 5.8), (6.2, 6.2)]
    lathe(profile, steel, 96, turn=(90, 0, 0), parent=wheel)
    for k, y in enumerate((-3.5, -14.5)):
        x = -30.5
        slab(12.5, 4.6, 3.4, 2.1, grip, 0.9, at=(x, y, _surface(x, y) + 0.4), turn=(0, -58, 86), parent=root)
    for k in range(7):
        y = -28 + k * 6
        _line([(-41.5 + 0.05 * abs(y + 10) + i * 1.2, y + i * 0.4) for i in range(5)], 0.32, grip, root)


def _wheel(root, steel):
    """The scroll wheel in its slot and the button behind it."""
    x, y = -3.0, 38.0
    z = _surface(x, y)
    tilt = math.degrees(math.atan2(_surface(x, y + 8) - _surface(x, y - 8), 16))
    slot = group('slot', (x, y, z), (tilt, 0, 0), root)
    slab(9.4, 31, 2.2, 4.6, m.black(0.5), 0.5, at=(0, 0, -0.75), parent=slot)
    hub = group('wheel', (0, 1, -5.6), (0, 90, 0), slot)
    profile = [(9.2, -3.4), (10.4, -3.1), (10.9, -2.5), (10.9, 2.5), (10.4, 3.1), (9.2, 3.4)]
    lathe(profile, steel, 120, parent=hub)
    for i in range(56):
        a = 2 * math.pi * i / 56
        slab(0.42, 4.0, 0.3, 0.2, m.black(0.4), 0, at=(10.92 * math.cos(a), 10.92 * math.sin(a), 0), turn=(90, 0, math.degrees(a) + 90), parent=hub)
    y = 13.5
    tilt = math.degrees(math.atan2(_surface(x, y + 4) - _surface(x, y - 4), 8))
    slab(6.6, 10, 1.6, 3.2, steel, 0.5, at=(x, y, _surface(x, y) + 0.15), turn=(tilt, 0, 0), parent=root)


def _seams(root):
    """The lines between the buttons and behind them."""
    dark = m.black(0.7)
    _line([(-3.0 + 0.3 * i * 0.1, 54 + i * 1.2) for i in range(7)], 0.3, dark, root)
    _line([(-3.0, 19 + i * 0.8) for i in range(5)], 0.3, dark, root)
    _line([(-3.0 + 3.1 * i, 7.5 - 0.05 * i * i) for i in range(13)], 0.3, dark, root)
    _line([(-3.0 - 2.0 * i, 7.5 + 0.11 * i * i) for i in range(11)], 0.3, dark, root)
    _line([(-3.0, 7.5 + 0.4 * i) for i in range(4)], 0.3, dark, root)
