"""Desktop computers and displays. Upright, the display towards -y. Millimetres."""

import materials as m
from models import keyboard, mouse
from parts_plate import bend, sheet
from shapes import disc, grille, group, loft, place, ring, rounded_outline, rounded_profile, slab


def imac(p, c, view):
    """params: ports (Thunderbolt). colour: back (saturated), front (pale: chin and stand), bezel, wallpaper.

    view desk: with the keyboard and the mouse in front.
    """
    root = group('imac')
    width, tall, deep = 547, 374, 11.5
    lift = 461 - tall
    panel = group('panel', (0, 0, lift), parent=root)
    back = m.anodised(c['back'], 0.4, 0.6)
    outline = rounded_outline(width, tall, 11, 20)
    place(loft('shell', outline, rounded_profile(deep, 0.8, 1.2, 6), back), (0, deep / 2, tall / 2), (-90, 0, 0), panel)
    chin = m.principled('chin', c['front'], rough=0.12, coat=0.6, coat_rough=0.05)
    slab(width - 1.2, tall - 1.2, 0.4, 10.4, chin, 0.2, 0, (0, -0.15, tall / 2), (90, 0, 0), panel)
    high = 319
    bezel = m.principled('bezel', c.get('bezel', '#e4e4e6'), rough=0.1, specular=0.4)
    slab(width - 1.2, high, 0.4, 10.4, bezel, 0.15, 0, (0, -0.3, tall - 0.6 - high / 2), (90, 0, 0), panel)
    slab(width - 1.2, 14, 0.42, 0.2, bezel, 0, at=(0, -0.32, tall - 0.6 - high + 7), turn=(90, 0, 0), parent=panel)
    _picture(c, 521, 293, (0, -0.52, tall - 13.6 - 146.5), panel, 2.0)
    disc(2.1, 0.1, m.gloss('#10131c', 0.05), 0.02, (0, -0.52, tall - 7), (90, 0, 0), panel, 40)
    _stand(root, m.anodised(c['front'] if c.get('stand') is None else c['stand'], 0.36, 0.6), 132, 147, deep, lift + 152, 3.6)
    _imac_back(panel, c, deep, tall, p.get('ports', 4))
    if view.get('desk'):
        place(keyboard.magic({'compact': True}, {'body': c['front'], 'key': '#f5f5f6', 'legend': '#6f7076'}, view), (-42, -200, 0), parent=root)
        place(mouse.magic({}, {'top': '#f6f6f6', 'body': c['front']}, view), (158, -196, 0), parent=root)
    return root


def _picture(c, w, h, at, parent, radius):
    wall = c['wallpaper']
    picture = m.wallpaper(1400, round(1400 * h / w), **wall)
    slab(w, h, 0.02, radius, m.screen(picture, 1.0, 0.25), 0, at=at, turn=(90, 0, 0), parent=parent)


def _stand(root, alloy, width, deep, panel_depth, high, thick):
    """One bent sheet: the foot on the floor, a tight bend behind, the neck up to the back of the panel."""
    front, rear = -deep / 2 + 6, deep / 2 + 6
    foot, corner, head = (front, thick / 2), (rear, thick / 2), (panel_depth + 1, high)
    path = [foot, *bend(foot, corner, head, 17), head]
    sheet(path, width, thick, alloy, 0.9, parent=root)
    slab(width + 4, 46, 5, 4, alloy, 1.2, 1.2, (0, panel_depth + 1.5, high - 4), (90, 0, 0), root)


def _imac_back(panel, c, deep, tall, ports):
    rear = group('rear', (0, deep + 0.02, 0), (90, 0, 180), panel)
    dark = m.black(0.6)
    for i in range(ports):
        slab(9.4, 3.3, 0.08, 1.6, m.metal('#9a9ba0', 0.3), 0.02, 0, (196 - i * 16, 64, 0), parent=rear)
        slab(8.6, 2.6, 0.1, 1.3, dark, 0, at=(196 - i * 16, 64, 0), parent=rear)
    ring(10.6, 9.2, 0.1, m.metal(c['front'], 0.2), 0.03, (0, 66, 0), parent=rear)
    disc(9.3, 0.06, m.principled('power', '#d9d9db', rough=0.3), 0.02, (0, 66, 0.02), parent=rear)


def display(p, c, view):
    """A stand-alone display: black bezels, an aluminium shell."""
    root = group('display')
    width, tall, deep = 623, 362, 19
    lift = 478 - tall
    alloy = m.anodised('#d6d7d9', 0.38, 0.65)
    panel = group('panel', (0, 0, lift), parent=root)
    place(loft('shell', rounded_outline(width, tall, 11, 20), rounded_profile(deep, 0.8, 1.4, 6), alloy), (0, deep / 2, tall / 2), (-90, 0, 0), panel)
    glass = m.principled('bezel', '#040405', rough=0.06, specular=0.15)
    slab(width - 2.4, tall - 2.4, 0.4, 10, glass, 0.2, 0, (0, -0.15, tall / 2), (90, 0, 0), panel)
    _picture(c, 597, 336, (0, -0.37, tall / 2), panel, 3.0)
    disc(2.1, 0.1, m.gloss('#10131c', 0.05), 0.02, (0, -0.37, tall - 6.6), (90, 0, 0), panel, 40)
    _stand(root, alloy, 190, 168, deep, lift + 176, 7.5)
    rear = group('rear', (0, deep + 0.02, 0), (90, 0, 180), panel)
    for i in range(4):
        slab(9.4, 3.3, 0.08, 1.6, m.metal('#86878c', 0.3), 0.02, 0, (240 - i * 17, 62, 0), parent=rear)
        slab(8.6, 2.6, 0.1, 1.3, m.black(0.6), 0, at=(240 - i * 17, 62, 0), parent=rear)
    grille(150, 4, 3.4, 1.1, m.black(), (0, 332, 0.01), parent=rear)
    ring(14, 12.6, 0.1, m.metal('#b9babd', 0.2), 0.03, (0, 66, 0), parent=rear)
    disc(12.6, 0.06, m.black(0.5), 0.02, (0, 66, 0.02), parent=rear)
    return root
