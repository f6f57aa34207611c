"""Materials: metals, glass, ceramic, plastic, rubber, fabric, and screens with an original wallpaper.

Colours are hexadecimal sRGB ('#d8d8da'). Every function returns a new bpy material.
"""

import functools
import math

import bpy
import numpy as np


def linear(colour):
    """The linear RGB triple of a hexadecimal sRGB colour."""
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)


def principled(name, colour, metal=0.0, rough=0.4, coat=0.0, specular=0.5, coat_rough=0.03, **more):
    """A Principled material; `more` sets any further input by its name (spaces as underscores)."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    inputs = material.node_tree.nodes['Principled BSDF'].inputs
    inputs['Base Color'].default_value = (*linear(colour), 1)
    inputs['Metallic'].default_value = metal
    inputs['Roughness'].default_value = rough
    inputs['Specular'].default_value = specular
    inputs['Clearcoat'].default_value = coat
    inputs['Clearcoat Roughness'].default_value = coat_rough
    for key, value in more.items():
        inputs[key.replace('_', ' ')].default_value = value
    return material


def metal(colour, rough=0.28):
    """Polished or brushed metal: frames, rings, buttons."""
    return principled('metal', colour, metal=1.0, rough=rough)


def anodised(colour, rough=0.42, metallic=0.6):
    """Bead-blasted aluminium: broad soft highlights, never mirror-like."""
    return principled('anodised', colour, metal=metallic, rough=rough)


def matte_glass(colour, rough=0.42):
    """The frosted back of a phone: a satin surface over a coloured ground."""
    return principled('matte glass', colour, rough=rough, specular=0.6)


def gloss(colour, rough=0.06):
    """Polished glass or lacquer over a colour."""
    return principled('gloss', colour, rough=rough, coat=1.0)


def black_glass():
    """The front glass around a display."""
    return principled('black glass', '#060607', rough=0.05)


def plastic(colour, rough=0.35):
    """Moulded plastic; white cases and buds want about 0.18 to 0.25."""
    return principled('plastic', colour, rough=rough)


def ceramic_white():
    """The glossy, slightly translucent white of earphone cases."""
    return principled('ceramic', '#f4f4f3', rough=0.16, coat=0.5, coat_rough=0.05)


def rubber(colour, rough=0.62):
    return principled('rubber', colour, rough=rough, specular=0.3)


def black(rough=0.5):
    """Ports, grilles, gaps."""
    return principled('black', '#050506', rough=rough, specular=0.25)


def light_source(colour, strength=1.0):
    """A surface that shines by itself (indicator lights, lit buttons)."""
    material = bpy.data.materials.new('light')
    material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    emission = nodes.new('ShaderNodeEmission')
    emission.inputs[0].default_value = (*linear(colour), 1)
    emission.inputs[1].default_value = strength
    output = nodes.new('ShaderNodeOutputMaterial')
    material.node_tree.links.new(emission.outputs[0], output.inputs[0])
    return material


def bump(material, texture_node, strength=0.3, distance=0.2, output='Fac', coordinate='Object', scale=None):
    """Give a material a bump from a procedural texture node type ('ShaderNodeTexNoise' …). Distances in mm."""
    tree = material.node_tree
    texture = tree.nodes.new(texture_node)
    if scale is not None:
        texture.inputs['Scale'].default_value = scale
    coordinates = tree.nodes.new('ShaderNodeTexCoord')
    node = tree.nodes.new('ShaderNodeBump')
    node.inputs['Strength'].default_value = strength
    node.inputs['Distance'].default_value = distance
    tree.links.new(coordinates.outputs[coordinate], texture.inputs['Vector'])
    tree.links.new(texture.outputs[output], node.inputs['Height'])
    tree.links.new(node.outputs['Normal'], tree.nodes['Principled BSDF'].inputs['Normal'])
    return texture


def image_of(pixels, name='picture', data=False):
    """A Blender image from an array of rows from the bottom up (height, width, 3), values 0 to 1 (sRGB)."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new(name, width, height, is_data=data)
    rgba = np.ones((height, width, 4), np.float32)
    rgba[..., :3] = np.clip(pixels, 0, 1)
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    return image


def screen(pixels, brightness=1.0, reflection=0.2):
    """A lit display that shows `pixels`, mapped over the part's own width and height.

    The part must be flat in its own x and y. A little of the studio is reflected so that it reads as glass.
    """
    material = bpy.data.materials.new('screen')
    material.use_nodes = True
    tree = material.node_tree
    inputs = tree.nodes['Principled BSDF'].inputs
    inputs['Base Color'].default_value = (0, 0, 0, 1)
    inputs['Roughness'].default_value = 0.06
    inputs['Specular'].default_value = reflection
    texture = tree.nodes.new('ShaderNodeTexImage')
    texture.image = image_of(pixels, 'screen')
    texture.extension = 'EXTEND'
    coordinates = tree.nodes.new('ShaderNodeTexCoord')
    tree.links.new(coordinates.outputs['Generated'], texture.inputs['Vector'])
    tree.links.new(texture.outputs['Color'], inputs['Emission'])
    inputs['Emission Strength'].default_value = brightness
    return material


def _mix(palette, t):
    """Interpolate smoothly between the colours of a palette; t is an array from 0 to 1."""
    colours = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in palette], np.float32)
    place = np.clip(t, 0, 1) * (len(colours) - 1)
    low = np.minimum(place.astype(int), len(colours) - 2)
    part = (place - low)[..., None]
    part = part * part * (3 - 2 * part)
    return colours[low] * (1 - part) + colours[low + 1] * part


def ribbons(width, height, palette, ground='#0a0c18', turn=0.0, folds=5, seed=1):
    """An original wallpaper: broad folded ribbons of light over a ground. `palette` has two to six colours."""
    v, u = np.mgrid[0:height, 0:width].astype(np.float32)
    u, v = (u - width / 2) / max(width, height), (v - height / 2) / max(width, height)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = c * u + s * v, -s * u + c * v
    random = np.random.default_rng(seed)
    picture = np.ones((height, width, 3), np.float32) * np.array(_mix([ground, ground], np.float32(0)))
    for k in range(folds):
        phase, bend, wave = random.uniform(0, 6.3), random.uniform(0.10, 0.2), random.uniform(3.0, 5.5)
        middle = (k - (folds - 1) / 2) * 0.62 / folds + bend * np.sin(wave * x + phase) + 0.05 * np.sin(9 * x - phase)
        half = 0.085 + 0.055 * np.sin(2.6 * x + 2 * phase)
        across = (y - middle) / half
        cover = np.clip((1 - across) * half / 0.004, 0, 1) * np.clip((across + 1.9) / 2.4, 0, 1) ** 1.7
        light = 0.5 + 0.5 * across
        colour = _mix(palette, (k / max(1, folds - 1)) * 0.72 + 0.28 * light)
        shine = np.clip(across, 0, 1)[..., None] ** 6 * 0.35
        colour = np.clip(colour * (0.55 + 0.6 * np.clip(light, 0, 1)[..., None]) + shine, 0, 1)
        alpha = np.clip(cover, 0, 1)[..., None]
        picture = picture * (1 - alpha) + colour * alpha
    return picture


def petals(width, height, palette, ground='#0a0c18', turn=0.0, folds=7, seed=1):
    """An original wallpaper: translucent petals of light around a point below the middle."""
    v, u = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = (u - width / 2) / max(width, height), (v - height / 2) / max(width, height) + 0.3 * height / max(width, height)
    random = np.random.default_rng(seed)
    picture = np.ones((height, width, 3), np.float32) * np.array(_mix([ground, ground], np.float32(0)))
    for k in range(folds):
        t = k / max(1, folds - 1)
        a = math.radians(turn + 150 * (t - 0.5) + random.uniform(-5, 5))
        along, across = -math.sin(a) * x + math.cos(a) * y, math.cos(a) * x + math.sin(a) * y
        long, half = 0.36 + random.uniform(-0.02, 0.07), 0.15
        radius = np.hypot((along - long) / long, across / half)
        cover = np.clip((1 - radius) * half / 0.003, 0, 1) * (0.25 + 0.75 * np.clip(radius, 0, 1) ** 3) * 0.85
        side = 0.5 + 0.5 * np.clip(across / half, -1, 1)
        shine = np.clip(radius, 0, 1)[..., None] ** 14 * 0.22
        colour = _mix(palette, 0.2 + 0.45 * t + 0.35 * side) * (0.5 + 0.6 * side[..., None]) + shine
        picture = picture * (1 - cover[..., None]) + np.clip(colour, 0, 1) * cover[..., None]
    return picture


def wallpaper(width, height, palette, ground, turn=18, folds=5, seed=4, style='ribbons'):
    """The picture of a display; twins of one generation differ by its style."""
    return _drawn(style, width, height, tuple(palette), ground, turn, folds, seed)


@functools.lru_cache(2)
def _drawn(style, *details):
    """Drawn once for a pair that shows it twice."""
    return {'ribbons': ribbons, 'petals': petals}[style](*details)


def flow(width, height, palette, twist=1.3, turn=0.0, seed=1):
    """An original wallpaper: one calm flowing gradient through the palette."""
    v, u = np.mgrid[0:height, 0:width].astype(np.float32)
    u, v = (u - width / 2) / max(width, height), (v - height / 2) / max(width, height)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = c * u + s * v, -s * u + c * v
    p = seed * 1.7
    field = y + 0.16 * np.sin(4.1 * x + p + twist * np.sin(3.3 * y + p)) + 0.07 * np.sin(7.3 * x - 5 * y + p)
    return _mix(palette, 0.5 + field)
