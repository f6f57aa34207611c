"""Watch faces of our own, drawn as arrays (rows from the bottom up). All have hands at ten past ten."""

import math

import materials as m
import numpy as np


def dial(kind, palette, width, height):
    """kind: 'sport' (a gradient with hands), 'plain' (ticks and hands) or 'explorer' (bold ticks, rings)."""
    v, u = np.mgrid[0:height, 0:width].astype(np.float32)
    scale = min(width, height) / 2
    x, y = (u - width / 2 + 0.5) / scale, (v - height / 2 + 0.5) / scale
    picture = GROUNDS[kind](x, y, width, height, palette)
    _hands(picture, x, y, scale, kind, palette)
    return np.clip(picture, 0, 1)


def _rgb(colour):
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)], np.float32)


def _lay(picture, cover, colour):
    cover = np.clip(cover, 0, 1)[..., None]
    picture[:] = picture * (1 - cover) + _rgb(colour) * cover


def _bar(x, y, angle, start, end, half, scale):
    """How much of each pixel a round-ended bar covers; angle in degrees clockwise from twelve."""
    a = math.radians(90 - angle)
    along, across = x * math.cos(a) + y * math.sin(a), -x * math.sin(a) + y * math.cos(a)
    nearest = np.clip(along, start, end)
    return (half - np.hypot(along - nearest, across)) * scale + 0.5


def _circle(x, y, radius, half, scale):
    return (half - np.abs(np.hypot(x, y) - radius)) * scale + 0.5


def _edge(x, y, width, height):
    """Distance measure whose contour 1 is the display's rounded border."""
    tall = height / min(width, height)
    wide = width / min(width, height)
    return ((np.abs(x) / wide) ** 5 + (np.abs(y) / tall) ** 5) ** 0.2


def _sport(x, y, width, height, palette):
    picture = m.flow(width, height, palette, 1.5, 25, 2).astype(np.float32)
    shade = 1 - 0.55 * np.clip(_edge(x, y, width, height) - 0.45, 0, 1)[..., None]
    picture *= shade
    scale = min(width, height) / 2
    for minute in range(60):
        far = _ray(minute * 6, width, height) * 0.955
        long = minute % 5 == 0
        _lay(picture, _bar(x, y, minute * 6, far - (0.11 if long else 0.05), far, 0.011 if long else 0.006, scale) * (1.0 if long else 0.6), '#ffffff')
    return picture


def _ray(angle, width, height):
    """How far the rounded border is from the middle in a direction."""
    a = math.radians(90 - angle)
    wide, tall = width / min(width, height), height / min(width, height)
    return ((abs(math.cos(a)) / wide) ** 5 + (abs(math.sin(a)) / tall) ** 5) ** -0.2


def _plain(x, y, width, height, palette):
    picture = np.zeros((height, width, 3), np.float32)
    scale = min(width, height) / 2
    for k, colour in enumerate(palette[:3]):
        radius, done = 0.86 - 0.13 * k, (0.82, 0.64, 0.9)[k]
        angle = np.degrees(np.arctan2(x, y)) % 360
        arc = _circle(x, y, radius, 0.052, scale)
        _lay(picture, arc * 0.22, colour)
        _lay(picture, np.minimum(arc, (360 * done - angle) * 3), colour)
    for hour in range(12):
        _lay(picture, _bar(x, y, hour * 30, 0.46, 0.52, 0.012, scale), '#d9d9de')
    return picture


def _explorer(x, y, width, height, palette):
    picture = np.zeros((height, width, 3), np.float32) + _rgb(palette[0]) * np.clip(1.1 - np.hypot(x, y) * 0.7, 0.15, 1)[..., None]
    scale = min(width, height) / 2
    for minute in range(60):
        far = _ray(minute * 6, width, height) * 0.95
        long = minute % 5 == 0
        colour = palette[2] if minute % 15 == 0 else '#f4f4f4'
        _lay(picture, _bar(x, y, minute * 6, far - (0.17 if long else 0.06), far, 0.026 if long else 0.008, scale), colour)
    _lay(picture, _circle(x, y, 0.56, 0.006, scale) * 0.8, palette[1])
    for degree in range(0, 360, 10):
        _lay(picture, _bar(x, y, degree, 0.5, 0.53, 0.005, scale) * 0.8, palette[1])
    return picture


GROUNDS = {'sport': _sport, 'plain': _plain, 'explorer': _explorer}


def _hands(picture, x, y, scale, kind, palette):
    shadow = '#000000'
    for angle, length, half in ((304, 0.5, 0.047), (54, 0.78, 0.042)):
        _lay(picture, _bar(x - 0.012, y + 0.02, angle, 0.12, length, half + 0.012, scale) * 0.35, shadow)
        _lay(picture, _bar(x, y, angle, 0.0, 0.14, 0.017, scale), '#ffffff')
        _lay(picture, _bar(x, y, angle, 0.15, length, half, scale), '#ffffff')
    second = '#ff8a1f' if kind != 'explorer' else palette[2]
    _lay(picture, _bar(x, y, 186, -0.16, 0.82, 0.0085, scale), second)
    _lay(picture, (0.042 - np.hypot(x, y)) * scale + 0.5, second)
    _lay(picture, (0.016 - np.hypot(x, y)) * scale + 0.5, '#111111')
