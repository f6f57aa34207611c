"""iPhones: sizes in millimetres (width, height, depth), colours by eye."""

# The sides of the frames are bright enough with half of the rim lights.
RIMS = {'rim left': 0.5, 'rim right': 0.5}
# One scale for the family: a larger phone stands larger in the frame.
VIEWS = {
    'back': dict(pose='pair', elevation=4, frame_mm=184, lights=RIMS),
    'front': dict(turn=0, elevation=4, frame_mm=184, lights=RIMS),
    'side': dict(turn=180 - 34, elevation=5, frame_mm=184, lights=RIMS),
}
# The larger phone of a generation shows its back first: on cards side by side nobody takes one for the other.
LARGE = {'back': {**VIEWS['back'], 'pose': 'back first'}, 'front': VIEWS['front'], 'side': {**VIEWS['side'], 'turn': 180 + 34}}
# The views that only the flagship has besides, so that every colour of it has six pictures.
FLAGSHIP = {
    **VIEWS,
    'detail': dict(turn=180 - 28, elevation=7, frame_mm=96, focus=(2, 0, 45), fade={'bottom': 0.3}, lights=RIMS),
    'scale': dict(pose='card', elevation=4, frame_mm=184, lights=RIMS),
    'box': dict(turn=-32, elevation=10, frame_mm=206, exposure=-0.08, lights={'fill': 0.6, 'rim right': 0.5}, box=(89, 166, 32),
                print=dict(turn=180, elevation=0, fill=0.92, exposure=0.12, lights=RIMS)),
}


def _colour(back, frame, palette, ground, plateau=None, lens=None, **more):
    return dict(back=back, frame=frame, plateau=plateau or back, lens=lens or frame, wallpaper=dict(palette=palette, ground=ground, **more))


def _phone(size, cameras, colours, **params):
    views = LARGE if size[1] > 158 else VIEWS
    return dict(model='phone.build', params=dict(size=size, cameras=cameras, **params), colours=colours, views=views, first=2)


PRO_17 = {
    'Cosmic Orange': _colour('#f09a5a', '#f07a2a', ['#5b1d0a', '#d8521b', '#ff8f3a', '#ffd08a'], '#170805', lens='#d8702c'),
    'Deep Blue': _colour('#3c455f', '#323a54', ['#0b1236', '#26418f', '#5b83e0', '#c8dcff'], '#04060f', lens='#4a5371'),
    'Silver': _colour('#f2f2f1', '#e6e7e8', ['#3b3f4a', '#8b93a3', '#cfd6e0', '#ffffff'], '#0c0d11', lens='#c8c9ca'),
}
PRO_16 = {
    'Desert Titanium': _colour('#c3a68f', '#b3917a', ['#4a2a1a', '#b06a42', '#e5a77c', '#ffe3c7'], '#120a06', lens='#a88770'),
    'Natural Titanium': _colour('#c0bab0', '#a39c92', ['#2f2b26', '#7d7468', '#c2b7a6', '#f4ecdf'], '#0c0b0a', lens='#9a948a'),
    'White Titanium': _colour('#f1f0ec', '#d3d1cc', ['#34404f', '#7d96b5', '#c5d6ea', '#ffffff'], '#0a0d12', lens='#cac8c4'),
    'Black Titanium': _colour('#3d3c3d', '#4b4a4b', ['#17181c', '#45484f', '#8f949c', '#dadde2'], '#050506', lens='#4e4d4e'),
}
PLAIN_17 = {
    'Lavender': _colour('#d8c7ea', '#c4b2d8', ['#3a1d6b', '#7d4fd0', '#c39bf2', '#f7d9ff'], '#0d0718'),
    'Mist Blue': _colour('#9fb6d9', '#8ea7cd', ['#0e2452', '#2f62b5', '#86b1ee', '#e3f1ff'], '#040a17'),
    'Sage': _colour('#aeba90', '#9aa97b', ['#16301a', '#4d7a3a', '#a3c470', '#f1f6c8'], '#060d06'),
    'White': _colour('#f5f5f4', '#dcdddd', ['#7a2d4f', '#e06a6f', '#f8b26a', '#fff0cf'], '#12070c'),
    'Black': _colour('#37393c', '#3b3d40', ['#101a33', '#3b4c78', '#8fa0c4', '#e6ecf8'], '#05060a'),
}
PLAIN_16 = {
    'Ultramarine': _colour('#8fa3f5', '#7d92e8', ['#12145c', '#3a3fd0', '#7f8cff', '#d6dcff'], '#05051a', plateau='#7c90ee'),
    'Teal': _colour('#b0d3d0', '#98c2be', ['#063c3d', '#12827d', '#5fc8bb', '#dcfff2'], '#031213', plateau='#9cc6c2'),
    'Pink': _colour('#f1b0d8', '#e49bc9', ['#5c0f45', '#c43a94', '#f587c6', '#ffe0f2'], '#170411', plateau='#ea9dcc'),
    'White': _colour('#f6f6f5', '#dddddd', ['#0f3b66', '#2f8fd0', '#8fd3f5', '#f0fbff'], '#040d17', plateau='#ededec'),
    'Black': _colour('#3a3d40', '#3f4144', ['#1c1530', '#55407a', '#a48bc8', '#efe6fb'], '#07050c', plateau='#2e3033'),
}
AIR = {
    'Sky Blue': _colour('#dbe8f2', '#b7cad9', ['#0d3a66', '#3c8fd6', '#9fd2f7', '#f2fbff'], '#040f1b'),
    'Light Gold': _colour('#f2e9d8', '#dcc9a6', ['#5a3a10', '#c58f3a', '#efcd86', '#fff7e0'], '#140d04'),
    'Cloud White': _colour('#f6f6f5', '#dfdfdd', ['#39434f', '#8a9bad', '#cfdae4', '#ffffff'], '#0b0e12'),
    'Space Black': _colour('#1f1f21', '#2c2c2e', ['#141518', '#3f434b', '#8b919c', '#e6e9ee'], '#050506'),
}
ENTRY = {
    'White': _colour('#f6f6f5', '#dedede', ['#083a55', '#1389b0', '#69d0e4', '#e6feff'], '#031018'),
    'Black': _colour('#37393b', '#3b3d3f', ['#10231c', '#2f6b54', '#7fc4a3', '#e2fbef'], '#040a08'),
}

PRODUCTS = {
    'iphone-17-pro': {**_phone((71.9, 150.0, 8.75), 'full', PRO_17, radius=14.0, design=(115, 5, 2)), 'views': FLAGSHIP, 'first': 6},
    'iphone-17-pro-max': _phone((78.0, 163.4, 8.75), 'full', PRO_17, radius=14.5, design=(8, 7, 2, 'petals')),
    'iphone-air': _phone((74.7, 156.2, 5.64), 'bar', AIR, design=(62, 4, 6), radius=13.5, frame_rough=0.16),
    'iphone-17': _phone((71.5, 149.6, 7.95), 'two', PLAIN_17, design=(62, 4, 4), radius=13.0),
    'iphone-16-pro-max': _phone((77.6, 163.0, 8.25), 'square', PRO_16, design=(-14, 8, 5, 'petals'), radius=14.0, frame_rough=0.38),
    'iphone-16-pro': _phone((71.5, 149.6, 8.25), 'square', PRO_16, design=(62, 4, 11), radius=13.5, frame_rough=0.38),
    'iphone-16-plus': _phone((77.8, 160.9, 7.80), 'two', PLAIN_16, design=(20, 6, 9, 'petals'), radius=13.0, bezel=3.3),
    'iphone-16': _phone((71.6, 147.6, 7.80), 'two', PLAIN_16, radius=12.5, bezel=3.3),
    'iphone-16e': _phone((71.5, 146.7, 7.80), 'one', ENTRY, design=(115, 5, 6), radius=11.5, bezel=3.9, island='notch', control=False),
}
