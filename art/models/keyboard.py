"""Keyboards. They lie on the floor, their front edge towards -y. Millimetres."""

import math

import materials as m
from parts_keys import DIGITS, NAVIGATION, PAD, ROWS, dished, keys
from parts_plate import plate, points_of
from shapes import disc, group, slab

TABLET_ROWS = [
    [(1.05, t) for t in ('esc', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12')] + [(0.85, 'touch')],
    *ROWS[1:],
]
MINI_ROWS = [
    [(1, t) for t in ('esc', '1', '2', '3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12', 'del')],
    [(1, d) for d in DIGITS] + [(1, '⌫')],
    [(1.5, 'tab<')] + [(1, c) for c in 'QWERTYUIOP'] + [(1, '{['), (1, '}]'), (0.5, '\\')],
    [(1.75, 'caps<')] + [(1, c) for c in 'ASDFGHJKL'] + [(1, ':;'), (1, '"\''), (1.25, 'enter>')],
    [(2.25, 'shift<')] + [(1, c) for c in 'ZXCVBNM'] + [(1, '<,'), (1, '>.'), (1, '?/'), (1.75, 'shift>')],
    [(1, 'fn'), (1, 'ctrl'), (1, 'opt'), (1.25, 'cmd'), (4.5, ''), (1.25, 'cmd'), (1, 'opt'), (3, 'arrows')],
]


def magic(p, c, view):
    """The wireless keyboard, a wedge of aluminium: full-size, or without the right blocks (params compact). colour: body, key, legend."""
    root = group('keyboard')
    wedge = group('wedge', turn=(2.6, 0, 0), parent=root)
    width, deep = 278.9 if p.get('compact') else 418.7, 114.9
    alloy = m.anodised(c['body'], 0.4, 0.6)
    slab(width, deep, 4.4, 9.5, alloy, 0.5, 1.2, (0, 0, 2.2), parent=wedge, steps=24)
    foot = m.anodised(c['body'], 0.45, 0.6)
    slab(width - 14, 18, 7, 4, foot, 0.3, 1.5, (0, deep / 2 - 11, -1.2), parent=wedge)
    cap, legend = m.principled('key', c['key'], rough=0.42, specular=0.4), m.light_source(c['legend'], c.get('shine', 1))
    left, top = -width / 2 + 5.2, deep / 2 - 4.4
    pitch = (18.95, 17.75)
    rows = [[*ROWS[0][:-1], (1, 'lock')], *ROWS[1:]]
    keys(ROWS if p.get('compact') else rows, (18.5, pitch[1]) if p.get('compact') else pitch, wedge, cap, legend, (left, top, 4.4), depth=1.9, gap=2.4)
    if p.get('compact'):
        return root
    keys(NAVIGATION, pitch, wedge, cap, legend, (left + 14.5 * 18.95 + 2.6, top, 4.4), depth=1.9, gap=2.4)
    keys(PAD, pitch, wedge, cap, legend, (left + 17.5 * 18.95 + 5.2, top, 4.4), depth=1.9, gap=2.4)
    return root


def mini(p, c, view):
    """A compact keyboard with hollowed keys and a raised bar at the back. colour: body, key, legend."""
    root = group('keyboard')
    wedge = group('wedge', turn=(4.2, 0, 0), parent=root)
    width, deep = 296, 132
    shell = m.principled('shell', c['body'], metal=0.25, rough=0.42)
    slab(width, deep, 6.4, 8, shell, 0.9, 1.6, (0, 0, 3.2), parent=wedge, steps=24)
    slab(width - 0.4, 22, 13, 6, shell, 3.0, 1.4, (0, deep / 2 - 11.2, 2.6), parent=wedge, steps=20, segments=8)
    slab(width - 26, 14, 6, 4, m.rubber('#1d1d20'), 0.3, at=(0, deep / 2 - 16, -4.5), parent=wedge)
    slab(9.0, 3.2, 0.1, 1.6, m.black(0.6), 0, at=(0, deep / 2 + 0.01, 2.6), turn=(90, 0, 180), parent=wedge)
    slab(8, 2, 0.1, 1, m.black(0.4), 0, at=(-width / 2 + 18, deep / 2 - 5, 9.12), parent=wedge)
    cap = m.principled('key', c['key'], rough=0.5, specular=0.35)

    def hollow(w, h, at):
        return dished(w, h, 3.0, 2.4, 0.75, cap, at, wedge, steps=10)

    legend = m.light_source(c['legend'], 1)
    pitch = ((width - 11) / 14, (deep - 25.5) / 5.75)
    keys(MINI_ROWS, pitch, wedge, cap, legend, (-width / 2 + 5.5, deep / 2 - 22.6, 6.4), gap=3.0, depth=2.4,
         row_heights=[0.75, 1, 1, 1, 1, 1], cap=hollow)
    return root


def tablet(p, c, view):
    """A keyboard with a hinged stand, a tablet floating on it. params: size (width, depth), tablet (w, h, t).

    colour: body, deck, key, legend, back of the tablet, wallpaper. view look: another finish than the colour's.
    """
    c = view.get('look', c)
    root = group('tablet keyboard')
    width, deep = p['size']
    shell = m.rubber(c['body'], 0.5)
    deck = m.anodised(c['deck'], 0.42, 0.55) if p.get('metal') else m.rubber(c['deck'], 0.5)
    slab(width, deep, 5.4, 10, shell, 0.5, 1.6, (0, 0, 2.7), parent=root, steps=24)
    high = 5.55 * 16.2
    from_back = 24
    y = deep / 2 - from_back - high / 2
    w = 14.5 * p['pitch']
    pw, ph = p['pad']
    py = -deep / 2 + 4 + ph / 2
    edge = points_of(width - 0.8, deep - 0.8, 9.6, steps=20)
    plate([edge, points_of(w + 2, high + 2, 3, (0, y)), points_of(pw + 0.6, ph + 0.6, 5.2, (0, py))], 1.2, deck, 0.25, (0, 0, 6.0), parent=root)
    slab(w + 4, high + 4, 0.2, 3, m.principled('well', c['well'], rough=0.5), 0, at=(0, y, 5.5), parent=root)
    cap, legend = m.principled('key', c['key'], rough=0.45, specular=0.35), m.light_source(c['legend'], 1)
    keys(TABLET_ROWS, (p['pitch'], 16.2), root, cap, legend, (-w / 2, y + high / 2, 5.6), depth=1.1, gap=2.3,
         row_heights=[0.55, 1, 1, 1, 1, 1])
    slab(pw, ph, 0.8, 5, m.principled('pad', c['pad'], rough=0.3), 0.15, at=(0, py, 6.2), parent=root)
    hinge = m.anodised(c['hinge'], 0.36, 0.7)
    disc(6.4, width - 16, hinge, 0.8, (0, deep / 2 - 8.6, 9.4), (0, 90, 0), root, 64)
    for side in (-1, 1):
        slab(8.6, 3.0, 0.1, 1.5, m.black(), 0, at=(side * (width / 2 - 7.98), deep / 2 - 8.6, 9.4), turn=(90, 0, 90 * side), parent=root)
    _stand(p, c, root, shell, deep)
    return root


def _stand(p, c, root, shell, deep):
    """The rear panel rises from the hinge; its upper part bends forward and holds the tablet."""
    w, h, t = p['tablet']
    lower = group('lower', (0, deep / 2 - 6, 12), (-24, 0, 0), root)
    rise = h * 0.40
    slab(p['size'][0] - 2, rise, 3.0, 7, shell, 0.7, 0.7, (0, 0, rise / 2), (90, 0, 0), lower)
    angle = math.radians(24)
    top = group('upper', (0, deep / 2 - 6 + rise * math.sin(angle), 12 + rise * math.cos(angle)), (-18, 0, 0), root)
    slab(p['size'][0] - 2, h + 3, 2.8, 9, shell, 0.7, 0.7, (0, -1.4, h * 0.10), (90, 0, 0), top)
    body = group('tablet', (0, -2.8, h * 0.10), parent=top)
    slab(w, h, t, 11.5, m.anodised(c['back'], 0.4, 0.7), 0.9, 0.9, (0, -t / 2, 0), (90, 0, 0), body, steps=24)
    slab(w - 1, h - 1, 0.2, 11, m.principled('bezel', '#040405', rough=0.06, specular=0.15), 0.08, 0, (0, -t - 0.05, 0), (90, 0, 0), body, steps=24)
    wall = c['wallpaper']
    picture = m.wallpaper(1100, 780, **wall)
    slab(w - 17, h - 17, 0.02, 4.5, m.screen(picture, 1.0, 0.16), 0, at=(0, -t - 0.17, 0), turn=(90, 0, 0), parent=body, steps=16)
