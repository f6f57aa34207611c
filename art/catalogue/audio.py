"""AirPods, headphones and speakers: sizes in millimetres, colours by eye."""


def _speaker(mesh, top, dark=False):
    return dict(mesh=mesh, top=top, dark=dark)


def _phones(shell, soft, band, metal='#c9cacc'):
    return dict(shell=shell, soft=soft, band=band, metal=metal)


HEADPHONE_VIEWS = {
    'front': dict(turn=-30, elevation=8, fill=0.84),
    'side': dict(turn=-86, elevation=4, fill=0.84),
    'angle': dict(turn=38, elevation=22, fill=0.84),
}
SPEAKER_VIEWS = {
    'front': dict(elevation=9, fill=0.74),
    'top': dict(elevation=52, fill=0.74, rig='table'),
    'angle': dict(elevation=24, fill=0.76),
}

MINI = {
    'White': _speaker('#f7f7f5', '#e3e3e2'),
    'Midnight': _speaker('#33363c', '#1b1c1f', True),
    'Blue': _speaker('#4f86b8', '#3f78ac'),
    'Orange': _speaker('#e8714a', '#e0683f'),
    'Yellow': _speaker('#f0c64a', '#ecc044'),
}

# White things keep their shape in a dimmer light with more of a key in it.
WHITE = dict(exposure=-0.25, lights={'fill': 0.5, 'card': 0.6})
BUD_VIEWS = {
    'case': dict(elevation=16, fill=0.74, exposure=-0.12, lights={'fill': 0.8, 'card': 1.6, 'top': 0.7}),
    'buds': dict(elevation=6, fill=0.76, **WHITE),
    'angle': dict(elevation=12, turn=-28, fill=0.7, exposure=-0.15, lights={'fill': 0.7, 'card': 1.4, 'top': 0.7}),
}
# The twin in the same case: one earphone taken out, and the case from below, where its loudspeaker is.
TWIN_VIEWS = {
    'case': {**BUD_VIEWS['case'], 'pose': 'one out', 'turn': 24, 'elevation': 20},
    'buds': {**BUD_VIEWS['buds'], 'pose': 'apart', 'turn': -14, 'elevation': 14},
    'angle': {**BUD_VIEWS['angle'], 'pose': 'lying', 'turn': 24, 'elevation': 30},
}


def _buds(case, seam, views=BUD_VIEWS, **params):
    return dict(model='earbuds.build', params=dict(case=case, seam=seam, **params), colours={'White': {}}, views=views, first=1)


PRODUCTS = {
    'airpods-pro-3': _buds((62.2, 47.2, 21.8), 31.5, tips=True, stem=21),
    'airpods-4': _buds((50.1, 46.2, 21.2), 31.0, tips=False, stem=22),
    'airpods-4-anc': _buds((50.1, 46.2, 21.2), 31.0, TWIN_VIEWS, tips=False, stem=22, speaker=True),
    'homepod-mini': dict(
        model='speaker.build', params=dict(profile='ball', diameter=97.9, height=84.3, top=28, mesh=(92, 34)),
        colours=MINI, views=SPEAKER_VIEWS, first=1),
    'homepod': dict(
        model='speaker.build', params=dict(profile='drum', diameter=142, height=168, top=42, mesh=(104, 46)),
        colours={k: MINI[k] for k in ('White', 'Midnight')}, views=SPEAKER_VIEWS, first=1),
    'airpods-max-usb-c': dict(
        model='headphones.build', params=dict(style='mesh', cup=(66, 84, 26, 31), width=168.6, height=187.3, dome=10),
        colours={
            'Midnight': _phones('#353b47', '#23262d', '#2a2d34'),
            'Starlight': _phones('#e6dfd1', '#d9d1c3', '#e3dccf'),
            'Blue': _phones('#a6bbd0', '#8ea5bb', '#a9bccd'),
            'Purple': _phones('#cdc3db', '#b5aac6', '#cbc2d8'),
            'Orange': _phones('#f2a88e', '#dc917a', '#efb09a'),
        }, views=HEADPHONE_VIEWS, first=1),
    'beats-studio-pro': dict(
        model='headphones.build', params=dict(style='band', cup=(69, 86, 24, 34), width=170, height=186, dome=12, arm=30, lean=10),
        colours={
            'Black': _phones('#1c1c1e', '#161618', '#1c1c1e', '#77787b'),
            'Navy': _phones('#26334f', '#1f2a42', '#26334f', '#8b8f98'),
            'Sandstone': _phones('#cdbfae', '#c0b1a0', '#cdbfae', '#b9ab99'),
            'Deep Brown': _phones('#4a352b', '#3e2c24', '#4a352b', '#9a7d66'),
        }, views=HEADPHONE_VIEWS, first=1),
}
