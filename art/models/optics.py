"""Cameras and their neighbours: lenses, flashes, sensors, microphones. Millimetres; a part looks along +z."""

import math

import materials as m
from shapes import disc, group, lathe, ring


def lens(radius, parent, at=(0, 0, 0), rim=None, height=1.6, rim_width=0.9):
    """A camera lens with depth: rim, black barrel that narrows in steps, coated front element.

    `at` is the middle of its foot; `rim` the material of the ring around it.
    """
    root = group('lens', at, parent=parent)
    rim = rim or m.metal('#8a8c90', 0.2)
    ring(radius, radius - rim_width, height, rim, 0.28, at=(0, 0, height / 2), parent=root)
    inner = radius - rim_width
    barrel = m.principled('barrel', '#030304', rough=0.42, specular=0.3)
    steps = [(0.0, 0.25), (inner * 0.54, 0.25), (inner * 0.57, 0.42), (inner * 0.62, 0.5), (inner * 0.64, 0.72),
             (inner * 0.7, 0.8), (inner * 0.72, 0.98), (inner * 1.0, height - 0.35), (inner * 1.02, height - 0.3)]
    lathe([(r, z * height / 1.6) for r, z in steps], barrel, parent=root)
    ring(inner * 0.735, inner * 0.665, 0.12, m.metal('#2b2c31', 0.3), 0.03, at=(0, 0, 0.62 * height), parent=root)
    dome(inner * 0.56, 0.15 * inner, m.principled('coating', '#0a0f3a', rough=0.05, specular=1.0),
         (0, 0, 0.17 * height), root)
    dome(inner * 0.25, 0.06 * inner, m.principled('iris', '#2a1850', rough=0.05, specular=1.0, metal=0.4),
         (0, 0, 0.17 * height + 0.12 * inner), root)
    return root


def dome(radius, height, material, at, parent):
    """A shallow spherical cap."""
    sphere = (radius**2 + height**2) / (2 * height)
    limit = math.asin(min(1, radius / sphere))
    profile = [(sphere * math.sin(limit * (1 - i / 12)), height - sphere + sphere * math.cos(limit * (1 - i / 12))) for i in range(13)]
    return lathe(profile, material, 64, at=at, parent=parent)


def flash(radius, parent, at=(0, 0, 0)):
    """The pale yellow flash behind a ribbed window."""
    root = group('flash', at, parent=parent)
    disc(radius, 0.3, m.principled('window', '#f4efe2', rough=0.18, coat=1.0), 0.08, at=(0, 0, 0.05), parent=root)
    disc(radius * 0.62, 0.32, m.principled('diode', '#f2dc96', rough=0.3, coat=0.6), 0.08, at=(0, 0, 0.07), parent=root)
    return root


def sensor(radius, parent, at=(0, 0, 0)):
    """A dark round window (depth sensor, front camera)."""
    root = group('sensor', at, parent=parent)
    disc(radius, 0.2, m.principled('window', '#0a0a0c', rough=0.06, coat=1.0), 0.06, at=(0, 0, 0.02), parent=root)
    disc(radius * 0.5, 0.22, m.principled('depth', '#17102a', rough=0.04, coat=1.0), 0.06, at=(0, 0, 0.02), parent=root)
    return root


def pinhole(radius, parent, at=(0, 0, 0)):
    """A microphone."""
    return disc(radius, 0.06, m.black(), 0.01, at=at, parent=parent, steps=24)
