"""Chargers, tags, pens, stands and batteries. The front towards -y. Millimetres."""

import math

import materials as m
from parts_plate import bend, sheet
from shapes import disc, group, lathe, loft, outline_of, place, ring, rounded_outline, rounded_profile, slab, tube


def plug_c(parent, at=(0, 0, 0), turn=(0, 0, 0), colour='#f2f2f2'):
    """A USB-C plug at the end of a cable that arrives along +y; the metal points to -y."""
    plug = group('plug', at, turn, parent)
    slab(11.2, 6.2, 17, 3.0, m.plastic(colour, 0.28), 0.8, 1.6, turn=(90, 0, 0), parent=plug)
    slab(8.3, 2.5, 7.0, 1.25, m.metal('#c4c5c9', 0.22), 0.35, 0.1, (0, -11.6, 0), (90, 0, 0), plug)
    slab(6.6, 1.1, 0.1, 0.5, m.black(0.5), 0, at=(0, -15.12, 0), turn=(90, 0, 0), parent=plug)
    disc(2.4, 5, m.rubber(colour), 0.8, (0, 10, 0), (90, 0, 0), plug, 40)
    return plug


def braid(colour):
    """The woven cover of a cable."""
    material = m.principled('braid', colour, rough=0.75, specular=0.25)
    m.bump(material, 'ShaderNodeTexChecker', 0.5, 0.15, 'Fac', 'Object', 1.2)
    return material


def coil(turns, radius, z, start, spread=2.6, steps=36):
    """Points of a cable laid in rings."""
    points = []
    for i in range(int(turns * steps)):
        a = start + 2 * math.pi * i / steps
        r = radius + spread * i / steps
        points.append((r * math.cos(a), r * math.sin(a), z))
    return points


def magsafe(p, c, view):
    """The charging disc on its cable."""
    root = group('magsafe')
    puck = group('puck', (0, 0, 0), parent=root)
    alloy = m.anodised('#d3d4d7', 0.3, 0.85)
    lathe([(0, 0), (26.4, 0), (27.6, 0.5), (27.95, 1.4), (27.95, 3.9), (27.6, 4.7), (26.9, 5.1), (26.3, 5.15)], alloy, 160, parent=puck)
    disc(26.4, 0.5, m.principled('face', '#f3f3f2', rough=0.3, coat=0.25, coat_rough=0.2), 0.2, (0, 0, 5.0), parent=puck, steps=160)
    ring(22.6, 22.2, 0.04, m.principled('line', '#dededd', rough=0.5), 0, (0, 0, 5.27), parent=puck, steps=160)
    cable = braid('#f0f0ef')
    disc(2.5, 7, m.rubber('#ededec'), 0.7, (0, 30.6, 2.7), (90, 0, 0), root, 40)
    path = [(0, 27, 2.7), (0, 36, 2.7), (-1, 46, 2.4)]
    path += [(-30 + 34 * math.cos(a), 58 + 26 * math.sin(a), 2.2) for a in [math.pi / 2 * -0.1 + 2 * math.pi * i / 26 for i in range(34)]]
    path += [(-40, 96, 2.2), (-62, 84, 2.2), (-70, 66, 2.4), (-69, 50, 3.0)]
    tube(path, 1.9, cable, parent=root)
    plug_c(root, (-67.5, 38, 3.1), (0, 0, 6))
    return root


def airtag(p, c, view):
    """A round tag: white front, polished steel back. view pose: 'both', 'rear' or 'flat'."""
    root = group('tags')
    if view.get('pose') == 'both':
        _tag(group('front', (-9.5, -6, 16.0), (74, 0, -16), root))
        _tag(group('rear', (10.5, 8, 16.0), (-78, 0, -20), root))
    elif view.get('pose') == 'flat':
        _tag(group('flat', (0, 0, 4), (0, 0, 0), root))
    else:
        _tag(group('rear', (0, 0, 16), (-76, 0, -14), root))
    return root


def _tag(tag):
    white = m.principled('white', '#f5f5f4', rough=0.16, coat=0.5, coat_rough=0.05)
    steel = m.metal('#d0d1d4', 0.09)
    r = 15.95
    front = [(r - 0.35, -0.35), (r, 0.2), (r - 0.1, 1.0), (r - 0.9, 2.2), (r - 2.6, 3.1), (r - 5.5, 3.65), (r - 9.5, 3.95), (0, 4.05)]
    lathe(front, white, 160, parent=tag)
    back = [(0, -4.0), (9.8, -3.9), (11.2, -3.75), (12.55, -3.45), (12.6, -3.3)]
    lathe(back, steel, 160, parent=tag)
    lathe([(12.75, -3.3), (13.6, -3.0), (14.9, -2.1), (15.6, -1.1), (15.75, -0.4), (15.6, -0.2)], white, 160, parent=tag)
    lathe([(12.4, -3.25), (12.9, -3.15)], m.black(), 160, parent=tag)
    for i in range(3):
        a = 2 * math.pi * i / 3 + 0.4
        disc(0.35, 0.05, m.black(), 0, (11.9 * math.cos(a), 11.9 * math.sin(a), -3.62), parent=tag, steps=20)


def pencil(p, c, view):
    """The pen, lying along x, its tip to the left; one side of the barrel is flat."""
    root = group('pencil')
    body = m.principled('barrel', '#f4f4f3', rough=0.42, specular=0.4)
    gloss = m.principled('tip', '#f4f4f3', rough=0.22)
    r, barrel = 4.45, []
    for i in range(120):
        a = 2 * math.pi * i / 120
        y, z = r * math.cos(a), r * math.sin(a)
        barrel.append((y, max(-10, min(z, 3.75))))
    length = 166 - 22
    pen = group('pen', turn=(0, 0, 0), parent=root)
    outline = outline_of(barrel)
    place(loft('barrel', outline, rounded_profile(length, 0.6, 1.4, 6), body), (length / 2 - 60, 0, 0), (90, 0, 90), pen)
    x = -60
    lathe([(4.28, 0), (4.2, 0.5), (4.05, 2.5), (3.55, 8), (2.9, 13.2), (2.7, 14.0), (2.62, 14.1)], gloss, 96, (x, 0, 0), (0, -90, 0), pen)
    lathe([(2.5, 14.0), (2.45, 14.4), (2.0, 17.6), (1.45, 20.6), (1.0, 21.6), (0.4, 22.05), (0, 22.1)], gloss, 96, (x, 0, 0), (0, -90, 0), pen)
    lathe([(2.3, 13.9), (2.3, 14.5)], m.principled('gap', '#a6a6a8', rough=0.5), 64, (x, 0, 0), (0, -90, 0), pen)
    lathe([(4.4, -0.05), (4.36, 0.35)], m.principled('gap', '#c4c4c6', rough=0.5), 64, (x, 0, 0), (0, -90, 0), pen)
    place(pen, (0, 0, 0), view.get('lie', (0, 0, 0)), root)
    return root


def belkin(p, c, view):
    """A stand for phone, watch and earphones: weighted base, chrome arms, two charging discs."""
    root = group('stand')
    coat = m.principled('base', c['body'], rough=0.45, specular=0.4)
    chrome = m.metal('#cfd0d4', 0.1)
    disc(66, 12, coat, 2.4, (0, 0, 6), parent=root, steps=160)
    ring(66.2, 64, 1.4, chrome, 0.4, (0, 0, 1.4), parent=root, steps=160)
    lathe([(0, 12.02), (27, 12.02), (28.2, 12.1)], m.principled('dish', c['soft'], rough=0.6), 120, (0, -24, 0), parent=root)
    ring(28.8, 28.0, 0.3, m.principled('line', c['line'], rough=0.5), 0.1, (0, -24, 12.1), parent=root, steps=120)
    slab(18, 10, 118, 4.9, chrome, 1, 0.2, (0, 34, 70), parent=root, steps=24)
    arm = [(-56, 34, 122), (-30, 34, 128), (0, 34, 130), (20, 34, 130), (48, 32, 130)]
    tube(arm, 5.2, chrome, parent=root)
    phone = group('phone disc', (36, 22, 132), (75, 0, 0), root)
    lathe([(0, -5.5), (24, -5.2), (27.2, -3.6), (28.6, -1), (28.8, 1.6), (28.3, 3.2), (27.4, 3.6)], chrome, 140, parent=phone)
    disc(27.5, 0.8, m.principled('face', c['soft'], rough=0.5), 0.25, (0, 0, 3.5), parent=phone, steps=140)
    ring(20.4, 19.9, 0.06, m.principled('line', c['line'], rough=0.5), 0, (0, 0, 3.93), parent=phone, steps=120)
    watch = group('watch disc', (-56, 25, 122), (82, 0, 0), root)
    lathe([(0, -5), (15, -4.8), (17.4, -3), (18, 0), (17.8, 2.2), (17, 3)], chrome, 120, parent=watch)
    lathe([(16.9, 2.95), (15.5, 2.6), (12, 2.1), (6, 1.8), (0, 1.75)][::-1], m.principled('face', c['puck'], rough=0.22, coat=0.3), 120, parent=watch)
    return root


def curve(p, c, view):
    """A stand bent from one bar of metal: a foot, two legs and two arms with pads. colour: body."""
    root = group('stand')
    paint = m.principled('paint', c['body'], rough=0.46, specular=0.45)
    thick, half = 6.5, 96
    back, high = 62, 158
    # One leg from the side: along the floor, up in a wide bow, forward under the notebook.
    floor, knee, top, tip = (-62, thick / 2), (back + 26, thick / 2), (back - 4, high), (-96, high - 26)
    path = [floor, *bend(floor, knee, top, 46, 26), *bend(knee, top, tip, 34, 26), tip]
    for side in (-1, 1):
        sheet(path, 24, thick, paint, 2.2, (side * half, 0, 0), parent=root)
        pad = group('pad', (side * half, -46, high - 26 + 17.0), (9.7, 0, 0), root)
        slab(17, 68, 1.6, 8, m.rubber('#2a2a2c' if c['body'] > '#888888' else '#0e0e10'), 0.5, at=(0, 0, 0), parent=pad)
        stop = group('stop', (side * half, -97, high - 18), (9.7, 0, 0), root)
        slab(24, 15, 6, 6, paint, 1.6, at=(0, 0, 1), turn=(90, 0, 0), parent=stop)
    slab(2 * half + 24.2, 26, thick + 0.3, 9, paint, 2.2, 2.2, (0, -66, thick / 2 + 0.1), parent=root)
    return root


def airfly(p, c, view):
    """A small white box with a headphone plug."""
    root = group('adapter')
    box = group('box', (0, 0, 0), view.get('lie', (0, 0, 0)), root)
    white = m.principled('white', '#f2f2f1', rough=0.3, specular=0.45)
    slab(26, 52, 10.6, 5, white, 1.8, 1.8, (0, 0, 5.3), parent=box, steps=24, segments=8)
    slab(15, 6.2, 0.3, 3.1, m.principled('button', '#dcdcdd', rough=0.35), 0.12, 0, (0, 6, 10.66), parent=box)
    disc(0.8, 0.1, m.light_source('#7fe0a0', 1.2), 0, (0, 15, 10.62), parent=box, steps=24)
    slab(6.0, 12, 0.4, 2.4, m.principled('slider', '#d5d5d7', rough=0.35), 0.15, 0, (13.02, -6, 5.3), (0, 90, 0), box)
    slab(8.6, 2.7, 0.1, 1.35, m.black(0.6), 0, at=(0, -26.01, 5.3), turn=(90, 0, 0), parent=box)
    steel = m.metal('#cfd0d4', 0.16)
    plug = group('jack', (0, 26, 5.3), (-90, 0, 0), box)
    lathe([(3.6, 0), (3.6, 1.2), (3.2, 1.6), (2.6, 1.7)], steel, 64, parent=plug)
    lathe([(1.75, 1.6), (1.75, 5.4)], steel, 48, parent=plug)
    for z in (5.4, 8.6, 11.6):
        lathe([(1.7, z), (1.7, z + 0.6)], m.black(0.4), 48, parent=plug)
        lathe([(1.75, z + 0.6), (1.75, z + 3.2)], steel, 48, parent=plug)
    lathe([(1.75, 14.6), (1.45, 15.0), (1.5, 15.6), (1.7, 16.2), (1.2, 17.2), (0.3, 17.8), (0, 17.85)], steel, 48, parent=plug)
    return root


def base_one(p, c, view):
    """A heavy charger: a metal block with a glass top on which the charging disc floats."""
    root = group('base')
    metal = m.anodised(c['body'], 0.36, 0.8)
    slab(98, 98, 12, 14, metal, 1.2, 0.8, (0, 0, 6.5), parent=root, steps=30)
    slab(94, 94, 1.4, 12.5, m.rubber('#121214'), 0.3, at=(0, 0, 0.5), parent=root, steps=30)
    slab(95.4, 95.4, 0.8, 12.8, m.principled('glass', '#08080a', rough=0.07, coat=0.4), 0.3, 0, (0, 0, 12.6), parent=root, steps=30)
    lathe([(28.6, 12.9), (28.6, 15.2), (28.1, 16.0), (27.2, 16.3), (26.6, 16.3)], metal, 160, parent=root)
    disc(26.8, 0.6, m.principled('face', '#141416', rough=0.5, specular=0.35), 0.2, (0, 0, 16.05), parent=root, steps=160)
    ring(22.0, 21.6, 0.05, m.principled('line', '#2d2d30', rough=0.5), 0, (0, 0, 16.37), parent=root, steps=120)
    disc(2.7, 8, m.rubber('#1a1a1c'), 0.7, (0, 52, 6.4), (90, 0, 0), root, 40)
    tube([(0, 50, 6.4), (0, 60, 6.2), (2, 72, 4.6), (16, 88, 2.8), (42, 92, 2.6), (64, 80, 2.6), (78, 60, 2.6), (80, 34, 2.8), (80, 26, 3)], 2.3, braid('#2a2a2d'), parent=root)
    plug_c(root, (80, 14, 3.2), (0, 0, 0), '#1c1c1e')
    return root


def power_bank(p, c, view):
    """A tall block with a small display on its front and three ports on its top."""
    root = group('battery')
    width, deep, high = 54.6, 49.5, 155.7
    shell = m.principled('shell', '#3a3b3e', metal=0.5, rough=0.4)
    face = m.principled('face', '#0b0b0d', rough=0.1, coat=0.6)
    loft('body', rounded_outline(width, deep, 10, 28), [(i, z + high / 2) for i, z in rounded_profile(high, 2.2, 2.2, 8)], shell, parent=root)
    slab(width - 15, high - 8, 1.0, 5, face, 0.35, 0, (0, -deep / 2 - 0.1, high / 2), (90, 0, 0), root, steps=20)
    _readout(root, (0, -deep / 2 - 0.64, high - 44))
    slab(4.2, 16, 1.6, 2.1, m.metal('#8f9095', 0.25), 0.5, 0.1, (width / 2 - 0.1, 0, high - 30), (0, 90, 0), root)
    top = group('top', (0, 0, high + 0.01), parent=root)
    slab(width - 9, deep - 9, 0.2, 7, m.principled('top', '#18181a', rough=0.35), 0.1, 0, parent=top)
    for x in (-9.5, 9.5):
        slab(9.4, 3.4, 0.1, 1.7, m.metal('#8f9095', 0.25), 0.02, 0, (x, 6, 0.1), parent=top)
        slab(8.4, 2.5, 0.12, 1.25, m.black(0.6), 0, at=(x, 6, 0.11), parent=top)
    slab(14.6, 6.8, 0.1, 0.7, m.metal('#8f9095', 0.25), 0.02, 0, (0, -7, 0.1), parent=top)
    slab(13.2, 5.4, 0.12, 0.4, m.black(0.6), 0, at=(0, -7, 0.11), parent=top)
    slab(11.6, 2, 0.14, 0.2, m.principled('tongue', '#3b6fd0', rough=0.4), 0, at=(0, -6, 0.12), parent=top)
    return root


def _readout(root, at):
    """The charge as seven-segment digits and a ring, drawn with lit bars."""
    lit = m.light_source('#eaf4ff', 1.0)
    screen = group('readout', at, (90, 0, 0), root)
    digits = {'7': 'abc', '6': 'acdefg'}
    for k, digit in enumerate('76'):
        x = -6.5 + k * 10
        spots = {'a': (0, 7, 5.4, 1.2), 'g': (0, 0, 5.4, 1.2), 'd': (0, -7, 5.4, 1.2), 'f': (-3.2, 3.5, 1.2, 5.6), 'b': (3.2, 3.5, 1.2, 5.6),
                 'e': (-3.2, -3.5, 1.2, 5.6), 'c': (3.2, -3.5, 1.2, 5.6)}
        for segment in digits[digit]:
            dx, dy, w, h = spots[segment]
            slab(w, h, 0.02, 0.55, lit, 0, at=(x + dx, dy, 0), parent=screen, steps=5)
    green = m.light_source('#4fd18b', 1.0)
    slab(24, 1.8, 0.02, 0.9, m.light_source('#26352d', 1.0), 0, at=(-1.5, -13, 0), parent=screen)
    slab(18, 1.8, 0.02, 0.9, green, 0, at=(-4.5, -13, 0.01), parent=screen)
