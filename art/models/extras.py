"""What stands beside a device in the pictures of flagships: a plate for scale, and a plain box. Millimetres."""

import materials as m
from shapes import group, loft, rounded_outline, rounded_profile, slab

CARD = (85.6, 54.0, 0.76)
LID_GAP = 0.5


def card(parent, at=(0, 0, 0), turn=(0, 0, 0)):
    """A plate of the size of a bank card (ISO/IEC 7810 ID-1) with a chip and no writing; it lies with its face up."""
    width, height, depth = CARD
    root = group('card', at, turn, parent)
    slab(width, height, depth, 3.18, m.plastic('#aeb6c2', 0.42), 0.12, parent=root, exponent=2.0)
    chip = m.metal('#c9b27a', 0.32)
    gap = m.metal('#7d6c44', 0.5)
    x, y, top = -width / 2 + 16.5, 4.0, depth / 2
    slab(13.0, 11.8, 0.1, 2.2, chip, 0.03, at=(x, y, top), parent=root)
    for dy in (-2.0, 2.0):
        slab(13.0, 0.3, 0.02, 0.1, gap, 0, at=(x, y + dy, top + 0.05), parent=root)
    for dx in (-2.3, 2.3):
        slab(0.3, 11.8, 0.02, 0.1, gap, 0, at=(x + dx, y, top + 0.05), parent=root)
    return root


def box(size, print_pixels):
    """A white box that stands, its lid towards -y. `size` is width, height and depth; the picture covers the lid."""
    width, height, depth = size
    root = group('box root')
    stood = group('box', turn=(90, 0, 0), parent=root)
    paper = m.principled('paper', '#ecebe8', rough=0.55, specular=0.3)
    low = 0.16 * depth
    _tray(width, height, low, paper, -depth / 2 + low / 2, stood)
    lid = depth - low - LID_GAP
    _tray(width, height, lid, paper, depth / 2 - lid / 2, stood)
    # The tray inside shows as a fine dark line between its walls and those of the lid.
    slab(width - 1.6, height - 1.6, depth - 2, 0.8, m.principled('gap', '#8f8e8b', rough=0.8), 0, at=(0, 0, 0), parent=stood)
    sheet = m.principled('print', '#ecebe8', rough=0.55, specular=0.3)
    _printed(sheet, print_pixels, width / height)
    slab(width - 1.6, height - 1.6, 0.02, 0.4, sheet, 0, at=(0, 0, depth / 2 + 0.01), parent=stood, exponent=2.0)
    return root


def _tray(width, height, depth, paper, z, parent):
    loft('tray', rounded_outline(width, height, 1.2, 8, 2.0), rounded_profile(depth, 0.35, 0.35, 5), paper, at=(0, 0, z), parent=parent)


def _printed(material, pixels, ratio):
    """Print the middle of a square picture with alpha (rows from the bottom up, sRGB) on the paper."""
    side = pixels.shape[0]
    if ratio < 1:
        cut = round(side * (1 - ratio) / 2)
        pixels = pixels[:, cut : side - cut]
    else:
        cut = round(side * (1 - 1 / ratio) / 2)
        pixels = pixels[cut : side - cut]
    ground = [int('ecebe8'[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    alpha = pixels[..., 3:]
    tree = material.node_tree
    texture = tree.nodes.new('ShaderNodeTexImage')
    texture.image = m.image_of(pixels[..., :3] * alpha + ground * (1 - alpha), 'print')
    texture.extension = 'EXTEND'
    coordinates = tree.nodes.new('ShaderNodeTexCoord')
    tree.links.new(coordinates.outputs['Generated'], texture.inputs['Vector'])
    tree.links.new(texture.outputs['Color'], tree.nodes['Principled BSDF'].inputs['Base Color'])
