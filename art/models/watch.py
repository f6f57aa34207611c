"""Wrist watches. The face towards -y, the band closes behind. Millimetres.

params: size (width, height, depth) of the case, radius, kind ('round' edges, or 'ultra'), polish, face (see faces).
colour: case, band, face (palette of the dial).
"""

import math

import materials as m
from parts_dial import dial
from parts_plate import strap
from shapes import disc, frame, group, lathe, loft, place, ring, rounded_outline, slab


def build(p, c, view):
    root = group('watch')
    alloy = m.metal(c['case'], p['polish']) if p['polish'] < 0.25 else m.anodised(c['case'], p['polish'], 0.7)
    case = group('case', parent=root)
    (_ultra_case if p['kind'] == 'ultra' else _round_case)(p, c, case, alloy)
    _back(p, c, case)
    _band(p, c, root)
    return root


def _round_case(p, c, case, alloy):
    """A pillow: sides that bulge, glass that flows over the edge."""
    width, tall, deep = p['size']
    outline = rounded_outline(width, tall, p['radius'], 36, 2.5)
    steps, profile = 14, []
    for i in range(steps + 1):
        a = -math.pi / 2 + math.pi * i / steps
        side = 1 - math.cos(a) ** 0.75 if abs(a) < math.pi / 2 else 1
        profile.append((2.6 * side, deep / 2 * math.sin(a) * 0.8 - 0.4))
    place(loft('shell', outline, profile, alloy), turn=(90, 0, 0), parent=case)
    glass = m.principled('glass', '#030304', rough=0.04, coat=0.7)
    top = deep * 0.4 - 0.4
    dome = [(1.35, top - 1.0), (1.5, top - 0.3), (1.9, top + 0.35), (2.6, top + 0.85), (3.6, top + 1.15), (5.2, top + 1.3)]
    place(loft('glass', outline, dome, glass), turn=(90, 0, 0), parent=case)
    _display(p, c, case, width - 8.4, tall - 8.4, p['radius'] - 4.0, top + 1.33)
    _crown(p, c, case, alloy, width / 2 - 0.4, tall * 0.16)
    slab(11.5, 2.7, 1.2, 1.35, alloy, 0.4, at=(width / 2 - 0.35, 0.6, -tall * 0.2), turn=(90, 90, 90), parent=case)


def _display(p, c, case, width, tall, radius, y):
    face = dial(p['face'], c['face'], round(width * 16), round(tall * 16))
    slab(width, tall, 0.02, radius, m.screen(face, 1.0, 0.12), 0, at=(0, -y, 0), turn=(90, 0, 0), parent=case, steps=24)


def _crown(p, c, case, alloy, x, z, radius=3.6, length=3.2, accent=None):
    """The knurled crown on the right flank."""
    crown = group('crown', (x, 0.4, z), (0, 90, 0), case)
    teeth, outline = 64, []
    for i in range(teeth * 4):
        a = 2 * math.pi * i / (teeth * 4)
        r = radius - (0.13 if i % 4 in (0, 1) else 0)
        outline.append(((r * math.cos(a), r * math.sin(a)), (math.cos(a), math.sin(a))))
    loft('knurl', outline, [(0.3, 0), (0, 0.4), (0, length - 0.5), (0.35, length - 0.1), (0.9, length)], alloy, parent=crown)
    if accent:
        ring(radius - 0.5, radius - 1.3, 0.2, m.principled('accent', accent, rough=0.35), 0.05, (0, 0, length), parent=crown, steps=64)
    disc(radius - 1.5, 0.3, m.principled('cap', '#1a1a1c', rough=0.15, coat=0.6) if not accent else alloy, 0.1, (0, 0, length), parent=crown, steps=48)


def _ultra_case(p, c, case, alloy):
    """A flat crystal inside a raised rim, a guard round the crown, an orange button."""
    width, tall, deep = p['size']
    outline = rounded_outline(width, tall, p['radius'], 36, 2.5)
    profile = [(3.2, -deep / 2 + 1), (1.4, -deep / 2 + 1.6), (0.3, -deep / 2 + 3.4), (0, -deep / 2 + 5.2), (0, deep / 2 - 4.2),
               (0.35, deep / 2 - 2.4), (1.1, deep / 2 - 1.1), (1.7, deep / 2 - 0.75), (2.1, deep / 2 - 0.7)]
    place(loft('shell', outline, profile, alloy), turn=(90, 0, 0), parent=case)
    front = deep / 2
    frame(width - 3.6, tall - 3.6, p['radius'] - 1.8, 1.5, 1.4, m.metal(c['case'], 0.22), 0.4, (0, -front + 0.6, 0), (90, 0, 0), case)
    glass = m.principled('glass', '#030304', rough=0.03, coat=0.7)
    slab(width - 6.0, tall - 6.0, 1.2, p['radius'] - 3.0, glass, 0.35, 0.1, (0, -front + 0.6, 0), (90, 0, 0), case, steps=28)
    _display(p, c, case, width - 10.4, tall - 10.4, p['radius'] - 5.0, front + 0.03)
    guard = rounded_outline(tall * 0.56, deep * 0.62, deep * 0.28, 24)
    place(loft('guard', guard, [(0, -2.2), (0, 0.6), (0.25, 1.3), (0.9, 1.9), (1.8, 2.2)], alloy), (width / 2 - 0.2, 0.6, 2.4), (0, 90, 0), case)
    _crown(p, c, case, alloy, width / 2 + 0.9, tall * 0.17, 4.3, 2.8, '#e8622a')
    slab(12, 3.4, 1.0, 1.7, alloy, 0.4, at=(width / 2 + 2.0, 0.6, -tall * 0.11), turn=(90, 90, 90), parent=case)
    slab(15, 4.2, 1.6, 1.8, m.principled('button', '#e8622a', metal=0.3, rough=0.35), 0.5, at=(-width / 2 - 0.2, 0.4, 0), turn=(90, -90, -90), parent=case)


def _back(p, c, case):
    """The sensors under the crystal of the back."""
    y = p['size'][2] / 2 - 0.9
    behind = group('behind', (0, y, 0), (90, 0, 180), case)
    ceramic = m.principled('back', '#3a3b40', rough=0.12, coat=0.6)
    lathe([(15.2, -1), (15.2, 0.0), (14.2, 0.7), (11, 1.45), (7, 1.9), (3, 2.1), (0, 2.15)], ceramic, parent=behind)
    ring(15.9, 14.9, 0.9, m.metal('#8d8e92', 0.25), 0.2, parent=behind)
    dark = m.principled('sensor', '#050507', rough=0.08, coat=0.8)
    for i in range(8):
        a = math.pi / 4 * i
        slab(4.4, 3.6, 0.1, 0.9, dark, 0.02, 0, (8.2 * math.cos(a), 8.2 * math.sin(a), 1.86), (0, 12, 45 * i), behind)
    for i in range(4):
        a = math.pi / 2 * i + math.pi / 4
        disc(1.4, 0.1, m.principled('lamp', '#16351f', rough=0.1, coat=0.8), 0.02, (3.2 * math.cos(a), 3.2 * math.sin(a), 2.1), parent=behind, steps=32)


def _loop(p, samples=170):
    """The closed band from the side: from the top of the case, round the wrist, to its bottom. Points (y, z)."""
    tall = p['size'][1]
    ry, rz = 29.0, tall / 2 + 9.5
    centre = ry * math.cos(math.radians(40)) + 2.0
    start = math.radians(140)
    points = []
    for i in range(samples + 1):
        a = start - (2 * start) * i / samples
        points.append((centre + ry * math.cos(a), rz * math.sin(a)))
    lead = (0.2, tall / 2 - 3.4)
    return [lead, ((lead[0] + points[0][0]) / 2, (lead[1] + points[0][1]) / 2), *points,
            ((lead[0] + points[-1][0]) / 2, -(lead[1] + points[0][1]) / 2), (lead[0], -lead[1])]


def _band(p, c, root):
    width = p['size'][0]
    rubber = m.principled('band', c['band'], rough=0.5, specular=0.4)
    broad, narrow, thick = p.get('lug', width * 0.66), p.get('strap', width * 0.55), p.get('thick', 2.5)
    path = _loop(p)
    sections = []
    for i in range(len(path)):
        t = i / (len(path) - 1)
        near = min(1, min(t, 1 - t) / 0.13)
        w = broad + (narrow - broad) * near * near * (3 - 2 * near)
        ridge = 0.0
        if p['kind'] == 'ultra':
            ridge = 0.9 * max(0, math.sin(i * 0.9)) ** 0.6 if 0.07 < t < 0.93 else 0
        sections.append((w, thick + ridge))
    strap(path, sections, rubber, root)
    _fastening(p, c, root, path, narrow, thick, rubber)


def _fastening(p, c, root, path, narrow, thick, rubber):
    """The pin of the band and the holes above and below it, behind the wrist."""
    middle = len(path) // 2
    steel = m.metal('#c9cacd', 0.22)
    # The waves of the other band leave no room for holes.
    for offset in (0, 9, 18, 27, 36, -9) if p['kind'] != 'ultra' else (0,):
        i = middle + offset
        (ya, za), (yb, zb) = path[i - 1], path[i + 1]
        y, z = path[i]
        normal = (-(zb - za), yb - ya)
        length = math.hypot(*normal)
        out = -1 if normal[0] < 0 else 1
        at = (0, y + out * normal[0] / length * (thick / 2 + 0.02), z + out * normal[1] / length * (thick / 2 + 0.02))
        tilt = math.degrees(math.atan2(-out * normal[1], -out * normal[0]))
        spot = group('hole', at, (tilt, 0, 0), root)
        if offset == 0:
            disc(3.0, 1.0, steel, 0.3, turn=(90, 0, 0), parent=group('pin', parent=spot), steps=48)
        else:
            slab(2.4, 4.2, 0.1, 1.2, m.black(0.8), 0, turn=(90, 0, 0), parent=spot)
