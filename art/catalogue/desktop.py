"""Desktop computers and displays: their colours and views."""


def _look(back, front, palette, ground, seed, turn=18, **more):
    return {'back': back, 'front': front, 'wallpaper': {'palette': palette, 'ground': ground, 'seed': seed, 'turn': turn}, **more}


IMAC = {
    'Blue': _look('#2b5f95', '#b9d0e6', ['#123a8c', '#2f86e0', '#86d0fa', '#eefaff'], '#2057ae', 4),
    'Green': _look('#2f7f63', '#c3ddcf', ['#0c4a33', '#2ea06a', '#9fdc8a', '#f4ffe0'], '#12633f', 7, 14),
    'Pink': _look('#c8475a', '#f2c6c6', ['#7d1038', '#e2456f', '#ff9d8f', '#ffe9dc'], '#a81f4c', 9, 22),
    'Purple': _look('#5b559f', '#ccc9e4', ['#2b1d86', '#6f56d8', '#b59af5', '#f3eaff'], '#4430a5', 12, 16),
    'Orange': _look('#d9672c', '#f5cdb2', ['#8a2c06', '#f0702a', '#ffb25c', '#fff0d2'], '#bd4a10', 5, 20),
    'Yellow': _look('#e0a326', '#f4dfae', ['#8a5a00', '#f0b020', '#ffdc6b', '#fff8dc'], '#c98a10', 8, 16),
    'Silver': _look('#cfd0d3', '#dededf', ['#2b2f3a', '#7b8798', '#c7d0dc', '#ffffff'], '#4d5564', 3, 18),
}
DISPLAY_VIEWS = {
    'front': dict(turn=-18, elevation=6, fill=0.86, lights={'card': 0.2}),
    'side': dict(turn=64, elevation=6, fill=0.8, lights={'card': 0.2}),
    'back': dict(turn=154, elevation=8, fill=0.86),
}
# The faster one stands with its keyboard and mouse. The other looks the other way, has a wallpaper of its own and two ports less.
FAST_VIEWS = {
    'front': dict(turn=-18, elevation=13, fill=0.86, desk=True, lights={'card': 0.2}),
    'side': dict(turn=64, elevation=6, fill=0.8, lights={'card': 0.2}),
    'back': dict(turn=154, elevation=8, fill=0.86),
}
PLAIN_VIEWS = {
    'front': dict(turn=18, elevation=6, fill=0.86, lights={'card': 0.2}),
    'side': dict(turn=-64, elevation=6, fill=0.8, lights={'card': 0.2}),
    'back': dict(turn=206, elevation=8, fill=0.86),
}
DISPLAY = {None: {'wallpaper': {'palette': ['#1b0f52', '#5a2fc0', '#f0559a', '#ffc48a'], 'ground': '#2a1566', 'seed': 6, 'turn': 16}}}
PLAIN = {k: {**IMAC[k], 'wallpaper': {**IMAC[k]['wallpaper'], 'style': 'petals', 'turn': 4, 'folds': 9}} for k in ('Blue', 'Green', 'Pink', 'Silver')}
BOX_VIEWS = {
    'front': dict(turn=-26, elevation=22, fill=0.8),
    'back': dict(turn=154, elevation=16, fill=0.8),
    'above': dict(turn=-34, elevation=42, fill=0.78, lights={'top': 0.5}),
}
# The faster ports look alike: two of them in a stack, front and back, tell the Pro from the other.
PRO_VIEWS = {
    'front': dict(pose='stack', twist=0, turn=-26, elevation=20, fill=0.8),
    'back': dict(turn=208, elevation=24, fill=0.8),
    'above': dict(turn=38, elevation=46, fill=0.78, lights={'top': 0.5}),
}

PRODUCTS = {
    'imac-24-m4-10-core': dict(model='desktop.imac', params={}, colours=IMAC, views=FAST_VIEWS),
    'imac-24-m4-8-core': dict(model='desktop.imac', params=dict(ports=2), colours=PLAIN, views=PLAIN_VIEWS),
    'studio-display': dict(model='desktop.display', params={}, colours=DISPLAY, views=DISPLAY_VIEWS),
    'mac-mini-m4': dict(model='desktop_box.box', params=dict(size=(127, 50), radius=24, kind='mini'), colours={None: {}}, views=BOX_VIEWS),
    'mac-mini-m4-pro': dict(model='desktop_box.box', params=dict(size=(127, 50), radius=24, kind='mini'), colours={None: {}}, views=PRO_VIEWS),
    'mac-studio-m4-max': dict(model='desktop_box.box', params=dict(size=(197, 95), radius=26, kind='studio'), colours={None: {}}, views=BOX_VIEWS),
}
