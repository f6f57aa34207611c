"""True wireless earphones and their case. Millimetres; the case stands upright, its front towards -y.

params: case (width, height, depth), seam (height of the lid's edge), tips (silicone ear tips),
stem (length below the head), speaker (holes beside the connector).
view pose: 'one out' (an earphone before the open case), 'lying' (the case on its back, its connector in front), 'apart'.
"""

import math

import bpy

import materials as m
from shapes import disc, grille, group, lathe, loft, mesh, place, ring, rounded_outline, slab, smooth_union

WHITE = '#f3f3f2'


def build(params, colour, view):
    root = group('earbuds root')
    pose = view.get('pose')
    if view['name'] == 'buds':
        _pair(params, root, pose)
    elif view['name'] == 'case':
        _open_case(params, root, pose)
    else:
        case = group('closed case', parent=root)
        _closed_case(params, case)
        if pose == 'lying':
            # Laid down when it is finished: its parts are cut where it stands.
            place(case, turn=(-90, 0, 0), parent=root)
    return root


def _white(rough=0.17):
    """Glossy moulded white; light that enters it comes out a little beside, which keeps it from looking like chalk."""
    return m.principled('white', WHITE, rough=rough, specular=0.5)


def _pebble(width, height, depth, material, shrink=0.0, parent=None):
    """The body of the case: all edges are round, the faces slightly domed. Upright, standing on z=0."""
    reach, rows = depth / 2 - shrink, 14
    corner = min(width, height) * 0.44
    profile = []
    for i in range(-rows, rows + 1):
        a = math.pi / 2 * i / rows
        bulge = (1 - math.cos(a) ** 0.55) * depth * 0.46
        profile.append((bulge + shrink, reach * math.sin(a)))
    outline = rounded_outline(width, height, corner, 28, 2.35)
    return loft('case', outline, profile, material, at=(0, 0, height / 2), turn=(90, 0, 0), parent=parent)


def _cut(body, width, depth, low, high, name='part'):
    """Keep what lies between two heights."""
    box = slab(width * 2, depth * 6, high - low, 1.0, None, 0, at=(0, 0, (low + high) / 2))
    return _boolean(body, box, 'INTERSECT', name)


def _boolean(body, tool, operation, name='part'):
    body.modifiers.clear()
    modifier = body.modifiers.new(operation, 'BOOLEAN')
    modifier.operation, modifier.object, modifier.solver = operation, tool, 'EXACT'
    bpy.context.view_layer.update()
    data = bpy.data.meshes.new_from_object(body.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    body.modifiers.clear()
    body.data = data
    bpy.data.objects.remove(tool)
    edge = body.modifiers.new('edge', 'BEVEL')
    edge.width, edge.segments, edge.limit_method, edge.angle_limit = 0.28, 3, 'ANGLE', math.radians(50)
    body.modifiers.new('normals', 'WEIGHTED_NORMAL')
    return body


def _closed_case(p, root):
    width, height, depth = p['case']
    body = _cut(_pebble(width, height, depth, _white(), parent=root), width, depth, -5, p['seam'] - 0.12)
    _cut(_pebble(width, height, depth, _white(), parent=root), width, depth, p['seam'] + 0.12, height + 5)
    _pebble(width, height, depth, m.plastic('#8f8f8e', 0.6), 0.5, root)
    _front_details(p, root, depth)
    if p.get('speaker'):
        _bottom(root)
    return body


def _bottom(root):
    """Connector and loudspeaker holes below."""
    end = group('bottom', turn=(180, 0, 0), parent=root)
    slab(9.3, 3.5, 0.2, 1.75, m.metal('#a9aaad', 0.25), 0.05, 0, parent=end)
    slab(8.5, 2.7, 0.24, 1.35, m.black(0.6), 0, at=(0, 0, 0.02), parent=end)
    slab(6.2, 0.7, 0.28, 0.2, m.metal('#4a4a4d', 0.4), 0, at=(0, 0, 0.03), parent=end)
    for x in (-1, 1):
        grille(4, 1, 2.0, 0.62, m.black(), (x * 11.5, 0, 0.04), parent=end, depth=0.1)


def _front_details(p, root, depth):
    height = p['case'][1]
    disc(0.55, 0.1, m.light_source('#7be08a', 0.9), 0.02, at=(0, -depth / 2 + 0.0, p['seam'] - 9.5), turn=(90, 0, 0), parent=root, steps=32)


def _open_case(p, root, pose):
    width, height, depth = p['case']
    seam = p['seam']
    _cut(_pebble(width, height, depth, _white(), parent=root), width, depth, -5, seam)
    _front_details(p, root, depth)
    inner = m.plastic('#e9e9e8', 0.32)
    slab(width - 4.2, depth - 4.2, 0.5, (depth - 4.2) / 2, inner, 0.2, at=(0, 0, seam + 0.05), parent=root)
    hinge = group('hinge', (0, depth / 2 - 2.2, seam), (-p.get('open', 78), 0, 0), root)
    lid = _pebble(width, height, depth, _white(), parent=None)
    hollow = _pebble(width, height, depth, None, 1.5, None)
    bpy.context.view_layer.update()
    lid = _cut(lid, width, depth, seam, height + 5)
    lid = _boolean(lid, hollow, 'DIFFERENCE')
    lid.parent, lid.location = hinge, (0, -depth / 2 + 2.2, height / 2 - seam)
    slab(width * 0.34, 3.0, 3.2, 1.4, m.metal('#c9c9c8', 0.3), 0.5, at=(0, depth / 2 - 1.7, seam - 0.6), turn=(0, 0, 0), parent=root)
    for side in (-1, 1):
        well = group('well', (side * width * 0.215, 0.4, seam), (0, 0, 0), root)
        slab(width * 0.36, depth * 0.62, 0.1, depth * 0.3, m.plastic('#7d7d7c', 0.6), 0, at=(0, 0, 0.28), parent=well)
        if pose == 'one out' and side > 0:
            continue
        seat = group('seat', (side * 1.5, 0, 1.6), (4, side * 8, 0 if side < 0 else 180), well)
        bud(p, seat, stem=8)
    if pose == 'one out':
        bud(p, group('out', (width * 0.34, -depth * 1.25, p['stem']), (0, 0, -128), root))


def bud(p, parent, stem=None):
    """An earphone with its stem along -z and the nozzle towards +x; the origin is where head and stem meet."""
    length = stem or p['stem']
    white = _white()
    root = group('bud', parent=parent)
    parts = [_ball((7.8, 6.9, 8.2), (4.2, 0, 0.6), white, root, (0, 22, 0)),
             _ball((5.8, 5.2, 5.5), (8.8, -1.6, 2.2), white, root, (0, -16, -10)),
             _stem(length, white, root)]
    body = smooth_union(parts, 0.34, 14)
    body.modifiers['relax'].factor = 0.5
    _vents(p, body, root)
    ring(2.75, 1.5, 0.5, m.metal('#c4c4c5', 0.2), 0.12, at=(0, 0, -length + 0.15), parent=root, steps=64)
    disc(1.6, 0.3, m.black(0.4), 0.05, at=(0, 0, -length + 0.1), parent=root, steps=48)
    if p['tips']:
        _tip(root)
    return root


def _ball(radii, at, material, parent, turn=(0, 0, 0)):
    rings, steps = 28, 48
    profile = [(math.sin(math.pi * i / rings), -math.cos(math.pi * i / rings)) for i in range(rings + 1)]
    ball = lathe(profile, material, steps, at=at, turn=turn, parent=parent)
    ball.scale = radii
    return ball


def _stem(length, material, parent):
    profile = [(0, -length), (2.5, -length), (2.95, -length + 0.5), (3.1, -length + 1.6), (3.2, -length / 2), (3.5, -2), (3.7, 1), (2.9, 3.4), (1.5, 4.8), (0, 5.4)]
    dense = []
    for (r0, z0), (r1, z1) in zip(profile, profile[1:]):
        dense += [(r0 + (r1 - r0) * t / 6, z0 + (z1 - z0) * t / 6) for t in range(6)]
    return lathe([*dense, profile[-1]], material, 48, parent=parent)


def _vents(p, body, root):
    """Dark meshes that follow the surface: one on the head, one at the nozzle, one on the stem."""
    dark = m.principled('mesh', '#0d0d0e', rough=0.45, specular=0.3)
    _decal(body, root, (4.6, -9, 3.6), (90, 0, 0), 7.2, 2.9, dark)
    _decal(body, root, (-1.2, 0, 12), (0, 0, 90), 4.4, 2.2, dark)
    _decal(body, root, (-5, 0, -2.5), (90, 90, -90), 4.6, 1.5, dark)
    if not p['tips']:
        _decal(body, root, (18, -3.2, 3.2), (90, 0, 80), 6.4, 4.4, dark)


def _decal(body, root, at, turn, width, height, material):
    """A rounded patch, dropped onto the body along its own axis."""
    n, rows = 40, 6
    outline = _dense(rounded_outline(width, height, min(width, height) / 2, n // 4), 0.35)
    count = len(outline)
    vertices, faces = [(0, 0, 0)], []
    for r in range(1, rows + 1):
        vertices += [(q[0] * r / rows, q[1] * r / rows, 0) for q, _ in outline]
    for i in range(count):
        faces.append((0, 1 + i, 1 + (i + 1) % count))
    for r in range(rows - 1):
        a, b = 1 + r * count, 1 + (r + 1) * count
        faces += [(a + i, b + i, b + (i + 1) % count, a + (i + 1) % count) for i in range(count)]
    patch = place(mesh('decal', vertices, faces, material, 180, weighted=False), at, turn, root)
    wrap = patch.modifiers.new('wrap', 'SHRINKWRAP')
    wrap.target, wrap.wrap_method, wrap.offset = body, 'PROJECT', 0.05
    wrap.use_negative_direction = wrap.use_positive_direction = wrap.use_project_z = True
    wrap.project_limit = 14
    patch.modifiers.new('thick', 'SOLIDIFY').thickness = 0.06
    return patch


def _dense(outline, step):
    """More points along the straight sides, so that the patch can bend."""
    points = [q for q, _ in outline]
    result = []
    for a, b in zip(points, points[1:] + points[:1]):
        parts = max(1, round(math.dist(a, b) / step))
        result += [((a[0] + (b[0] - a[0]) * t / parts, a[1] + (b[1] - a[1]) * t / parts), None) for t in range(parts)]
    return result


def _tip(root):
    """A soft silicone tip with a dark mesh inside."""
    axis = group('tip', (12.4, -3.0, 3.6), (0, 72, -12), root)
    soft = m.principled('silicone', '#f0f0ee', rough=0.38, specular=0.4)
    outer = [(2.9, -2.6), (4.4, -2.2), (5.6, -1.2), (6.1, 0.2), (5.9, 1.8), (5.1, 3.4), (4.0, 4.5), (3.2, 4.9), (2.7, 4.8), (2.5, 4.2), (2.5, 2.5)]
    lathe(outer, soft, 72, at=(0, 0, 1.0), parent=axis, scale_xy=(1.0, 0.86))
    disc(2.6, 0.2, m.black(0.5), 0.02, at=(0, 0, 4.2), parent=axis, steps=40)


def _pair(p, root, pose):
    """Two earphones side by side: one shows its outer side, the other its inner side; 'apart' the other way round."""
    one, two, far = (-58, 180 + 52, 15.5) if pose != 'apart' else (122, 28, 11.5)
    bud(p, group('left', (-far, 0, p['stem']), (0, 0, one), root))
    bud(p, group('right', (far, 2, p['stem']), (0, 0, two), root))
