"""A gold coin, a padlock and a parcel, for the shop's own pictures. The front towards -y. Millimetres."""

import math

import materials as m
from parts_plate import plate
from shapes import disc, group, lathe, loft, ring, slab, tube


def coin(parent, radius=40.0, at=(0, 0, 0), turn=(0, 0, 0)):
    """Stands on its edge: `at` is the middle of the coin."""
    holder = group('coin', at, turn, parent)
    piece = group('piece', turn=(90, 0, 0), parent=holder, scale=radius / 40.0)
    gold = m.principled('gold', '#ffc24d', metal=0.8, rough=0.2, coat=0.25)
    field = m.principled('field', '#e8a035', metal=0.7, rough=0.36)
    _edge(piece, gold)
    for side in (0, 180):
        face = group('face', turn=(0, side, 0), parent=piece)
        disc(34.6, 0.6, field, 0, (0, 0, 2.2), parent=face, steps=160)
        lathe([(40, 2.6), (39.4, 3.35), (38.6, 3.6), (36.2, 3.6), (35.3, 3.3), (34.5, 2.5)], gold, 200, parent=face)
        for i in range(84):
            a = 2 * math.pi * i / 84
            lathe([(0.72, 0), (0.62, 0.36), (0.36, 0.6), (0, 0.7)], gold, 12, (32.2 * math.cos(a), 32.2 * math.sin(a), 2.45), parent=face)
        ring(29.4, 28.6, 0.7, gold, 0.25, (0, 0, 2.65), parent=face, steps=160)
        _letter(group('letter', (0, 0, 2.4), (0, 0, -13), face), gold)
    return holder


def _edge(piece, gold):
    """The reeded rim."""
    teeth, outline = 150, []
    for i in range(teeth * 4):
        a = 2 * math.pi * i / (teeth * 4)
        r = 40 - (0.35 if i % 4 in (0, 1) else 0)
        outline.append(((r * math.cos(a), r * math.sin(a)), (math.cos(a), math.sin(a))))
    loft('rim', outline, [(0.8, -2.9), (0, -2.3), (0, 2.3), (0.8, 2.9)], gold, parent=piece)


def _bowl(left, right, low, high, steps=24):
    """A D: straight at the left, round at the right."""
    radius = (high - low) / 2
    middle = (high + low) / 2
    straight = right - radius
    arc = [(straight + radius * math.cos(a), middle + radius * math.sin(a)) for a in [-math.pi / 2 + math.pi * i / steps for i in range(steps + 1)]]
    return [(left, low), *arc, (left, high)]


def _letter(face, gold):
    """A raised B with two strokes above and below."""
    lower = _bowl(-11, 15.2, -18.5, 1.6)
    upper = _bowl(-11, 13.2, -1.6, 18.5)
    edge = _outline(lower, upper)
    holes = [_bowl(-5.6, 8.6, -13.0, -2.9), _bowl(-5.6, 6.9, 2.9, 13.0)]
    plate([edge, *holes], 2.6, gold, 0.55, (0, 0, 0.9), parent=face)
    for x in (-4.2, 3.6):
        for y in (21.0, -21.0):
            slab(4.0, 7.4, 2.6, 0.9, gold, 0.55, 0, (x, y, 0.9), parent=face)


def _outline(lower, upper):
    """The outer edge of the B: both bowls, joined where they meet, and the serifs at the left."""
    first = [q for q in lower[1:-1] if q[1] <= 0.4]
    second = [q for q in upper[1:-1] if q[1] >= 0.4]
    return [(-16.5, -18.5), *first, *second, (-16.5, 18.5), (-16.5, 13.6), (-11.2, 13.6), (-11.2, -13.6), (-16.5, -13.6)]


def padlock(parent, at=(0, 0, 0), turn=(0, 0, 0), scale=1.0):
    """A lock of brushed steel with a dark body. `at` is the middle of its floor."""
    lock = group('lock', at, turn, parent, scale)
    body = m.principled('body', '#2d6ae0', metal=0.75, rough=0.3)
    steel = m.metal('#d5d6da', 0.14)
    slab(52, 44, 20, 10, body, 3.2, 3.2, (0, 0, 22), (90, 0, 0), lock, steps=28, segments=8)
    points = [(-16, 0, 38), (-16, 0, 50)] + [(16 * math.cos(a), 0, 52 + 17 * math.sin(a)) for a in [math.pi * (1 - i / 12) for i in range(13)]] + [(16, 0, 50), (16, 0, 38)]
    tube(points, 4.2, steel, parent=lock)
    hole = group('hole', (0, -10.02, 23), (90, 0, 0), lock)
    ring(6.6, 4.9, 0.6, steel, 0.2, (0, 2.0, 0.1), parent=hole, steps=64)
    disc(4.9, 0.1, m.black(0.5), 0, (0, 2.0, 0), parent=hole, steps=64)
    slab(3.4, 10, 0.3, 1.6, m.black(0.5), 0, at=(0, -3.4, 0.08), parent=hole)
    return lock


def parcel(parent, size=(210, 170, 120), at=(0, 0, 0), turn=(0, 0, 0)):
    """An open box of cardboard: four walls, four flaps, a strip of tape. `at` is the middle of its floor."""
    box = group('box', at, turn, parent)
    w, d, h = size
    card, inner = m.principled('card', '#c2925c', rough=0.8, specular=0.2), m.principled('inner', '#ad7f4c', rough=0.85, specular=0.15)
    t = 3.0
    for side in (-1, 1):
        slab(w, h, t, 0.8, card, 0.5, 0.5, (0, side * (d / 2 - t / 2), h / 2), (90, 0, 0), box)
        slab(d - 2 * t, h, t, 0.8, card, 0.5, 0.5, (side * (w / 2 - t / 2), 0, h / 2), (90, 0, 90), box)
    slab(w - 2 * t, d - 2 * t, 1, 0.5, inner, 0, at=(0, 0, 2), parent=box)
    flap = d * 0.44
    for side, angle in ((-1, 128), (1, 118)):
        hinge = group('flap', (0, side * (d / 2 - t / 2), h), (-side * (angle - 90), 0, 0), box)
        slab(w - 2, flap, t, 2, card, 0.8, 0.8, (0, 0, flap / 2), (90, 0, 0), hinge)
    for side in (-1, 1):
        hinge = group('flap', (side * (w / 2 - t / 2), 0, h), (0, side * 34, 0), box)
        slab(d - 8, flap, t, 2, card, 0.8, 0.8, (0, 0, flap / 2), (90, 0, 90), hinge)
    tape = m.principled('tape', '#e8a33a', rough=0.35, specular=0.4)
    slab(34, h * 0.5, 0.3, 0.5, tape, 0, at=(0, -d / 2 - 0.16, h * 0.75), turn=(90, 0, 0), parent=box)
    label = group('label', (w * 0.29, -d / 2 - 0.2, h * 0.36), (90, 0, 0), box)
    slab(58, 40, 0.3, 2, m.principled('label', '#f7f7f5', rough=0.5), 0, parent=label)
    ink = m.principled('ink', '#2a2a2c', rough=0.6)
    for i, part in enumerate((30, 38, 22)):
        slab(part, 2.2, 0.1, 0.8, ink, 0, at=(-24 + part / 2, 13 - i * 5, 0.2), parent=label)
    x = -24.0
    for k in range(24):
        bar = (0.6, 1.2, 0.6, 1.8)[k * 7 % 4]
        slab(bar, 11, 0.1, 0.05, ink, 0, at=(x + bar / 2, -11, 0.2), parent=label)
        x += bar + (0.7, 1.1, 0.9)[k * 5 % 3]
    return box
