"""Notebooks. The body lies on the floor, its front edge towards -y; the lid turns about its rear edge. Millimetres.

params: size (width, depth, height closed), radius, lid (thickness), kind ('air' or 'pro'), bezel, keys (width of the
keyboard's rows). colour: body, wallpaper. view: angle of the lid (0 closed), and pose 'card': beside a plate of the size of
a bank card.
"""

import materials as m
from models import extras
from parts_keys import ROWS, keys
from parts_plate import plate, points_of
from shapes import disc, grille, group, loft, place, ring, rounded_outline, rounded_profile, slab

PLATE = 1.4
FEET = 0.7


def build(p, c, view):
    root = group('laptop')
    top = p['size'][2] - p['lid'] - 0.35
    alloy = m.anodised(c['body'], 0.42, 0.6)
    _base(p, root, alloy, top)
    _deck(p, c, root, alloy, top)
    _ports(p, root, top)
    angle = view.get('angle', 105)
    _lid(p, c, root, alloy, top, angle)
    if view.get('pose') == 'card':
        long, across, thick = extras.CARD
        extras.card(root, ((p['size'][0] + across) / 2 + 16, (long - p['size'][1]) / 2 + 4, thick / 2), (0, 0, 90))
    return root


def _base(p, root, alloy, top):
    width, depth, _ = p['size']
    low = 3.2 if p['kind'] == 'air' else 4.2
    profile = [(i, z + (top - PLATE + FEET) / 2) for i, z in rounded_profile(top - PLATE - FEET, low, 0, 8)]
    loft('base', rounded_outline(width, depth, p['radius'], 24), profile, alloy, parent=root)
    for sx in (-1, 1):
        for sy in (-1, 1):
            disc(8, FEET + 0.4, m.rubber('#141416'), 0.3, (sx * (width / 2 - 26), sy * (depth / 2 - 22), FEET / 2 + 0.1), parent=root, steps=32)


def _well(p):
    """The keyboard's recess: (width, height, y of its middle)."""
    high = 6 * 18.55 + 1.6
    return 14.5 * 19.0 + 1.8, high, p['size'][1] / 2 - p['keys_from'] - high / 2


def _pad(p):
    w, h = p['pad']
    return w, h, -p['size'][1] / 2 + 3.4 + h / 2


def _deck(p, c, root, alloy, top):
    """The top plate with the holes for keyboard and trackpad, and what lies in them."""
    width, depth, _ = p['size']
    w, h, y = _well(p)
    pw, ph, py = _pad(p)
    edge = _scooped(points_of(width, depth, p['radius'], steps=24), depth)
    holes = [points_of(w, h, 3.0, (0, y)), points_of(pw + 0.5, ph + 0.5, 6.2, (0, py))]
    plate([edge, *holes], PLATE, alloy, 0.28, (0, 0, top - PLATE / 2), parent=root)
    # An Air shows its own metal between the keys, a Pro a black ground.
    well = m.principled('well', '#060607', rough=0.6, specular=0.2) if p['kind'] == 'pro' else m.anodised(c['body'], 0.5, 0.5)
    slab(w + 2, h + 2, 0.3, 3, well, 0, at=(0, y, top - PLATE + 0.1), parent=root)
    legend = m.light_source('#e8e8ec', 0.8)
    cap = m.principled('key', '#131316' if p['kind'] == 'pro' else '#0d0d0f', rough=0.45, specular=0.24)
    keys(ROWS, (19.0, 18.55), root, cap, legend, (-w / 2 + 0.9, y + h / 2 - 0.8, top - PLATE + 0.25), depth=1.05)
    slab(pw, ph, 0.8, 6, m.anodised(c['body'], 0.36, 0.6), 0.12, at=(0, py, top - 0.45), parent=root)
    slab(pw + 2, ph + 2, 0.1, 6, m.black(), 0, at=(0, py, top - PLATE + 0.05), parent=root)
    if p['kind'] == 'pro':
        band = (width - w) / 2 - 5.5
        for side in (-1, 1):
            columns = int(band / 1.15)
            grille(columns, 104, 1.15, 0.33, m.black(), (side * (w / 2 + 2.6 + band / 2), y + 1, top + 0.012), parent=root)
    bar = m.black(0.4)
    slab(width - 46, 7.5, 4.5, 2, bar, 0.8, at=(0, depth / 2 - 4.2, top - 0.6), parent=root)


def _scooped(points, depth):
    """The hollow at the front edge in which a finger lifts the lid."""
    kept = [q for q in points if not (q[1] < -depth / 2 + 0.5 and abs(q[0]) < 40)]
    start = next(i for i, q in enumerate(kept) if q[1] < -depth / 2 + 0.01 and q[0] > 0)
    scoop = []
    for i in range(25):
        x = -34 + 68 * i / 24
        fade = min(1, (34 - abs(x)) / 7)
        scoop.append((x, -depth / 2 + 1.5 * fade * fade * (3 - 2 * fade)))
    return kept[:start] + scoop + kept[start:]


def _slot(width, height, at, turn, root, tongue=True):
    """A port: a thin bright edge, the dark inside, and its tongue."""
    rim = m.metal('#8e8f94', 0.3)
    slab(width + 0.5, height + 0.5, 0.06, (height + 0.5) / 2, rim, 0.02, 0, at, turn, root)
    slab(width, height, 0.1, height / 2, m.black(0.6), 0, at=at, turn=turn, parent=root)
    if tongue:
        slab(width - 2.2, height * 0.26, 0.14, 0.2, m.principled('tongue', '#2c2c30', rough=0.4), 0, at=at, turn=turn, parent=root)


def _ports(p, root, top):
    width, depth, _ = p['size']
    middle = (top + FEET) / 2 + (0.2 if p['kind'] == 'air' else 0.6)
    lx, rx, back = -width / 2 - 0.01, width / 2 + 0.01, depth / 2
    turn_left, turn_right = (90, 0, -90), (90, 0, 90)
    _magsafe((lx, back - 22, middle), turn_left, root)
    for y in (back - 40, back - 54):
        _slot(8.5, 2.7, (lx, y, middle), turn_left, root)
    if p['kind'] == 'pro':
        _jack((lx, back - 68, middle), turn_left, root)
        slab(15, 5.2, 0.1, 1.2, m.black(0.6), 0, at=(rx, back - 28, middle), turn=turn_right, parent=root)
        _slot(8.5, 2.7, (rx, back - 47, middle), turn_right, root)
        slab(25, 2.5, 0.1, 0.6, m.black(0.6), 0, at=(rx, back - 72, middle), turn=turn_right, parent=root)
    else:
        _jack((rx, back - 24, middle), turn_right, root)


def _magsafe(at, turn, root):
    slab(17, 3.6, 0.06, 1.8, m.metal('#9b9ca1', 0.3), 0.02, 0, at, turn, root)
    slab(16.2, 2.9, 0.1, 1.4, m.black(0.5), 0, at=at, turn=turn, parent=root)
    contacts = group('contacts', at, turn, root)
    for i in range(5):
        disc(0.55, 0.2, m.metal('#c9b27a', 0.3), 0.03, ((i - 2) * 2.1, 0, 0), parent=contacts, steps=24)


def _jack(at, turn, root):
    hole = group('jack', at, turn, root)
    ring(2.2, 1.75, 0.08, m.metal('#8e8f94', 0.3), 0.02, parent=hole, steps=48)
    disc(1.8, 0.06, m.black(0.7), 0, parent=hole, steps=48)


def _lid(p, c, root, alloy, top, angle):
    """The lid stands on its rear edge with the display towards -y, then is turned about that edge."""
    width, depth, _ = p['size']
    open_lid = angle > 15
    pivot = (0, depth / 2 - 6.2, top - 2.2) if open_lid else (0, depth / 2, top + 0.3)
    lid = group('lid', pivot, (90 - angle, 0, 0), root)
    t, tall = p['lid'], depth - (4.5 if open_lid else 0)
    outline = rounded_outline(width, tall, p['radius'], 24)
    back = 1.5 if p['kind'] == 'air' else 1.9
    place(loft('shell', outline, rounded_profile(t, 0.45, back, 8), alloy), (0, t / 2, tall / 2), (-90, 0, 0), lid)
    if not open_lid:
        return
    glass = m.principled('bezel', '#040405', rough=0.06, specular=0.12)
    slab(width - 1.6, tall - 1.6, 0.3, p['radius'] - 0.8, glass, 0.12, 0, (0, -0.12, tall / 2), (90, 0, 0), lid, steps=24)
    sides, above, below = p['bezel']
    w, h = width - 2 * sides, tall - above - below
    wall = c['wallpaper']
    picture = m.wallpaper(1280, round(1280 * h / w), **wall)
    slab(w, h, 0.02, 5.5, m.screen(picture, 1.0, 0.16), 0, at=(0, -0.29, below + h / 2), turn=(90, 0, 0), parent=lid, steps=16)
    notch = 34 if p['kind'] == 'air' else 37
    slab(notch, 8.4, 0.02, 2.6, glass, 0, at=(0, -0.31, tall - above - 2.2), turn=(90, 0, 0), parent=lid)
    disc(1.5, 0.03, m.gloss('#0b1020', 0.04), 0, (0, -0.32, tall - above - 3.0), (90, 0, 0), lid, 32)
