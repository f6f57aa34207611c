"""Keyboards: rows of keys with their legends. Millimetres; the keys lie in x and y, their tops look up (+z)."""

import os

import bpy
import materials as m
from shapes import mesh, place, rounded_outline, rounded_profile, slab

FONT = os.path.join(bpy.utils.resource_path('SYSTEM'), 'datafiles', 'fonts', 'Noto Sans CJK Regular.woff2')
DIGITS = ['~`', '!1', '@2', '#3', '$4', '%5', '^6', '&7', '*8', '(9', ')0', '_-', '+=']
FUNCTION = [(1.5, 'esc')] + [(1, f'F{i}') for i in range(1, 13)] + [(1, 'touch')]
ROWS = [
    FUNCTION,
    [(1, d) for d in DIGITS] + [(1.5, 'delete>')],
    [(1.5, 'tab<')] + [(1, c) for c in 'QWERTYUIOP'] + [(1, '{['), (1, '}]'), (1, '|\\')],
    [(1.75, 'caps lock<')] + [(1, c) for c in 'ASDFGHJKL'] + [(1, ':;'), (1, '"\''), (1.75, 'return>')],
    [(2.25, 'shift<')] + [(1, c) for c in 'ZXCVBNM'] + [(1, '<,'), (1, '>.'), (1, '?/'), (2.25, 'shift>')],
    [(1, 'fn'), (1, 'control>'), (1, 'option>'), (1.25, 'command>'), (5, ''), (1.25, 'command<'), (1, 'option<'), (3, 'arrows')],
]
NAVIGATION = [
    [(1, 'F13'), (1, 'F14'), (1, 'F15')],
    [(1, 'fn'), (1, 'home'), (1, 'page up')],
    [(1, 'delete'), (1, 'end'), (1, 'page down')],
    [],
    [(1, None), (1, '▲'), (1, None)],
    [(1, '◀'), (1, '▼'), (1, '▶')],
]
PAD = [
    [(1, 'F16'), (1, 'F17'), (1, 'F18'), (1, 'touch')],
    [(1, 'clear'), (1, '='), (1, '/'), (1, '*')],
    [(1, '7'), (1, '8'), (1, '9'), (1, '-')],
    [(1, '4'), (1, '5'), (1, '6'), (1, '+')],
    [(1, '1'), (1, '2'), (1, '3'), (1, 'enter tall')],
    [(2, '0'), (1, '.'), (1, None)],
]


def keys(rows, pitch, parent, material, legend, at=(0, 0, 0), gap=2.6, radius=1.7, depth=1.3, row_heights=None, cap=None, legends=True):
    """Lay rows from the back (+y) to the front, left edge and back edge at `at`. `pitch` is (x, y) of one unit.

    `cap(width, height, x, y)` may build a key of another shape.
    """
    px, py = pitch
    lettering = []
    y = at[1]
    for index, row in enumerate(rows):
        height = py * (row_heights[index] if row_heights else 1)
        x = at[0]
        for units, text in row:
            width = units * px
            if text == 'arrows':
                _arrows(x, y, px, height, gap, radius, depth, at[2], material, parent, lettering)
            elif text is not None:
                tall = text.endswith(' tall')
                h = height + py if tall else height
                centre = (x + width / 2, y - h / 2)
                _key(width - gap, h - gap, radius, depth, centre, at[2], material, parent, cap)
                _legend(text.replace(' tall', ''), centre, width - gap, h - gap, lettering, parent, depth, at[2])
            x += width
        y -= height
    if legends:
        _letter(lettering, legend, at[2] + depth + 0.02, parent)


def _key(width, height, radius, depth, centre, z, material, parent, cap):
    if cap:
        return cap(width, height, (centre[0], centre[1], z))
    return slab(width, height, depth, radius, material, 0.32, 0, (centre[0], centre[1], z + depth / 2), parent=parent, segments=3, steps=6, name='key')


def _arrows(x, y, px, height, gap, radius, depth, z, material, parent, lettering):
    half = (height - gap) / 2 - 0.15
    low = y - height + gap / 2 + half / 2
    high = y - gap / 2 - half / 2
    for column, (text, centre_y) in enumerate((('◀', low), ('▼', low), ('▶', low), ('▲', high))):
        cx = x + px * ((1 if column == 3 else column) + 0.5)
        _key(px - gap, half, min(radius, half / 2.5), depth, (cx, centre_y), z, material, parent, None)
        lettering.append((text, 2.6, cx, centre_y, 'CENTER'))


def _legend(text, centre, width, height, lettering, parent, depth, z):
    x, y = centre
    left, right = x - width / 2 + 1.6, x + width / 2 - 1.6
    low = y - height / 2 + 2.6
    if text == 'touch':
        ring = m.principled('reader', '#2a2a2e', rough=0.25, coat=0.4)
        slab(min(width, 10.5), min(width, 10.5), 0.06, min(width, 10.5) / 2, ring, 0.02, 0, (x, y, z + depth + 0.02), parent=parent)
    elif not text:
        return
    elif text.endswith('<') and len(text) > 2:
        lettering.append((text[:-1], 2.5, left, low, 'LEFT'))
    elif text.endswith('>') and len(text) > 2:
        lettering.append((text[:-1], 2.5, right, low, 'RIGHT'))
    elif len(text) == 2 and not text.isalnum():
        lettering += [(text[0], 3.4, x, y + 2.9, 'CENTER'), (text[1], 3.7, x, y - 2.9, 'CENTER')]
    elif len(text) == 1:
        lettering.append((text, 2.6 if text in '▲▼◀▶' else 5.0, x, y, 'CENTER'))
    else:
        lettering.append((text, 2.5 if len(text) < 5 else 2.1, x, low if not text.startswith('F') else low - 0.2, 'CENTER'))


def _letter(lettering, material, z, parent):
    """All legends as one flat mesh."""
    font = bpy.data.fonts.load(FONT, check_existing=True) if os.path.exists(FONT) else None
    scale = 0.72 / _capital(font)
    vertices, faces = [], []
    for text, size, x, y, align in lettering:
        if text in '▲▼◀▶':
            _triangle(text, size, x, y, z, vertices, faces)
            continue
        curve = bpy.data.curves.new('legend', 'FONT')
        curve.body, curve.size, curve.align_x, curve.align_y = text, size * scale, align, 'CENTER'
        curve.resolution_u = 3
        if font:
            curve.font = font
        part = bpy.data.objects.new('legend', curve)
        bpy.context.scene.collection.objects.link(part)
        data = part.to_mesh()
        start = len(vertices)
        vertices += [(v.co.x + x, v.co.y + y, z) for v in data.vertices]
        faces += [tuple(start + i for i in p.vertices) for p in data.polygons]
        bpy.data.objects.remove(part)
    if vertices:
        place(mesh('legends', vertices, faces, material, weighted=False), parent=parent)


def _capital(font):
    """How tall a capital letter is at size 1: fonts differ in it."""
    curve = bpy.data.curves.new('capital', 'FONT')
    curve.body = 'H'
    if font:
        curve.font = font
    part = bpy.data.objects.new('capital', curve)
    bpy.context.scene.collection.objects.link(part)
    heights = [v.co.y for v in part.to_mesh().vertices]
    bpy.data.objects.remove(part)
    return max(heights) - min(heights)


def _triangle(text, size, x, y, z, vertices, faces):
    start, r = len(vertices), size * 0.38
    shapes = {'▲': ((-r, -r * 0.8), (r, -r * 0.8), (0, r * 0.8)), '▼': ((-r, r * 0.8), (0, -r * 0.8), (r, r * 0.8)),
              '◀': ((r * 0.8, -r), (r * 0.8, r), (-r * 0.8, 0)), '▶': ((-r * 0.8, r), (-r * 0.8, -r), (r * 0.8, 0))}
    vertices += [(x + a, y + b, z) for a, b in shapes[text]]
    faces.append((start, start + 1, start + 2))


def dished(width, height, radius, depth, dish, material, at, parent, steps=8):
    """A key cap with a round hollow for the fingertip."""
    outline = rounded_outline(width, height, radius, steps)
    n = len(outline)
    profile = rounded_profile(depth, 0.0, 0.45, 4)
    vertices = [(p[0] - q[0] * inset, p[1] - q[1] * inset, z) for inset, z in profile for p, q in outline]
    top = depth / 2
    reach = min(width, height) / 2 - 1.3
    for part, drop in ((1.0, 0.0), (0.9, 0.14), (0.7, 0.45), (0.45, 0.72), (0.2, 0.95), (0.01, 1.0)):
        for p, _ in outline:
            length = (p[0] ** 2 + p[1] ** 2) ** 0.5
            vertices.append((p[0] / length * reach * part, p[1] / length * reach * part, top - dish * drop))
    rows = len(vertices) // n
    faces = [(r * n + i, r * n + (i + 1) % n, (r + 1) * n + (i + 1) % n, (r + 1) * n + i) for r in range(rows - 1) for i in range(n)]
    return place(mesh('dished key', vertices, faces, material, 24, weighted=False), (at[0], at[1], at[2] + depth / 2), parent=parent)
