"""Notebooks: their sizes, colours and views."""


def _look(body, palette, ground, seed, turn=18, **more):
    return {'body': body, 'wallpaper': {'palette': palette, 'ground': ground, 'seed': seed, 'turn': turn}, **more}


SKY = _look('#b9cbdb', ['#0b2a6b', '#2f7bd9', '#7cc4f5', '#e9f6ff'], '#1d57b5', 4)
SILVER = _look('#d9dadc', ['#3b1c7a', '#b23fae', '#ff8a6b', '#ffe0a8'], '#4a1f86', 7, 14)
STARLIGHT = _look('#e0d7c8', ['#5a2a12', '#c96a2b', '#f3b763', '#fff2d6'], '#7a3a16', 9, 22)
MIDNIGHT = _look('#262d39', ['#0a1f3d', '#1d5f8a', '#45b6b0', '#d7fff0'], '#0e3350', 12, 16)
SPACE_BLACK = _look('#3d3e42', ['#1a1036', '#5a2ea6', '#d0539a', '#ffb27a'], '#24114a', 5, 20)
PRO_SILVER = _look('#d7d8da', ['#0c2450', '#2263c7', '#33c1d9', '#d9fff4'], '#103a7c', 8, 16)

AIR = {'Sky Blue': SKY, 'Silver': SILVER, 'Starlight': STARLIGHT, 'Midnight': MIDNIGHT}
PRO = {'Space Black': SPACE_BLACK, 'Silver': PRO_SILVER}

OPEN = {'card': 0.0, 'top': 1.5, 'fill': 0.7}
# One scale for the family: a larger notebook stands larger in the frame. The detail looks at the keyboard from above.
VIEWS = {
    'open': dict(angle=106, turn=-24, elevation=15, frame_mm=470, lights=OPEN),
    'closed': dict(angle=0, turn=-28, elevation=26, rig='table', frame_mm=440, exposure=-0.3, lights={'top': 0.55}),
    'side': dict(angle=110, turn=80, elevation=8, frame_mm=414, lights={'top': 1.4}),
    'detail': dict(angle=109, turn=-7, elevation=83, rig='table', frame_mm=446, exposure=-0.42, lights={'top': 0.6}),
}
# The views that only the flagship has besides, so that every colour of it has seven pictures.
FLAGSHIP = {
    **VIEWS,
    'ports': dict(angle=0, turn=68, elevation=13, frame_mm=104, focus=(-150, 64, 23), fade={'right': 0.3}, exposure=0.05, lights={'top': 0.7}),
    'scale': dict(angle=109, pose='card', turn=-7, elevation=50, rig='table', frame_mm=446, exposure=-0.4, lights={'top': 0.6}),
    'box': dict(turn=-26, elevation=10, frame_mm=400, exposure=-0.08, lights={'fill': 0.6, 'rim right': 0.5}, box=(345, 250, 58),
                print=dict(angle=100, turn=0, elevation=3, fill=0.84, exposure=0.12, lights=OPEN)),
}
# Configurations in one body differ by their picture: they look the other way, are opened wider and have another wallpaper.
TWIN = {
    'open': {**VIEWS['open'], 'angle': 111, 'turn': 25},
    'closed': {**VIEWS['closed'], 'turn': 30},
    'side': {**VIEWS['side'], 'angle': 115, 'turn': -80},
    'detail': {**VIEWS['detail'], 'turn': 8},
}

AIR_13 = dict(size=(304.1, 215.0, 11.3), radius=11.5, lid=3.7, kind='air', bezel=(5.4, 6.0, 10.0), keys_from=14.5, pad=(121, 76))
AIR_15 = dict(size=(340.4, 237.6, 11.5), radius=11.5, lid=3.7, kind='air', bezel=(5.4, 6.0, 10.0), keys_from=17.5, pad=(140, 88))
PRO_14 = dict(size=(312.6, 221.2, 15.5), radius=12, lid=4.2, kind='pro', bezel=(4.6, 5.0, 9.5), keys_from=15.5, pad=(130, 81))
PRO_16 = dict(size=(355.7, 248.1, 16.8), radius=12.5, lid=4.4, kind='pro', bezel=(4.6, 5.0, 9.5), keys_from=17.5, pad=(160, 99))


def _laptop(params, colours, views=VIEWS):
    return dict(model='laptop.build', params=params, colours=colours, views=views)


def _petals(colours, turn, folds=9):
    """The same bodies with another wallpaper."""
    return {name: {**c, 'wallpaper': {**c['wallpaper'], 'style': 'petals', 'turn': turn, 'folds': folds}} for name, c in colours.items()}


PRODUCTS = {
    'macbook-air-13-m4': _laptop(AIR_13, AIR),
    'macbook-air-13-m4-10-core': _laptop(AIR_13, _petals(AIR, 6), TWIN),
    'macbook-pro-14-m5': {**_laptop(PRO_14, PRO, FLAGSHIP), 'first': 7},
    'macbook-pro-14-m4-pro': _laptop(PRO_14, _petals(PRO, -8, 8), TWIN),
    'macbook-air-15-m4': _laptop(AIR_15, AIR),
    'macbook-pro-16-m4-pro': _laptop(PRO_16, PRO),
}
