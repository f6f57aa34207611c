"""Over-ear headphones, standing on their cups, the wearer's face towards -y. Millimetres.

params: style ('mesh': two rails with a knitted canopy; 'band': one padded band), cup (depth, height, thickness, radius),
height, width. colour: shell, soft (cushions and canopy), band, metal.
"""

import math

import materials as m
from shapes import disc, frame, grille, group, loft, mesh, place, rounded_outline, slab, tube


def build(params, colour, view):
    root = group('headphones root')
    p, c = params, colour
    knit = _fabric(c['soft'], 1.15) if p['style'] == 'mesh' else m.principled('leather', c['soft'], rough=0.5, specular=0.4)
    shell = m.anodised(c['shell'], 0.36) if p['style'] == 'mesh' else m.principled('shell', c['shell'], rough=0.38, specular=0.45)
    for side in (-1, 1):
        _cup(p, c, side, shell, knit, root)
    (_canopy if p['style'] == 'mesh' else _band)(p, c, knit, shell, root)
    return root


def _fabric(colour, scale):
    material = m.principled('knit', colour, rough=0.85, specular=0.2, Sheen=0.4)
    m.bump(material, 'ShaderNodeTexVoronoi', strength=0.55, distance=0.35, output='Distance', scale=scale)
    return material


def _cup(p, c, side, shell, knit, root):
    """One ear cup: outward is +z of its group, up is +y."""
    depth, height, thick, radius = p['cup']
    x = p['width'] / 2 - thick
    cup = group('cup', (side * x, 0, height / 2), (90, 0, 90 * side), root)
    dome = p.get('dome', 9.0)
    outline = rounded_outline(depth, height, radius, 32, 2.3)
    profile = [(2.6, 0.0), (1.2, 0.25), (0.35, 0.9), (0.0, 2.2), (0.0, thick - dome)]
    profile += [(dome * (1 - math.cos(a)), thick - dome + dome * math.sin(a)) for a in [math.pi / 2 * i / 12 for i in range(1, 13)]]
    loft('shell', outline, profile, shell, at=(0, 0, 0), parent=cup)
    loft('gap', rounded_outline(depth - 3, height - 3, radius - 1.5, 28), [(0, -1.6), (0, 0.3)], m.black(), parent=cup)
    frame(depth - 2, height - 2, radius - 1, 17.0, 20.0, knit, 6.5, at=(0, 0, -11.4), parent=cup)
    inner = _fabric('#17181a' if p['style'] == 'mesh' else c['soft'], 0.9)
    slab(depth - 30, height - 30, 2.0, radius - 14, inner, 0.4, at=(0, 0, -7.0), parent=cup)
    if p['style'] == 'mesh':
        _crown(c, side, cup, depth, height, thick)
    else:
        _trim(p, c, cup, depth, height, thick, dome)


def _crown(c, side, cup, depth, height, thick):
    """Crown and button on the top of the right cup, sound openings on both."""
    steel = m.metal(c['metal'], 0.25)
    front = -1 if side > 0 else 1
    if side > 0:
        top = group('top', (front * 13, height / 2 - 2.6, thick * 0.46), (-90, 0, 0), cup)
        top.rotation_euler = (-math.pi / 2, -front * 0.3, 0)
        disc(5.2, 8.5, steel, 0.8, at=(0, 0, 1.2), parent=top)
        knurl = m.metal(c['shell'], 0.4)
        for i in range(44):
            a = 2 * math.pi * i / 44
            slab(0.35, 0.3, 5.2, 0.12, knurl, 0, at=(5.2 * math.cos(a), 5.2 * math.sin(a), 1.4), turn=(0, 0, math.degrees(a)), parent=top)
        noise = group('noise control', (-front * 14, height / 2 - 2.6, thick * 0.46), parent=cup)
        noise.rotation_euler = (-math.pi / 2, front * 0.38, 0)
        slab(13, 5.2, 3.0, 2.6, m.anodised(c['shell'], 0.3), 0.8, parent=noise)
    for y in (-1, 1):
        grille(11, 1, 1.9, 0.65, m.black(), at=(0, y * (height / 2 + 0.02), thick * 0.55), turn=(-90 * y, 0, 0), parent=cup, depth=0.06)


def _trim(p, c, cup, depth, height, thick, dome):
    """A raised oval plate on the cup and its thin metal edge; microphone slots at the rim."""
    plate = m.principled('plate', c['shell'], rough=0.24, specular=0.5)
    slab(depth - 2 * dome - 3, height - 2 * dome - 3, 1.0, p['cup'][3] - dome - 2, plate, 0.45, at=(0, 0, thick + 0.05), parent=cup)
    for y in (-1, 1):
        slab(9, 2.0, 0.3, 1.0, m.black(), 0, at=(0, y * (height / 2 - 0.1), thick * 0.4), turn=(90, 0, 0), parent=cup)


def _arc(p, inset=0.0, start=8.0, steps=64, base=0.0):
    """Points (x, z, share of the way) of the head arc from right to left; inset shrinks it."""
    low = p['cup'][1] + p.get('arm', 34.0)
    reach, rise = p['width'] / 2 - p.get('lean', 13.0) - inset, p['height'] - low - inset - base
    points = []
    for i in range(steps + 1):
        a = math.radians(start + (180 - 2 * start) * i / steps)
        cx, cz = math.copysign(abs(math.cos(a)) ** 0.86, math.cos(a)), math.sin(a) ** 0.9
        points.append((reach * cx, low + rise * cz, i / steps))
    return points


def _ease(t):
    t = max(0.0, min(1.0, t))
    return t * t * (3 - 2 * t)


def _canopy(p, c, knit, shell, root):
    """Steel arms, two soft-touch rails that part and meet again, the knitted canopy between them."""
    soft = m.rubber(c['band'], 0.5)
    arc = _arc(p, 3.4, 2.0)
    for y in (-1, 1):
        tube([(x, y * (2.2 + 14.5 * _ease(min(t, 1 - t) / 0.2)), z) for x, z, t in arc], 3.3, soft, parent=root)
    inner = _arc(p, 7.5, 24.0, 72)
    _sheet([(x, z, 15.2 * _ease(min(t, 1 - t) / 0.16 + 0.35), 3.2) for x, z, t in inner], 2.4, knit, root)
    steel = m.metal(c['metal'], 0.14)
    for side in (-1, 1):
        x0, z0, _ = arc[0]
        foot = p['cup'][1] - 5
        xf = p['width'] / 2 - p['cup'][2] * 0.52
        tube([(side * xf, 0, foot), (side * (xf + 0.6), 0, foot + 14), (side * (x0 + 0.8), 0, z0 - 12), (side * x0, 0, z0 + 2)], 2.7, steel, parent=root)
        disc(5.2, 15, soft, 2.6, at=(side * (x0 - 0.1), 0, z0 + 2.0), turn=(0, -2 * side, 0), parent=root)
        disc(4.4, 2.4, steel, 0.6, at=(side * xf, 0, p['cup'][1] + 0.2), parent=root)


def _sheet(rows, thickness, material, root, sag=True):
    """A strip along an arc: rows of (x, z, half width, sag). It sags towards the head in its middle."""
    across, vertices, faces = 14, [], []
    for k, (x, z, half, depth) in enumerate(rows):
        before, after = rows[max(0, k - 1)], rows[min(len(rows) - 1, k + 1)]
        tx, tz = after[0] - before[0], after[1] - before[1]
        long = math.hypot(tx, tz) or 1
        nx, nz = tz / long, -tx / long
        for j in range(across + 1):
            s = 2 * j / across - 1
            drop = -depth * (1 - s * s)
            vertices.append((x + nx * drop * (1 if nx * x + nz > 0 else -1), s * half, z + nz * drop * (1 if nx * x + nz * 50 > 0 else -1)))
    w = across + 1
    for k in range(len(rows) - 1):
        faces += [(k * w + j, k * w + j + 1, (k + 1) * w + j + 1, (k + 1) * w + j) for j in range(across)]
    part = place(mesh('sheet', vertices, faces, material, 180, weighted=False), parent=root)
    solid = part.modifiers.new('thick', 'SOLIDIFY')
    solid.thickness, solid.offset = thickness, 0
    return part


def _sweep(rows, material, root, name='band'):
    """A bar along an arc with a rounded rectangular section: rows of (x, z, half width, half thickness)."""
    section = rounded_outline(2, 2, 0.92, 8, 2.6)
    vertices, faces, n = [], [], len(section)
    for k, (x, z, half, thick) in enumerate(rows):
        before, after = rows[max(0, k - 1)], rows[min(len(rows) - 1, k + 1)]
        tx, tz = after[0] - before[0], after[1] - before[1]
        long = math.hypot(tx, tz) or 1
        nx, nz = tz / long, -tx / long
        vertices += [(x + nx * q[0] * thick, q[1] * half, z + nz * q[0] * thick) for q, _ in section]
    for k in range(len(rows) - 1):
        a, b = k * n, (k + 1) * n
        faces += [(a + i, a + (i + 1) % n, b + (i + 1) % n, b + i) for i in range(n)]
    top = (len(rows) - 1) * n
    faces += [tuple(range(n - 1, -1, -1)), tuple(range(top, top + n))]
    return place(mesh(name, vertices, faces, material, 50, weighted=False), parent=root)


def _band(p, c, knit, shell, root):
    """One band: shell outside, pad inside, sliders, and forks that hold the cups."""
    arc = _arc(p, 3.0, 0.0)
    _sweep([(x, z, 11.5 + 4.5 * _ease(min(t, 1 - t) / 0.3), 3.0) for x, z, t in arc], shell, root)
    pad = _arc(p, 8.0, 26.0)
    _sweep([(x, z, 13.5, 1.2 + 3.4 * _ease(min(t, 1 - t) / 0.1)) for x, z, t in pad], knit, root, 'pad')
    height, thick = p['cup'][1], p['cup'][2]
    trim = m.metal(c['metal'], 0.3)
    for side in (-1, 1):
        x0, z0, _ = arc[0]
        xf = p['width'] / 2 - thick * 0.55
        # Hinge, slider, and the stalk into the cup.
        slab(22, 15, 7.6, 5.0, shell, 2.2, at=(side * x0, 0, z0 - 6.0), turn=(90, 0, 90), parent=root)
        disc(2.6, 8.2, trim, 0.4, at=(side * x0, 0, z0 - 6.0), turn=(0, 90, 0), parent=root, steps=48)
        rows = [(side * (x0 + (xf - x0) * _ease(t)), z0 - 12 - (z0 - 12 - height + 8) * t, 10.0 - 2.5 * t, 2.7 + 1.8 * t)
                for t in [i / 16 for i in range(17)]]
        _sweep(rows if side < 0 else rows, shell, root, 'stalk')
