"""Draws the few SVG shapes that the shop's own words are made of, so that no SVG program is needed.

Paths with M, l, h, v, c, a (circles) and z, filled or stroked; rectangles with round corners; translate and scale.
"""

import math
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
from PIL import Image, ImageChops, ImageDraw

FINE = 4  # drawn this much larger, so that edges are smooth


def draw(path, width, height):
    """An RGBA image of the file, `width` x `height` pixels at the file's own scale."""
    page = Image.new('RGBA', (width * FINE, height * FINE))
    _walk(ElementTree.parse(path).getroot(), page, (0.0, 0.0, float(FINE)), {})
    # With premultiplied alpha: smooth edges keep the colour of the letter.
    return page.convert('RGBa').resize((width, height), Image.LANCZOS).convert('RGBA')


def _walk(node, page, place, style):
    x, y, scale = place
    found = dict(re.findall(r'(\w+)\(([^)]*)\)', node.get('transform', '')))
    if 'translate' in found:
        dx, dy = (float(v) for v in found['translate'].split())
        x, y = x + dx * scale, y + dy * scale
    scale *= float(found.get('scale', 1))
    style = {**style, **{k: node.get(k) for k in ('fill', 'stroke', 'stroke-width') if node.get(k)}}
    kind = node.tag.rpartition('}')[2]
    if kind == 'path':
        _path(page, [[(x + px * scale, y + py * scale) for px, py in line] for line in lines(node.get('d'))], style, scale)
    elif kind == 'rect':
        left, top, w, h, r = (float(node.get(k)) * scale for k in ('x', 'y', 'width', 'height', 'rx'))
        ImageDraw.Draw(page).rounded_rectangle((x + left, y + top, x + left + w, y + top + h), r, style['fill'])
    for child in node:
        _walk(child, page, (x, y, scale), style)


def _path(page, shapes, style, scale):
    if style.get('fill', 'none') != 'none':
        # A line inside another one is a hole.
        cover = Image.new('1', page.size)
        for shape in shapes:
            one = Image.new('1', page.size)
            ImageDraw.Draw(one).polygon(shape, 1)
            cover = ImageChops.logical_xor(cover, one)
        page.paste(style['fill'], mask=cover.convert('L'))
    if style.get('stroke', 'none') != 'none':
        pen, half = ImageDraw.Draw(page), float(style['stroke-width']) * scale / 2
        for px, py in (p for shape in shapes for p in _dense(shape, half / 8)):
            pen.ellipse((px - half, py - half, px + half, py + half), style['stroke'])


def _dense(points, step):
    for (ax, ay), (bx, by) in zip(points, points[1:]):
        parts = max(1, math.ceil(math.hypot(bx - ax, by - ay) / step))
        yield from ((ax + (bx - ax) * i / parts, ay + (by - ay) * i / parts) for i in range(parts + 1))


def lines(data):
    """The polygons of a path, curves in short pieces."""
    found, at = [], (0.0, 0.0)
    for letter, text in re.findall(r'([a-zA-Z])([^a-zA-Z]*)', data):
        n = [float(v) for v in re.findall(r'-?(?:\d+\.?\d*|\.\d+)', text)]
        if letter == 'M':
            found.append([(n[0], n[1])])
        elif letter == 'l':
            for dx, dy in zip(n[0::2], n[1::2]):
                found[-1].append((at[0] + dx, at[1] + dy))
                at = found[-1][-1]
        elif letter in 'hv':
            found[-1].append((at[0] + n[0], at[1]) if letter == 'h' else (at[0], at[1] + n[0]))
        elif letter == 'c':
            for k in range(0, len(n), 6):
                found[-1] += _curve(at, n[k : k + 6])
                at = found[-1][-1]
        elif letter == 'a':
            found[-1] += _arc(at, *n)
        elif letter not in 'zZ':
            raise SystemExit(f'a path with "{letter}" cannot be drawn')
        at = found[-1][-1] if letter not in 'zZ' else found[-1][0]
    return found


def _curve(start, n, parts=16):
    p = np.array([(0, 0), n[0:2], n[2:4], n[4:6]]) + start
    t = (np.arange(1, parts + 1) / parts)[:, None]
    return [tuple(q) for q in (1 - t) ** 3 * p[0] + 3 * (1 - t) ** 2 * t * p[1] + 3 * (1 - t) * t * t * p[2] + t**3 * p[3]]


def _arc(start, radius, _ry, _turn, large, sweep, dx, dy, parts=48):
    """Part of a circle from `start` to its end, `large` the longer way round, `sweep` clockwise."""
    chord = math.hypot(dx, dy)
    rise = math.sqrt(max(0, radius**2 - chord**2 / 4)) * (-1 if bool(large) == bool(sweep) else 1)
    cx, cy = start[0] + dx / 2 - rise * dy / chord, start[1] + dy / 2 + rise * dx / chord
    first = math.atan2(start[1] - cy, start[0] - cx)
    turn = (math.atan2(start[1] + dy - cy, start[0] + dx - cx) - first) % (2 * math.pi)
    turn = turn if sweep else turn - 2 * math.pi
    return [(cx + radius * math.cos(first + turn * i / parts), cy + radius * math.sin(first + turn * i / parts)) for i in range(1, parts + 1)]
