"""Small desktop computers: square bodies of aluminium. The front towards -y. Millimetres."""

import materials as m
from shapes import disc, grille, group, loft, ring, rounded_outline, rounded_profile, slab


def box(p, c, view):
    """params: size (side, height), radius, kind ('mini' or 'studio'). view pose: 'stack' sets a second one on top, its ports to the front."""
    root = group('box')
    _one(p, root)
    if view.get('pose') == 'stack':
        _one(p, group('upper', (0, 0, p['size'][1]), (0, 0, 180 + view.get('twist', 0)), root))
    return root


def _one(p, root):
    side, high = p['size']
    alloy = m.anodised('#d5d6d8', 0.4, 0.6)
    foot = 5.5 if p['kind'] == 'mini' else 6.5
    body = high - foot
    profile = [(i, z + foot + body / 2) for i, z in rounded_profile(body, 1.6, 2.2, 8)]
    loft('body', rounded_outline(side, side, p['radius'], 40), profile, alloy, parent=root)
    disc(side / 2 - 11, foot + 2, m.principled('foot', '#17171a', rough=0.5), 1.2, (0, 0, (foot + 2) / 2), parent=root, steps=128)
    if p['kind'] == 'studio':
        ring(side / 2 - 6, side / 2 - 12, 5, m.principled('vent', '#2a2a2d', rough=0.45), 0.6, (0, 0, foot - 1.2), parent=root, steps=128)
    front = group('front', (0, -side / 2, foot + body / 2), (90, 0, 0), root)
    rear = group('rear', (0, side / 2, foot + body / 2), (90, 0, 180), root)
    (_mini if p['kind'] == 'mini' else _studio)(front, rear, side, body)


def usb_c(x, y, parent):
    slab(9.2, 3.4, 0.08, 1.7, m.metal('#9a9ba0', 0.28), 0.02, 0, (x, y, 0.01), parent=parent)
    slab(8.3, 2.5, 0.1, 1.25, m.black(0.6), 0, at=(x, y, 0.02), parent=parent)
    slab(6.2, 0.7, 0.12, 0.2, m.principled('tongue', '#2d2d31', rough=0.4), 0, at=(x, y, 0.02), parent=parent)


def jack(x, y, parent):
    ring(2.6, 1.8, 0.1, m.metal('#9a9ba0', 0.28), 0.03, (x, y, 0.02), parent=parent, steps=48)
    disc(1.85, 0.08, m.black(0.7), 0, (x, y, 0.02), parent=parent, steps=48)


def lamp(x, y, parent):
    disc(0.75, 0.08, m.light_source('#f4f8ff', 1.6), 0, (x, y, 0.02), parent=parent, steps=24)


def ethernet(x, y, parent):
    slab(13.2, 11.2, 0.08, 0.9, m.metal('#8d8e93', 0.3), 0.02, 0, (x, y, 0.01), parent=parent)
    slab(12.0, 8.2, 0.1, 0.5, m.black(0.6), 0, at=(x, y + 1.0, 0.02), parent=parent)
    slab(5.6, 2.2, 0.1, 0.3, m.black(0.6), 0, at=(x, y - 3.9, 0.02), parent=parent)
    for i in range(8):
        slab(0.45, 2.6, 0.12, 0.1, m.metal('#c7a85a', 0.3), 0, at=(x + (i - 3.5) * 1.05, y + 3.4, 0.03), parent=parent)


def hdmi(x, y, parent):
    slab(16.2, 6.4, 0.08, 1.4, m.metal('#8d8e93', 0.3), 0.02, 0, (x, y, 0.01), parent=parent)
    slab(15.0, 5.2, 0.1, 1.1, m.black(0.6), 0, at=(x, y, 0.02), parent=parent)
    slab(11, 1.3, 0.12, 0.2, m.principled('tongue', '#2d2d31', rough=0.4), 0, at=(x, y + 0.3, 0.03), parent=parent)


def usb_a(x, y, parent):
    slab(14.6, 6.8, 0.08, 0.7, m.metal('#8d8e93', 0.3), 0.02, 0, (x, y, 0.01), parent=parent)
    slab(13.2, 5.4, 0.1, 0.4, m.black(0.6), 0, at=(x, y, 0.02), parent=parent)
    slab(11.6, 2.0, 0.12, 0.2, m.principled('tongue', '#dfe1e6', rough=0.4), 0, at=(x, y + 1.1, 0.03), parent=parent)


def power(x, y, parent, width=17, height=9.6):
    slab(width, height, 0.1, height / 2, m.black(0.55), 0.02, 0, (x, y, 0.02), parent=parent)
    for dx in (-width * 0.2, width * 0.2):
        disc(1.15, 0.3, m.metal('#b9babf', 0.25), 0.05, (x + dx, y, 0.05), parent=parent, steps=24)


def _mini(front, rear, side, body):
    for x in (-32, -16):
        usb_c(x, -5, front)
    jack(2, -5, front)
    lamp(33, -5, front)
    power(-29, 0, rear)
    ethernet(-11.5, 0.4, rear)
    hdmi(6, 0, rear)
    for x in (20, 28.5, 37):
        turned = group('upright', (x, 0, 0), (0, 0, 90), rear)
        usb_c(0, 0, turned)


def _studio(front, rear, side, body):
    for x in (-58, -42):
        usb_c(x, -22, front)
    slab(26, 2.8, 0.1, 0.7, m.black(0.6), 0, at=(-16, -22, 0.02), parent=front)
    lamp(60, -22, front)
    grille(37, 16, 3.6, 1.28, m.black(0.6), (0, 18, 0.012), parent=rear)
    y = -26
    for i in range(4):
        turned = group('upright', (-62 + i * 11, y, 0), (0, 0, 90), rear)
        usb_c(0, 0, turned)
    ethernet(-15.5, y, rear)
    power(6, y, rear, 20, 13)
    usb_a(29, y + 5, rear)
    usb_a(29, y - 5, rear)
    hdmi(49, y, rear)
    jack(63, y, rear)
