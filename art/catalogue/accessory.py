"""Chargers, tags, pens, stands and batteries: their colours and views."""

ONE = {None: {}}


def _item(function, views, colours=None):
    return dict(model=f'accessory.{function}', params={}, colours=colours or ONE, views=views)


PRODUCTS = {
    'magsafe-charger': _item('magsafe', {
        'front': dict(turn=-24, elevation=44, rig='table', fill=0.84, exposure=-0.4),
        'detail': dict(turn=28, elevation=16, rig='table', fill=0.86, exposure=-0.3),
        'above': dict(turn=0, elevation=82, rig='table', fill=0.84, exposure=-0.45)}),
    'airtag': _item('airtag', {
        'front': dict(turn=0, elevation=8, pose='both', fill=0.8, exposure=-0.2),
        'detail': dict(turn=0, elevation=4, pose='rear', fill=0.72),
        'side': dict(turn=0, elevation=18, pose='flat', rig='table', fill=0.76, exposure=-0.3)}),
    'apple-pencil-pro': _item('pencil', {
        'front': dict(turn=38, elevation=62, rig='table', fill=0.92, exposure=-0.4),
        'detail': dict(turn=68, elevation=16, rig='table', fill=0.84, exposure=-0.35),
        'side': dict(turn=0, elevation=14, rig='table', fill=0.9, exposure=-0.3)}),
    'belkin-boostcharge-pro-3-in-1': _item('belkin', {
        'front': dict(turn=-20, elevation=14, fill=0.84),
        'detail': dict(turn=32, elevation=28, fill=0.84),
        'back': dict(turn=158, elevation=14, fill=0.84)}, {
        'Black': {'body': '#1b1b1d', 'soft': '#232325', 'line': '#3b3b3e', 'puck': '#e9e9ea'},
        'White': {'body': '#ededec', 'soft': '#f2f2f1', 'line': '#d3d3d2', 'puck': '#f5f5f5'}}),
    'twelve-south-curve': _item('curve', {
        'front': dict(turn=-32, elevation=16, fill=0.84, exposure=-0.25),
        'detail': dict(turn=86, elevation=10, fill=0.8, exposure=-0.25),
        'back': dict(turn=150, elevation=20, fill=0.84, exposure=-0.25)}, {
        'White': {'body': '#eeeeed'}, 'Matte Black': {'body': '#252528', 'studio': dict(exposure=0.25, lights={'rim left': 4, 'rim right': 4, 'top': 1.8})}}),
    'twelve-south-airfly-pro': _item('airfly', {
        'front': dict(turn=-36, elevation=40, rig='table', fill=0.8, exposure=-0.4),
        'detail': dict(turn=146, elevation=26, rig='table', fill=0.8, exposure=-0.4),
        'above': dict(turn=0, elevation=80, rig='table', fill=0.8, exposure=-0.4)}),
    'nomad-base-one': _item('base_one', {
        'front': dict(turn=-28, elevation=34, rig='table', fill=0.84, lights={'top': 0.6}),
        'detail': dict(turn=20, elevation=14, rig='table', fill=0.84),
        'above': dict(turn=0, elevation=82, rig='table', fill=0.84)}, {'Carbide': {'body': '#56575c', 'studio': dict(exposure=0.2, lights={'rim left': 5, 'rim right': 5, 'top': 1.0})}}),
    'anker-737-power-bank': _item('power_bank', {
        'front': dict(turn=-28, elevation=14, fill=0.84),
        'detail': dict(turn=30, elevation=46, fill=0.8),
        'side': dict(turn=-72, elevation=10, fill=0.84)}),
}
