"""Smart speakers: a round body in knitted mesh with a glass touch surface on top. Millimetres.

params: profile ('ball' or 'drum'), diameter, height, mesh (columns, rows of the knit). colour: mesh, top, glow.
"""

import math

import numpy as np

import materials as m
from shapes import disc, group, lathe


def build(params, colour, view):
    root = group('speaker root')
    d, h = params['diameter'], params['height']
    outline = _ball(d, h) if params['profile'] == 'ball' else _drum(d, h)
    body = lathe(outline, _knit(colour['mesh'], *params['mesh']), 160, parent=root)
    _unroll(body, outline, 160)
    top = params['top']
    lathe([(top + 2.0, h - 1.1), (top + 1.6, h - 0.3), (top + 0.9, h - 0.05), (top, h - 0.2)], m.plastic(colour['top'], 0.4), parent=root)
    disc(top, 0.8, m.gloss(colour['top'], 0.08), 0.3, at=(0, 0, h - 0.45), parent=root)
    disc(d * 0.32, 3.0, m.rubber('#3a3a3c' if colour['dark'] else '#cfcfd0'), 0.8, at=(0, 0, 0.2), parent=root)
    if view['name'] != 'front':
        _touch(colour, top, h, root)
    return root


def _ball(d, h):
    """A ball that is cut flat at the bottom and the top."""
    r, points = d / 2, []
    low, high = math.asin(-(h * 0.5) / (r * 1.14)), math.asin((h * 0.5) / (r * 1.06))
    for i in range(49):
        a = low + (high - low) * i / 48
        flatten = 1.14 if a < 0 else 1.06
        points.append((r * math.cos(a) ** 0.92, h / 2 + r * flatten * math.sin(a)))
    return [(points[0][0] - 4, 1.2), *points]


def _drum(d, h):
    """A drum with a broad rounding below and above."""
    r, points = d / 2, []
    for cz, start, reach_z in ((44, -90, 44), (h - 46, 0, 46)):
        for i in range(25):
            a = math.radians(start + 90 * i / 24)
            points.append((r - 40 + 40 * math.cos(a) ** 0.8, cz + reach_z * math.sin(a)))
    return [p for p in points if p[0] > r * 0.44]


def _unroll(body, outline, steps):
    """UV coordinates: once around in u, along the outline in v, both 0 to 1."""
    length = [0.0]
    for a, b in zip(outline, outline[1:]):
        length.append(length[-1] + math.dist(a, b))
    layer = body.data.uv_layers.new(name='unrolled')
    for polygon in body.data.polygons:
        columns = [v % steps for v in polygon.vertices]
        seam = max(columns) - min(columns) > 1
        for loop, vertex in zip(polygon.loop_indices, polygon.vertices):
            column = vertex % steps
            u = (column + (steps if seam and column == 0 else 0)) / steps
            layer.data[loop].uv = (u, length[vertex // steps] / length[-1])


def _knit(colour, columns, rows):
    """Seamless knitted mesh: raised threads that cross around dark openings."""
    size = 64
    v, u = np.mgrid[0:size, 0:size] / size
    lattice = 0.5 + 0.5 * np.cos(2 * math.pi * u) * np.cos(2 * math.pi * v)
    weave = np.clip((np.abs(lattice - 0.5) * 2) ** 0.7, 0, 1)
    height = 1 - weave * 0.9
    base = np.array(m.linear(colour))
    shade = (0.5 + 0.5 * np.clip(height * 1.25, 0, 1))[..., None]
    srgb = np.where(base * shade <= 0.0031308, base * shade * 12.92, 1.055 * (base * shade) ** (1 / 2.4) - 0.055)
    material = m.principled('knit', colour, rough=0.8, specular=0.2, Sheen=0.3)
    tree = material.node_tree
    uv = tree.nodes.new('ShaderNodeTexCoord')
    mapping = tree.nodes.new('ShaderNodeMapping')
    mapping.inputs['Scale'].default_value = (columns, rows, 1)
    tree.links.new(uv.outputs['UV'], mapping.inputs[0])
    shader = tree.nodes['Principled BSDF']
    for pixels, data in ((srgb, False), (np.dstack([height] * 3), True)):
        texture = tree.nodes.new('ShaderNodeTexImage')
        texture.image = m.image_of(pixels, 'knit', data)
        tree.links.new(mapping.outputs[0], texture.inputs[0])
        if not data:
            tree.links.new(texture.outputs[0], shader.inputs['Base Color'])
            continue
        bump = tree.nodes.new('ShaderNodeBump')
        bump.inputs['Strength'].default_value, bump.inputs['Distance'].default_value = 0.6, 0.6
        tree.links.new(texture.outputs[0], bump.inputs['Height'])
        tree.links.new(bump.outputs[0], shader.inputs['Normal'])
    return material


def _touch(colour, top, h, root):
    """The lit touch surface: a soft glow of several hues under the glass, plus and minus signs."""
    size = 256
    y, x = np.mgrid[0:size, 0:size] / (size / 2) - 1
    far, angle = np.hypot(x, y), np.arctan2(y, x)
    hues = np.array([[0.95, 0.45, 0.75], [0.45, 0.55, 1.0], [0.4, 0.9, 0.95], [1.0, 0.75, 0.55]])
    picture = np.zeros((size, size, 3))
    for k, hue in enumerate(hues):
        part = np.exp(-(((x - 0.28 * math.cos(k * 1.57 + 0.5)) ** 2 + (y - 0.28 * math.sin(k * 1.57 + 0.5)) ** 2) / 0.10))
        picture += part[..., None] * hue
    picture *= (np.clip(1 - far, 0, 1) ** 0.8)[..., None]
    ground = np.array(m.linear(colour['top'])) ** (1 / 2.2)
    strength = np.clip(picture.max(2, keepdims=True), 0, 1)
    shine = ground * (1 - strength) + np.clip(picture, 0, 1) * strength
    disc(top * 0.86, 0.05, _glow(shine), 0.0, at=(0, 0, h - 0.02), parent=root)


def _glow(pixels):
    material = m.principled('glow', '#ffffff', rough=0.12)
    tree = material.node_tree
    texture = tree.nodes.new('ShaderNodeTexImage')
    texture.image = m.image_of(pixels, 'glow')
    coordinates = tree.nodes.new('ShaderNodeTexCoord')
    tree.links.new(coordinates.outputs['Generated'], texture.inputs[0])
    shader = tree.nodes['Principled BSDF']
    tree.links.new(texture.outputs[0], shader.inputs['Base Color'])
    tree.links.new(texture.outputs[0], shader.inputs['Emission'])
    shader.inputs['Emission Strength'].default_value = 0.35
    return material
