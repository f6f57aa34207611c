"""Keyboards and mice: their colours and views."""

KEYBOARD_VIEWS = {
    'front': dict(turn=-24, elevation=36, rig='table', fill=0.88, exposure=-0.5),
    'detail': dict(turn=0, elevation=72, rig='table', fill=0.9, exposure=-0.5),
    'side': dict(turn=-62, elevation=20, rig='table', fill=0.86, exposure=-0.45),
}
TABLET_VIEWS = {
    'front': dict(turn=-26, elevation=18, fill=0.84, lights={'card': 0, 'top': 1.4}, exposure=-0.2),
    'detail': dict(turn=0, elevation=46, rig='table', fill=0.84, exposure=-0.45),
    'side': dict(turn=80, elevation=8, fill=0.82),
}
MOUSE_VIEWS = {
    'front': dict(turn=42, elevation=44, rig='table', fill=0.8, exposure=-0.45),
    'detail': dict(turn=96, elevation=14, rig='table', fill=0.82, exposure=-0.45),
    'above': dict(turn=0, elevation=80, rig='table', fill=0.8, exposure=-0.3),
}
MAGIC_MOUSE_VIEWS = {
    'front': dict(turn=-34, elevation=34, rig='table', fill=0.8, exposure=-0.45),
    'detail': dict(turn=-90, elevation=8, rig='table', fill=0.8),
    'above': dict(turn=0, elevation=80, rig='table', fill=0.8, exposure=-0.3),
}

MAGIC = {
    'White': {'body': '#c4c5c9', 'key': '#f5f5f6', 'legend': '#6f7076'},
    'Black': {'body': '#c9cacd', 'key': '#141416', 'legend': '#d4d4d8'},
}
MINI = {
    'Pale Gray': {'body': '#d5d5d6', 'key': '#eeeeee', 'legend': '#77787d'},
    'Space Gray': {'body': '#4c4d51', 'key': '#2c2d30', 'legend': '#d6d6da'},
    'Rose': {'body': '#d9a9a6', 'key': '#ecc9c5', 'legend': '#8a5a58'},
}
AIR_KEYS = {'body': '#efefef', 'deck': '#e6e6e7', 'well': '#9a9ba0', 'key': '#fafafa', 'legend': '#7b7c82', 'pad': '#e9e9ea', 'hinge': '#d3d4d7',
            'back': '#b4c4d8', 'wallpaper': {'palette': ['#123a8c', '#5b7bea', '#b79bf2', '#ffd9ec'], 'ground': '#2d49b8', 'seed': 3, 'turn': 22}}
PRO_KEYS = {'body': '#232326', 'deck': '#3a3b3f', 'well': '#0d0d0f', 'key': '#101012', 'legend': '#d8d8dc', 'pad': '#2e2f33', 'hinge': '#37383c',
            'back': '#2d2e31', 'wallpaper': {'palette': ['#3a0f5c', '#a02f8f', '#ff6d6d', '#ffd08a'], 'ground': '#4a1a73', 'seed': 10, 'turn': 18}}
PRO_WHITE = {'body': '#efefef', 'deck': '#d9dadc', 'well': '#8e8f94', 'key': '#fafafa', 'legend': '#7b7c82', 'pad': '#dcdddf', 'hinge': '#d3d4d7',
             'back': '#d9dadc', 'wallpaper': {'palette': ['#0e2440', '#2f7fa8', '#7fd0c8', '#f2ffe8'], 'ground': '#0b1f38', 'seed': 12, 'turn': 14}}
# The finish is no colour of the catalogue: the white one is a view of its own.
PRO_VIEWS = {**TABLET_VIEWS, 'white': {**TABLET_VIEWS['front'], 'turn': 26, 'look': PRO_WHITE, 'exposure': -0.6}}


def _tablet(colour, views=TABLET_VIEWS, **more):
    params = dict(size=(249, 186), pitch=16.25, pad=(108, 62), tablet=(247.6, 178.5, 6.1), **more)
    return dict(model='keyboard.tablet', params=params, colours={None: colour}, views=views)


PRODUCTS = {
    'magic-keyboard-ipad-air': _tablet(AIR_KEYS),
    'magic-keyboard-ipad-pro': _tablet(PRO_KEYS, PRO_VIEWS, metal=True),
    'magic-keyboard-touch-id-numeric': dict(model='keyboard.magic', params={}, colours=MAGIC, views=KEYBOARD_VIEWS),
    'logitech-mx-keys-mini-mac': dict(model='keyboard.mini', params={}, colours=MINI, views=KEYBOARD_VIEWS),
    'magic-mouse': dict(model='mouse.magic', params={}, views=MAGIC_MOUSE_VIEWS, colours={
        'White': {'top': '#f6f6f6', 'body': '#cfd0d3'}, 'Black': {'top': '#0c0c0e', 'body': '#48494d'}}),
    'logitech-mx-master-3s-mac': dict(model='mouse.master', params={}, views=MOUSE_VIEWS, colours={
        'Pale Gray': {'body': '#d3d3d4', 'grip': '#bdbdbf', 'wheel': '#c9cacd'},
        'Space Gray': {'body': '#3b3c40', 'grip': '#26272a', 'wheel': '#7d7e83'}}),
}
