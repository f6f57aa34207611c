"""Plates with holes, bent sheets, straps and domes: what desks and wrists need besides the basic shapes. Millimetres."""

import math

import bpy
from mathutils import Matrix
from shapes import mesh, place, rounded_outline


def plate(outlines, depth, material, bevel=0.2, at=(0, 0, 0), turn=(0, 0, 0), parent=None, name='plate'):
    """A flat plate, thick along z round `at`. The first outline is its edge, every further one a hole in it.

    Outlines are lists of points; the edges of the holes are rounded by `bevel` as the outer edge is.
    """
    curve = bpy.data.curves.new(name, 'CURVE')
    curve.dimensions, curve.fill_mode = '2D', 'BOTH'
    curve.extrude, curve.bevel_depth, curve.bevel_resolution = depth / 2 - bevel, bevel, 3
    curve.offset = -bevel
    for points in outlines:
        spline = curve.splines.new('POLY')
        spline.points.add(len(points) - 1)
        for point, (x, y) in zip(spline.points, points):
            point.co = (x, y, 0, 1)
        spline.use_cyclic_u = True
        spline.use_smooth = False
    curve.materials.append(material)
    part = bpy.data.objects.new(name, curve)
    bpy.context.scene.collection.objects.link(part)
    data = bpy.data.meshes.new_from_object(part.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(part)
    part = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(part)
    data.use_auto_smooth, data.auto_smooth_angle = True, math.radians(40)
    data.polygons.foreach_set('use_smooth', [True] * len(data.polygons))
    part.modifiers.new('normals', 'WEIGHTED_NORMAL').weight = 100
    return place(part, at, turn, parent)


def points_of(width, height, radius, at=(0, 0), steps=12):
    """The points of a rounded rectangle for `plate`."""
    return [(p[0] + at[0], p[1] + at[1]) for p, _ in rounded_outline(width, height, radius, steps)]


def circle_points(radius, at=(0, 0), steps=64):
    return [(at[0] + radius * math.cos(2 * math.pi * i / steps), at[1] + radius * math.sin(2 * math.pi * i / steps)) for i in range(steps)]


def sheet(path, width, thickness, material, bevel=0.5, at=(0, 0, 0), turn=(0, 0, 0), parent=None, name='sheet'):
    """A sheet bent along a path of (y, z) points, `width` along x: stands and feet."""
    half, left, right = thickness / 2, [], []
    for i, (y, z) in enumerate(path):
        (ya, za), (yb, zb) = path[max(i - 1, 0)], path[min(i + 1, len(path) - 1)]
        length = math.hypot(yb - ya, zb - za)
        ny, nz = -(zb - za) / length, (yb - ya) / length
        left.append((y + ny * half, z + nz * half))
        right.append((y - ny * half, z - nz * half))
    holder = plate([right + left[::-1]], width, material, bevel, name=name)
    # The plate's x and y become y and z, its depth lies along x.
    holder.data.transform(_turned())
    return place(holder, at, turn, parent)


def _turned():
    return Matrix(((0, 0, 1, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1)))


def bend(start, corner, end, radius, steps=14):
    """Points of an arc that rounds the corner between two straight legs, for paths in a plane."""
    def toward(a, b):
        length = math.dist(a, b)
        return ((b[0] - a[0]) / length, (b[1] - a[1]) / length)

    u, v = toward(corner, start), toward(corner, end)
    angle = math.acos(max(-1, min(1, u[0] * v[0] + u[1] * v[1])))
    reach = radius / math.tan(angle / 2)
    a = (corner[0] + u[0] * reach, corner[1] + u[1] * reach)
    b = (corner[0] + v[0] * reach, corner[1] + v[1] * reach)
    middle = ((u[0] + v[0]), (u[1] + v[1]))
    length = math.hypot(*middle)
    far = radius / math.sin(angle / 2)
    centre = (corner[0] + middle[0] / length * far, corner[1] + middle[1] / length * far)
    first = math.atan2(a[1] - centre[1], a[0] - centre[0])
    last = math.atan2(b[1] - centre[1], b[0] - centre[0])
    sweep = (last - first + math.pi) % (2 * math.pi) - math.pi
    return [(centre[0] + radius * math.cos(first + sweep * i / steps), centre[1] + radius * math.sin(first + sweep * i / steps))
            for i in range(steps + 1)]


def strap(path, sections, material, parent=None, closed=False, name='strap', power=3.2, steps=40):
    """A band swept along (y, z) points; sections are (width along x, thickness) for each point, edges fully rounded."""
    vertices, faces = [], []
    count = len(path)
    for i, (y, z) in enumerate(path):
        before = path[i - 1] if closed or i else path[0]
        after = path[(i + 1) % count] if closed or i < count - 1 else path[-1]
        length = math.dist(before, after) or 1
        ny, nz = -(after[1] - before[1]) / length, (after[0] - before[0]) / length
        width, thick = sections[i]
        for k in range(steps):
            angle = 2 * math.pi * k / steps
            c, s = math.cos(angle), math.sin(angle)
            # Wide and flat, with round edges: a superellipse whose ends are circles of half the thickness.
            x = math.copysign(abs(c) ** (2 / power), c) * thick / 2 + math.copysign(max(0, width / 2 - thick / 2), c) * min(1, abs(c) * 6)
            h = math.copysign(abs(s) ** (2 / 2.4), s) * thick / 2
            vertices.append((x, y + ny * h, z + nz * h))
    rows = count if closed else count - 1
    for i in range(rows):
        a, b = i * steps, (i + 1) % count * steps
        faces += [(a + k, a + (k + 1) % steps, b + (k + 1) % steps, b + k) for k in range(steps)]
    if not closed:
        faces += [tuple(range(steps - 1, -1, -1)), tuple(range((count - 1) * steps, count * steps))]
    return place(mesh(name, vertices, faces, material, 60, weighted=False), parent=parent)


def dome(outline, height, material, rings=36, low=0.0, parent=None, at=(0, 0, 0), turn=(0, 0, 0), smooth=180, name='dome'):
    """A surface over an outline. `height(x, y, t)` gives z; t runs from 0 in the middle to 1 at the edge."""
    points = [p for p, _ in outline]
    n, vertices, faces = len(points), [], []
    for r in range(rings + 1):
        t = 1 - (r / rings) ** 1.8 if r < rings else 0.0
        t = max(t, 0.0)
        vertices += [(x * t, y * t, height(x * t, y * t, t)) for x, y in points]
    for r in range(rings):
        a, b = r * n, (r + 1) * n
        faces += [(a + i, a + (i + 1) % n, b + (i + 1) % n, b + i) for i in range(n)]
    if low is not None:
        start = len(vertices)
        vertices += [(x, y, low) for x, y in points]
        faces += [(start + i, start + (i + 1) % n, (i + 1) % n, i) for i in range(n)]
        faces.append(tuple(range(start + n - 1, start - 1, -1)))
    return place(mesh(name, vertices, faces, material, smooth, weighted=False), at, turn, parent)
