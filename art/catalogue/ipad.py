"""iPads: sizes in millimetres (width, height, depth), colours by eye."""

RIMS = {'rim left': 0.5, 'rim right': 0.5}
# One scale for the family: a larger tablet stands larger in the frame.
VIEWS = {
    'front': dict(pose='pair', elevation=4, frame_mm=314, lights=RIMS),
    'back': dict(turn=180 - 26, elevation=5, frame_mm=314, lights=RIMS),
    'side': dict(turn=-38, elevation=5, frame_mm=314, lights=RIMS),
}
# The 13-inch tablets stand across: on cards side by side nobody takes one for the other.
LARGE = {
    'front': {**VIEWS['front'], 'pose': 'crossed'},
    'back': {**VIEWS['back'], 'pose': 'landscape', 'turn': 180 + 26},
    'side': {**VIEWS['side'], 'pose': 'landscape', 'turn': 32},
}
# The views that only the flagship has besides, so that every colour of it has seven pictures.
FLAGSHIP = {
    **LARGE,
    'detail': dict(turn=180 + 30, elevation=8, frame_mm=88, focus=(86, 0, 116), fade={'bottom': 0.25, 'right': 0.25}, exposure=0.15,
                   lights=RIMS),
    'port': dict(pose='face down', turn=-22, elevation=15, frame_mm=132, focus=(3, -130, 19), lights={'card': 3, 'top': 0.8},
                 fade={'left': 0.15, 'right': 0.2, 'top': 0.25}),
    'scale': dict(pose='card', elevation=4, frame_mm=320, lights=RIMS),
    'box': dict(turn=-26, elevation=10, frame_mm=350, exposure=-0.08, lights={'fill': 0.6, 'rim right': 0.5}, box=(305, 240, 36),
                print=dict(pose='landscape', turn=0, elevation=0, fill=0.86, exposure=0.12, lights=RIMS)),
}


def _colour(body, palette, ground, glass=None):
    return dict(body=body, palette=palette, ground=ground, glass=glass or body)


def _tablet(size, colours, **params):
    views = LARGE if size[1] > 260 else VIEWS
    return dict(model='tablet.build', params=dict(size=size, **params), colours=colours, views=views, first=1)


BLUE = ['#0e2a5a', '#2f6fc0', '#86bdf0', '#e6f4ff']
PURPLE = ['#2a1a58', '#6a4cc0', '#b49af0', '#f3e6ff']
GOLD = ['#5a2a10', '#d07a3a', '#f4c07e', '#fff2dc']
GREY = ['#16202e', '#46607e', '#93aec8', '#e8f1f8']
AIR = {
    'Blue': _colour('#b6c6da', BLUE, '#050c1a'),
    'Purple': _colour('#d3cde2', PURPLE, '#0b0618'),
    'Starlight': _colour('#e8e1d5', GOLD, '#140a05'),
    'Space Gray': _colour('#75767a', GREY, '#06090d'),
}
A16 = {
    'Blue': _colour('#5f97d3', ['#0a2466', '#1f66d8', '#5fb4f7', '#d8f1ff'], '#030a1a'),
    'Pink': _colour('#ea7a8c', ['#5c0f2c', '#d83a68', '#f88aa4', '#ffe0e6'], '#17040b'),
    'Yellow': _colour('#f4dc78', ['#5a3a04', '#d89a10', '#f7d254', '#fff7d0'], '#140e02'),
    'Silver': _colour('#e2e3e4', GREY, '#06090d'),
}
PRO = {
    'Space Black': _colour('#3d3d40', ['#1c1033', '#7a2f8f', '#f0627c', '#ffc98a'], '#08040d', '#2f2f32'),
    'Silver': _colour('#e1e2e3', ['#0e2440', '#2f7fa8', '#7fd0c8', '#f2ffe8'], '#040c12', '#d8d9da'),
}

PRODUCTS = {
    'ipad-air-11-m3': _tablet((178.5, 247.6, 6.1), AIR, design=(62, 4, 4)),
    'ipad-pro-11-m5': _tablet((177.5, 249.7, 5.3), PRO, camera='square', bezel=7.6, design=(62, 4, 7)),
    'ipad-a16': _tablet((179.5, 248.6, 7.0), A16, bezel=9.4, connector=False, design=(62, 4, 2)),
    'ipad-mini-a17-pro': _tablet((134.8, 195.4, 6.3), AIR, camera='flash', bezel=8.4, connector=False, radius=16.5, design=(62, 4, 12)),
    'ipad-air-13-m3': _tablet((214.9, 280.6, 6.1), AIR, design=(-4, 9, 4, 'petals')),
    'ipad-pro-13-m5': {
        **_tablet((215.5, 281.6, 5.1), PRO, camera='square', bezel=7.6, design=(10, 9, 7, 'petals')),
        'views': FLAGSHIP,
        'first': 7,
    },
}
