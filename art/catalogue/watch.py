"""Watches: their sizes, colours and views."""

VIEWS = {
    'front': dict(turn=-30, elevation=9, fill=0.84, lights={'card': 0.3}),
    'side': dict(turn=-82, elevation=6, fill=0.8),
    'face': dict(turn=0, elevation=3, fill=0.84, lights={'card': 0.3}),
    'back': dict(turn=152, elevation=12, fill=0.84, lights={'card': 0.3}),
}


def _look(case, band, *face):
    return {'case': case, 'band': band, 'face': list(face)}


SERIES = {
    'Rose Gold': _look('#e6bfae', '#f1d8cf', '#6e1f3c', '#d9577a', '#ffb59a', '#ffe6d6'),
    'Silver': _look('#d9dadc', '#c9b8d9', '#2b1c66', '#6d52c9', '#b7a2f2', '#f0eaff'),
    'Space Gray': _look('#5d5e61', '#2b2c2f', '#0b2a4a', '#1f78a8', '#62d0d8', '#e6fff8'),
    'Jet Black': _look('#111113', '#161617', '#3a0b2c', '#b0305c', '#ff7a4a', '#ffd9a0'),
}
TITANIUM = {
    'Natural Titanium': _look('#b5aa9c', '#cfc6b8', '#43301d', '#a97a45', '#e0bd85', '#fff3dc'),
    'Gold Titanium': _look('#dcbf96', '#ece0cd', '#5c3410', '#c9832f', '#f4c675', '#fff1d0'),
    'Slate Titanium': _look('#5b5a5a', '#232325', '#10222e', '#2e5d78', '#7fb1c9', '#e4f5fc'),
}
ENTRY = {
    'Starlight': _look('#e3dacb', '#ece4d6', '#ff375f', '#9af02c', '#2fd8f0'),
    'Midnight': _look('#232a35', '#1b2029', '#ff375f', '#9af02c', '#2fd8f0'),
}
ULTRA = {
    'Natural Titanium': _look('#b9aea1', '#2f3b52', '#10161f', '#9fb4c9', '#ff7a2a'),
    'Black Titanium': _look('#2d2c2c', '#19191b', '#15100c', '#c9b49f', '#ff7a2a'),
}


def _watch(size, radius, polish, face, colours, kind='round', **more):
    params = dict(size=size, radius=radius, polish=polish, face=face, kind=kind, **more)
    return dict(model='watch.build', params=params, colours=colours, views=VIEWS)


PRODUCTS = {
    'apple-watch-series-11': _watch((39, 46, 9.7), 12.2, 0.34, 'sport', SERIES),
    'apple-watch-series-11-titanium': _watch((36, 42, 9.7), 11.4, 0.12, 'sport', TITANIUM),
    'apple-watch-se-3': _watch((38, 44, 10.7), 11.8, 0.34, 'plain', ENTRY),
    'apple-watch-ultra-3': _watch((44, 49, 14.4), 13.5, 0.36, 'explorer', ULTRA, 'ultra', lug=31, strap=25, thick=3.4),
}
