"""Shapes that devices are built of. All lengths are millimetres, angles degrees.

A part lies in its own x and y and is thick along z, centred on its `at` point. Every edge is rounded: no camera
ever sees a knife edge on a real device.
"""

import math

import bpy
from mathutils import Vector


def group(name='group', at=(0, 0, 0), turn=(0, 0, 0), parent=None, scale=1.0):
    """An empty that carries parts: place and turn (degrees, about x, y, z) a whole assembly with it."""
    empty = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(empty)
    return place(empty, at, turn, parent, scale)


def place(part, at=(0, 0, 0), turn=(0, 0, 0), parent=None, scale=1.0):
    part.location = at
    part.rotation_euler = [math.radians(a) for a in turn]
    part.scale = (scale, scale, scale)
    part.parent = parent
    return part


def mesh(name, vertices, faces, material, smooth_angle=38.0, weighted=True):
    """A mesh object; faces meeting at less than `smooth_angle` are shaded smooth, flat faces stay flat."""
    data = bpy.data.meshes.new(name)
    data.from_pydata(vertices, [], faces)
    data.update()
    part = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(part)
    if material:
        data.materials.append(material)
    data.use_auto_smooth = True
    data.auto_smooth_angle = math.radians(smooth_angle)
    data.polygons.foreach_set('use_smooth', [True] * len(data.polygons))
    if weighted:
        modifier = part.modifiers.new('normals', 'WEIGHTED_NORMAL')
        modifier.weight = 100
    return part


def rounded_outline(width, height, radius, steps=20, exponent=2.45):
    """Points and outward normals of a rectangle whose corners run into the sides without a visible joint.

    An exponent above 2 spreads the corner as the curvature-continuous corners of real devices; full-round ends
    (radius of half the shorter side) stay true circles.
    """
    limit = min(width, height) / 2
    if radius >= limit * 0.985:
        exponent = 2.0
    reach = min(radius * (1 + 0.5 * (exponent - 2)), limit)
    points = []
    corners = ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270))
    for sx, sy, start in corners:
        cx, cy = sx * (width / 2 - reach), sy * (height / 2 - reach)
        for i in range(steps + 1):
            angle = math.radians(start + 90 * i / steps)
            c, s = math.cos(angle), math.sin(angle)
            x = math.copysign(abs(c) ** (2 / exponent), c)
            y = math.copysign(abs(s) ** (2 / exponent), s)
            points.append((cx + reach * x, cy + reach * y))
    return _with_normals(_distinct(points))


def circle_outline(radius, steps=96):
    angles = [2 * math.pi * i / steps for i in range(steps)]
    return [((radius * math.cos(a), radius * math.sin(a)), (math.cos(a), math.sin(a))) for a in angles]


def outline_of(points):
    """An outline from points of your own, counter-clockwise."""
    return _with_normals(_distinct(points))


def _distinct(points):
    kept = []
    for p in points:
        if not kept or math.dist(p, kept[-1]) > 1e-4:
            kept.append(p)
    if math.dist(kept[0], kept[-1]) < 1e-4:
        kept.pop()
    return kept


def _with_normals(points):
    result = []
    for i, p in enumerate(points):
        before, after = points[i - 1], points[(i + 1) % len(points)]
        tangent = Vector((after[0] - before[0], after[1] - before[1])).normalized()
        result.append((p, (tangent.y, -tangent.x)))
    return result


def loft(name, outline, profile, material, caps=True, parent=None, at=(0, 0, 0), turn=(0, 0, 0)):
    """A solid from an outline and a profile: a list of (inset, z) from the bottom up; inset shrinks the outline."""
    vertices, faces, n = [], [], len(outline)
    for inset, z in profile:
        vertices += [(p[0] - m[0] * inset, p[1] - m[1] * inset, z) for p, m in outline]
    for row in range(len(profile) - 1):
        a, b = row * n, (row + 1) * n
        faces += [(a + i, a + (i + 1) % n, b + (i + 1) % n, b + i) for i in range(n)]
    if caps:
        top = (len(profile) - 1) * n
        faces += [tuple(range(n - 1, -1, -1)), tuple(range(top, top + n))]
    return place(mesh(name, vertices, faces, material), at, turn, parent)


def rounded_profile(depth, low, high, segments=6):
    """A profile with a quarter-round of `low` mm at the bottom and `high` mm at the top."""
    half = depth / 2
    quarter = [math.pi / 2 * i / segments for i in range(segments + 1)]
    bottom = [(low * (1 - math.sin(a)), -half + low * (1 - math.cos(a))) for a in quarter] if low else [(0, -half)]
    top = [(high * (1 - math.cos(a)), half - high * (1 - math.sin(a))) for a in quarter] if high else [(0, half)]
    return bottom + top if depth > low + high + 1e-6 else bottom + top[1:]


def slab(width, height, depth, radius, material, bevel=0.3, bevel_low=None, at=(0, 0, 0), turn=(0, 0, 0),
         parent=None, segments=6, name='slab', steps=20, exponent=2.45):
    """A bevelled slab with rounded corners. `bevel` rounds the top (+z) edge, `bevel_low` (or the same) the bottom."""
    low = bevel if bevel_low is None else bevel_low
    outline = rounded_outline(width, height, radius, steps, exponent)
    return loft(name, outline, rounded_profile(depth, low, bevel, segments), material, True, parent, at, turn)


def disc(radius, depth, material, bevel=0.1, at=(0, 0, 0), turn=(0, 0, 0), parent=None, steps=96, name='disc'):
    """A round plate or cylinder along z."""
    profile = rounded_profile(depth, bevel, bevel, 5)
    return loft(name, circle_outline(radius, steps), profile, material, True, parent, at, turn)


def ring(radius, inner, depth, material, bevel=0.1, at=(0, 0, 0), turn=(0, 0, 0), parent=None, steps=96, name='ring'):
    """A flat ring along z with rounded edges."""
    profile = rounded_profile(depth, bevel, bevel, 5)
    width = radius - inner
    inside = [(width - i, z) for i, z in reversed(profile)]
    closed = profile + inside + [profile[0]]
    return loft(name, circle_outline(radius, steps), closed, material, False, parent, at, turn)


def frame(width, height, radius, wall, depth, material, bevel=0.2, at=(0, 0, 0), turn=(0, 0, 0), parent=None):
    """A rounded rectangular ring: gaskets, edges, bezels. `wall` is its breadth."""
    profile = rounded_profile(depth, bevel, bevel, 5)
    closed = profile + [(wall - i, z) for i, z in reversed(profile)] + [profile[0]]
    return loft('frame', rounded_outline(width, height, radius), closed, material, False, parent, at, turn)


def lathe(profile, material, steps=128, at=(0, 0, 0), turn=(0, 0, 0), parent=None, name='lathe', scale_xy=(1, 1)):
    """A solid of revolution about z; `profile` is a list of (radius, z) from the bottom up, smooth where it bends softly."""
    vertices, faces = [], []
    for radius, z in profile:
        r = max(radius, 1e-4)
        vertices += [(r * math.cos(2 * math.pi * i / steps) * scale_xy[0], r * math.sin(2 * math.pi * i / steps) * scale_xy[1], z)
                     for i in range(steps)]
    for row in range(len(profile) - 1):
        a, b = row * steps, (row + 1) * steps
        faces += [(a + i, a + (i + 1) % steps, b + (i + 1) % steps, b + i) for i in range(steps)]
    return place(mesh(name, vertices, faces, material, weighted=False), at, turn, parent)


def tube(points, radius, material, at=(0, 0, 0), turn=(0, 0, 0), parent=None, closed=False, name='tube'):
    """A round cable or bar through points (a smooth curve)."""
    curve = bpy.data.curves.new(name, 'CURVE')
    curve.dimensions = '3D'
    curve.bevel_depth = radius
    curve.bevel_resolution = 8
    curve.use_fill_caps = True
    spline = curve.splines.new('NURBS')
    spline.points.add(len(points) - 1)
    for point, p in zip(spline.points, points):
        point.co = (*p, 1)
    spline.use_endpoint_u, spline.use_cyclic_u, spline.order_u, spline.resolution_u = not closed, closed, 4, 16
    curve.materials.append(material)
    part = bpy.data.objects.new(name, curve)
    bpy.context.scene.collection.objects.link(part)
    return place(part, at, turn, parent)


def smooth_union(parts, voxel=0.25, relax=12, name='union'):
    """Melt parts into one organic body (earphones): voxel size in mm, `relax` rounds of smoothing."""
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    vertices, faces = [], []
    parent, material = parts[0].parent, parts[0].active_material
    inverse = parent.matrix_world.inverted() if parent else None
    for part in parts:
        data = part.evaluated_get(depsgraph).to_mesh()
        matrix = inverse @ part.matrix_world if inverse else part.matrix_world
        start = len(vertices)
        vertices += [matrix @ v.co for v in data.vertices]
        faces += [tuple(start + i for i in p.vertices) for p in data.polygons]
    for part in parts:
        bpy.data.objects.remove(part)
    body = mesh(name, vertices, faces, material, smooth_angle=180, weighted=False)
    remesh = body.modifiers.new('melt', 'REMESH')
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = 'VOXEL', voxel, True
    relaxing = body.modifiers.new('relax', 'SMOOTH')
    relaxing.factor, relaxing.iterations = 0.5, relax
    body.parent = parent
    return body


def grille(columns, rows, pitch, radius, material, at=(0, 0, 0), turn=(0, 0, 0), parent=None, hexagonal=True, depth=0.05):
    """A field of small round holes as one mesh (dark discs a hair above the surface)."""
    vertices, faces, sides = [], [], 14
    for row in range(rows):
        for column in range(columns):
            shift = 0.5 if hexagonal and row % 2 else 0
            x = (column - (columns - 1) / 2 + shift) * pitch
            y = (row - (rows - 1) / 2) * pitch * (0.866 if hexagonal else 1)
            start = len(vertices)
            vertices += [(x + radius * math.cos(2 * math.pi * i / sides), y + radius * math.sin(2 * math.pi * i / sides), depth / 2)
                         for i in range(sides)]
            faces.append(tuple(range(start, start + sides)))
    return place(mesh('grille', vertices, faces, material, weighted=False), at, turn, parent)
