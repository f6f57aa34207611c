"""The one studio: lights, camera, floor shadow and render settings, the same for every product.

A model is built in millimetres, upright on the floor (z up, its face towards -y). The studio turns it, sets it on
the floor, scales it so that it fills the frame, and lights it. Inside the studio the frame is 2 units wide, so lights
and camera never depend on the size of the product.
"""

import math
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

FRAME = 2.0
NEAR = ('key', 'above')  # lights that are lamps, near enough to shade a flat surface; the others are painted on the room
DISTANCE = 9.0

# Each light: name, position, size (width, height), power, feather of the edge. Positions are relative to the middle
# of the product, x to the right, y away from the camera, z up.
RIGS = {
    # For things that stand: phones, tablets, speakers, displays, open laptops.
    'stand': [
        ('key', (-3.2, -3.4, 2.6), (2.6, 3.6), 300, 0.5),
        ('fill', (3.8, -3.2, 0.8), (1.6, 3.4), 95, 0.6),
        ('top', (0.2, 0.4, 3.8), (3.4, 2.0), 150, 0.5),
        ('rim left', (-3.2, 0.7, 0.4), (1.2, 4.0), 130, 0.5),
        ('rim right', (3.2, 0.8, 0.4), (1.1, 4.0), 120, 0.5),
        ('card', (-1.2, -8.5, 4.2), (5.0, 3.0), 170, 0.7),
    ],
    # For things that lie and are seen from above: closed laptops, keyboards, chargers.
    'table': [
        ('key', (-3.0, -2.2, 3.6), (2.8, 3.2), 260, 0.5),
        ('fill', (3.6, -2.4, 2.2), (1.6, 3.0), 60, 0.6),
        ('top', (0.4, 2.6, 3.6), (4.2, 2.2), 200, 0.6),
        ('rim left', (-3.2, 1.6, 0.9), (0.7, 2.6), 45, 0.4),
        ('rim right', (3.2, 1.8, 0.9), (0.6, 2.6), 50, 0.4),
    ],
}

# Casts the fine shadows, from where the key of 'stand' shines.
KEY_OF_CONTACT = ('key', (-1.6, -1.7, 3.2), (1.6, 1.6), 40, 0.5)


def empty_scene(size, samples, threads=1):
    """A fresh scene with the render settings."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    scene.render.threads_mode, scene.render.threads = 'FIXED', threads
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.render.film_transparent = True
    scene.render.filter_size = 1.5
    scene.view_settings.view_transform = 'Standard'
    cycles = scene.cycles
    cycles.device, cycles.samples = 'CPU', samples
    cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = True, 0.04, 8
    cycles.use_denoising = False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 1, 3
    cycles.transmission_bounces, cycles.transparent_max_bounces = 4, 8
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.blur_glossy = 2.0, 0.5
    return scene


def shoot(root, path, turn=0.0, elevation=5.0, fill=0.8, frame_mm=None, rig='stand', exposure=0.0, lights=None,
          world=0.36, lean=0.0, roll=0.0, shadow=None, contact=None, poses=(), region=None, focus=None, **_):
    """Light, frame and render the product under `root` to `<path>.….exr`, and its shadow to `shadow` if it is not there.

    `contact`: the pixels of a fine shadow, for things that stand on a floor together.
    `focus`: a point of the product in millimetres that is the middle of a close view; the lights are placed around it.
    `poses`: (path, function that moves parts) to render instead, by the same camera and in the same light, each with its
    shadow and only in `region`: left, top, right and bottom as shares of the frame.
    """
    scene = bpy.context.scene
    stage = bpy.data.objects.new('stage', None)
    scene.collection.objects.link(stage)
    root.parent = stage
    stage.rotation_euler = (math.radians(lean), math.radians(roll), math.radians(turn))
    camera = _camera(scene, elevation)
    _frame(scene, stage, camera, fill, frame_mm)
    middle = stage.matrix_world @ Vector(focus) if focus else _bounds(_points())[2]
    _lights(scene, middle, RIGS[rig], lights or {}, exposure)
    _world(scene, world, RIGS[rig], lights, 2**exposure)
    _aim(scene, camera, elevation, middle)
    if not focus:
        _recentre(scene, camera)
    if poses:
        _write_poses(scene, poses, region, contact)
        return
    _write(scene, path)
    if shadow and not Path(shadow).exists():
        _shadow_scene(scene, contact)
        _write_shadow(scene, shadow)


def _write_poses(scene, poses, region, contact):
    _crop(scene, region)
    for path, move in poses:
        move()
        _write(scene, path)
    _shadow_scene(scene, contact)
    for path, move in poses:
        move()
        _write_shadow(scene, f'{path}.shadow.exr')


def _points():
    """Every vertex of every part as it will be rendered, in world space."""
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    clouds = []
    for item in bpy.context.scene.objects:
        if item.type not in ('MESH', 'CURVE') or item.hide_render:
            continue
        evaluated = item.evaluated_get(depsgraph)
        data = evaluated.to_mesh()
        cloud = np.empty(len(data.vertices) * 3, np.float32)
        data.vertices.foreach_get('co', cloud)
        matrix = np.array(evaluated.matrix_world, np.float32)
        clouds.append(cloud.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
        evaluated.to_mesh_clear()
    return np.concatenate(clouds)


def _bounds(points):
    low, high = points.min(0), points.max(0)
    return low, high, (low + high) / 2


def _camera(scene, elevation):
    data = bpy.data.cameras.new('camera')
    data.sensor_width, data.lens, data.clip_end = 36.0, 36.0 * DISTANCE / FRAME, 100
    camera = bpy.data.objects.new('camera', data)
    scene.collection.objects.link(camera)
    scene.camera = camera
    _aim(scene, camera, elevation, Vector((0, 0, 0)))
    return camera


def _aim(scene, camera, elevation, middle):
    angle = math.radians(elevation)
    camera.location = Vector(middle) + Vector((0, -DISTANCE * math.cos(angle), DISTANCE * math.sin(angle)))
    camera.rotation_euler = (math.pi / 2 - angle, 0, 0)
    bpy.context.view_layer.update()


def _seen(camera, points):
    """Points in units of the frame: (-1, -1) to (1, 1), before any shift of the lens."""
    matrix = np.array(camera.matrix_world.inverted(), np.float32)
    local = points @ matrix[:3, :3].T + matrix[:3, 3]
    return local[:, :2] / -local[:, 2:3] * DISTANCE


def _frame(scene, stage, camera, fill, frame_mm):
    """Scale the stage to the frame and set it on the floor, its middle over the origin."""
    stage.scale = (0.01,) * 3
    for _ in range(3):
        low, high, middle = _bounds(_points())
        stage.location = Vector(stage.location) - Vector((middle[0], middle[1], low[2]))
        bpy.context.view_layer.update()
        _aim(scene, camera, math.degrees(math.pi / 2 - camera.rotation_euler.x), _bounds(_points())[2])
        seen = _seen(camera, _points())
        extent = float((seen.max(0) - seen.min(0)).max())
        scale = FRAME / frame_mm if frame_mm else stage.scale[0] * fill * FRAME / extent
        factor = scale / stage.scale[0]
        stage.scale, stage.location = (scale,) * 3, Vector(stage.location) * factor
    low, _, middle = _bounds(_points())
    stage.location = Vector(stage.location) - Vector((middle[0], middle[1], low[2]))
    bpy.context.view_layer.update()


def _recentre(scene, camera):
    seen = _seen(camera, _points())
    middle = (seen.max(0) + seen.min(0)) / 2
    camera.data.shift_x, camera.data.shift_y = float(middle[0]) / FRAME, float(middle[1]) / FRAME


def _lights(scene, middle, rig, changes, exposure):
    """The near lights of a rig as lamps. `changes` multiplies the power of lights by name ({'card': 0.3})."""
    for name, position, (width, height), power, feather in rig:
        if name not in NEAR:
            continue
        light = bpy.data.lights.new(name, 'AREA')
        light.shape, light.size, light.size_y = 'RECTANGLE', width, height
        light.energy = power * changes.get(name, 1.0) * 2**exposure
        _feather(light, feather)
        lamp = bpy.data.objects.new(name, light)
        lamp.location = Vector(position) + Vector(middle)
        lamp.rotation_euler = (-Vector(position)).to_track_quat('-Z', 'Y').to_euler()
        scene.collection.objects.link(lamp)


def _feather(light, feather):
    """Let a light fade towards its edges, as a softbox does, so that its reflection has no hard border."""
    light.use_nodes = True
    tree = light.node_tree
    emission = tree.nodes['Emission']
    geometry = tree.nodes.new('ShaderNodeNewGeometry')
    split = tree.nodes.new('ShaderNodeSeparateXYZ')
    tree.links.new(geometry.outputs['Parametric'], split.inputs[0])
    sides = []
    for axis in (0, 1):
        centred = _math(tree, 'SUBTRACT', split.outputs[axis], 0.5)
        far = _math(tree, 'ABSOLUTE', centred)
        ramp = tree.nodes.new('ShaderNodeMapRange')
        ramp.interpolation_type = 'SMOOTHSTEP'
        for slot, value in enumerate((0.5 * (1 - feather), 0.5, 1.0, 0.0), start=1):
            ramp.inputs[slot].default_value = value
        tree.links.new(far, ramp.inputs[0])
        sides.append(ramp.outputs[0])
    tree.links.new(_math(tree, 'MULTIPLY', *sides), emission.inputs['Strength'])


def _math(tree, operation, first, second=None):
    node = tree.nodes.new('ShaderNodeMath')
    node.operation = operation
    tree.links.new(first, node.inputs[0])
    if isinstance(second, float):
        node.inputs[1].default_value = second
    elif second is not None:
        tree.links.new(second, node.inputs[1])
    return node.outputs[0]


def _world(scene, strength, rig=(), changes=None, gain=1.0, width=512):
    """A grey room, lighter above, with the far lights of a rig painted on it.

    Painted lights cost no noise of their own: the renderer draws all of them from one map. Values are radiance.
    """
    theta, phi = np.mgrid[0 : width // 2, 0:width].astype(np.float32)
    theta = (theta + 0.5) / (width / 2) * math.pi - math.pi / 2
    phi = math.pi - (phi + 0.5) / width * 2 * math.pi
    direction = np.dstack([np.cos(theta) * np.cos(phi), np.cos(theta) * np.sin(phi), np.sin(theta)])
    room = strength * (0.95 + 0.55 * direction[..., 2])
    for name, position, size, power, feather in rig:
        if name not in NEAR:
            radiance = power * (changes or {}).get(name, 1.0) / (size[0] * size[1] * math.pi)
            room = room + radiance * _panel(direction, np.array(position), size, feather)
    image = bpy.data.images.new('room', width, width // 2, float_buffer=True, is_data=True)
    image.pixels.foreach_set(np.dstack([room * gain] * 3 + [np.ones_like(room)]).astype(np.float32).ravel())
    world = bpy.data.worlds.new('room')
    scene.world = world
    world.use_nodes = True
    tree = world.node_tree
    texture = tree.nodes.new('ShaderNodeTexEnvironment')
    texture.image = image
    tree.links.new(texture.outputs[0], tree.nodes['Background'].inputs[0])


def _panel(direction, position, size, feather):
    """How much of a softbox is seen in each direction: 1 in its middle, 0 outside."""
    facing = direction @ position
    reach = (position @ position) / np.maximum(facing, 1e-3)
    hit = direction * reach[..., None] - position
    forward = position / np.linalg.norm(position)
    right = np.cross(forward, (0, 0, 1))
    right = right / np.linalg.norm(right)
    up = np.cross(right, forward)
    cover = (facing > 1e-3).astype(np.float32)
    for axis, extent in ((right, size[0]), (up, size[1])):
        t = np.clip((0.5 - np.abs(hit @ axis) / extent) / (0.5 * feather), 0, 1)
        cover = cover * t * t * (3 - 2 * t)
    return cover


def _write(scene, path):
    """Render colour with alpha, and the albedo and normals that guide the denoiser."""
    scene.view_layers[0].cycles.denoising_store_passes = True
    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    layers = tree.nodes.new('CompositorNodeRLayers')
    for suffix, output in (('colour', 'Image'), ('albedo', 'Denoising Albedo'), ('normal', 'Denoising Normal')):
        node = tree.nodes.new('CompositorNodeOutputFile')
        node.base_path, _, stem = str(path).rpartition('/')
        node.format.file_format, node.format.color_mode, node.format.color_depth = 'OPEN_EXR', 'RGBA', '16'
        node.file_slots[0].path = f'{stem}.{suffix}.'
        tree.links.new(layers.outputs[output], node.inputs[0])
    scene.frame_current = 1
    bpy.ops.render.render()
    scene.use_nodes = False


def _crop(scene, region):
    """Render only a part of the frame."""
    left, top, right, bottom = region
    scene.render.use_border = scene.render.use_crop_to_border = True
    scene.render.border_min_x, scene.render.border_max_x = left, right
    scene.render.border_min_y, scene.render.border_max_y = 1 - bottom, 1 - top


def _shadow_scene(scene, contact=None):
    """Prepare to render what the product takes away of a soft light from above, small: it is blurred and laid underneath.

    The product itself is hidden from the camera, so the shadow is whole below it and never noisy at its edges.
    """
    for item in list(scene.objects):
        if item.type == 'LIGHT':
            bpy.data.objects.remove(item)
        elif item.type in ('MESH', 'CURVE'):
            item.visible_camera = False
    above = ('above', (-0.6, -0.6, 3.5), (4.0, 4.0), 60, 0.5)
    _lights(scene, Vector((0, 0, 0)), [above, KEY_OF_CONTACT] if contact else [above], {}, 0)
    _world(scene, 0.5)
    bpy.ops.mesh.primitive_plane_add(size=60, location=(0, 0, 0))
    floor = bpy.context.object
    floor.is_shadow_catcher = True
    scene.render.resolution_x = scene.render.resolution_y = contact or 112
    scene.cycles.samples, scene.cycles.use_adaptive_sampling = 64 if contact else 32, False
    scene.cycles.max_bounces = scene.cycles.diffuse_bounces = 0
    scene.view_layers[0].cycles.denoising_store_passes = False
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = 'OPEN_EXR', 'RGBA'


def _write_shadow(scene, path):
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
