# mypy: ignore-errors
"""Run by Blender in the background: renders the models of sprites into a folder.

Arguments after ``--``: root of the repository, hand mesh (GLB), folder, seed, first number, last number + 1, mm per
pixel.
"""

import json
import sys
from pathlib import Path

import bpy
import numpy as np

ROOT, MESH, FOLDER, SEED, FIRST, END, MM_PER_PX = sys.argv[sys.argv.index("--") + 1 :]
sys.path.insert(0, ROOT)

from tests.scenes.hands.hand_mesh import read_hand, subdivide_hand  # noqa: E402
from tests.scenes.hands.models import Model, Part, make_model  # noqa: E402

UNIT = 0.01
"""Blender units in a millimetre."""
SHADOW_MM_PER_PX = 8.0
BEHIND_MM, AHEAD_MM, ASIDE_MM = 408.0, 112.0, 200.0
"""What is rendered, about the finger tips: towards the player, away, and to each side."""
SHADOW_MARGIN_MM = 160.0
SAMPLES, SHADOW_SAMPLES = 5, 32


def reset():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.use_denoising = False
    scene.cycles.use_adaptive_sampling = False
    scene.cycles.max_bounces = 2
    scene.cycles.diffuse_bounces = 1
    scene.cycles.glossy_bounces = 1
    scene.cycles.pixel_filter_type = "BLACKMAN_HARRIS"
    scene.render.film_transparent = True
    scene.render.threads_mode = "FIXED"
    scene.render.threads = 1
    scene.render.use_persistent_data = True
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGBA"
    scene.render.image_settings.color_depth = "16"
    layer = bpy.context.view_layer
    layer.use_pass_diffuse_color = True
    layer.aovs.add().name = "above"
    return scene


def material(kind):
    made = bpy.data.materials.new(kind)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    colour, place, gloss = (nodes.new("ShaderNodeAttribute") for _ in range(3))
    colour.attribute_name, place.attribute_name, gloss.attribute_name = "tint", "place", "gloss"
    grain = nodes.new("ShaderNodeTexNoise")
    grain.inputs["Scale"].default_value = {"skin": 0.55, "cloth": 0.8}.get(kind, 0.3)
    grain.inputs["Detail"].default_value = 1.0
    links.new(place.outputs["Vector"], grain.inputs["Vector"])
    span = nodes.new("ShaderNodeMapRange")
    span.inputs["From Min"].default_value, span.inputs["From Max"].default_value = 0.25, 0.75
    strength = {"skin": 0.10, "cloth": 0.22}.get(kind, 0.05)
    span.inputs["To Min"].default_value, span.inputs["To Max"].default_value = 1 - strength, 1 + strength
    links.new(grain.outputs["Fac"], span.inputs["Value"])
    scaled = nodes.new("ShaderNodeVectorMath")
    scaled.operation = "SCALE"
    links.new(colour.outputs["Color"], scaled.inputs[0])
    links.new(span.outputs["Result"], scaled.inputs["Scale"])
    links.new(scaled.outputs["Vector"], shader.inputs["Base Color"])
    relief, heights = nodes.new("ShaderNodeBump"), nodes.new("ShaderNodeTexNoise")
    heights.inputs["Scale"].default_value = {"skin": 0.30, "cloth": 0.45}.get(kind, 0.2)
    heights.inputs["Detail"].default_value = 1.0
    links.new(place.outputs["Vector"], heights.inputs["Vector"])
    relief.inputs["Distance"].default_value = {"skin": 0.5, "cloth": 0.7}.get(kind, 0.05) * UNIT
    relief.inputs["Strength"].default_value = 0.8
    links.new(heights.outputs["Fac"], relief.inputs["Height"])
    links.new(relief.outputs["Normal"], shader.inputs["Normal"])
    shader.inputs["Specular"].default_value = {"skin": 0.35, "cloth": 0.1}.get(kind, 0.5)
    shader.inputs["Metallic"].default_value = 0.6 if kind == "metal" else 0.0
    rough = nodes.new("ShaderNodeMapRange")
    rough.inputs["To Min"].default_value = {"skin": 0.5, "cloth": 0.95, "metal": 0.35, "leather": 0.6}[kind]
    rough.inputs["To Max"].default_value = 0.28
    links.new(gloss.outputs["Fac"], rough.inputs["Value"])
    links.new(rough.outputs["Result"], shader.inputs["Roughness"])
    above, out = nodes.new("ShaderNodeAttribute"), nodes.new("ShaderNodeOutputAOV")
    above.attribute_name, out.name = "above", "above"
    links.new(above.outputs["Color"], out.inputs["Color"])
    return made


def add_part(part: Part, materials):
    mesh = bpy.data.meshes.new("part")
    mesh.vertices.add(len(part.vertices))
    mesh.vertices.foreach_set("co", (part.vertices * UNIT).astype(np.float32).ravel())
    mesh.loops.add(part.faces.size)
    mesh.loops.foreach_set("vertex_index", part.faces.astype(np.int32).ravel())
    mesh.polygons.add(len(part.faces))
    mesh.polygons.foreach_set("loop_start", np.arange(0, part.faces.size, 3, dtype=np.int32))
    mesh.polygons.foreach_set("loop_total", np.full(len(part.faces), 3, np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(part.faces), bool))
    for name, kind, values in (
        ("tint", "FLOAT_VECTOR", part.colours),
        ("place", "FLOAT_VECTOR", part.places),
        ("gloss", "FLOAT", part.gloss),
        ("above", "FLOAT", part.above),
    ):
        layer = mesh.attributes.new(name, kind, "POINT")
        layer.data.foreach_set(
            "vector" if kind == "FLOAT_VECTOR" else "value", values.astype(np.float32).ravel()
        )
    mesh.update()
    mesh.validate()
    mesh.materials.append(materials[part.material])
    made = bpy.data.objects.new("part", mesh)
    bpy.context.scene.collection.objects.link(made)
    return made


def add_lamps(model: Model):
    import mathutils

    for lamp in model.lamps:
        light = bpy.data.lights.new("lamp", "AREA")
        light.size = lamp.size_mm * UNIT
        light.energy = lamp.watts * 900
        light.color = lamp.colour
        made = bpy.data.objects.new("lamp", light)
        made.location = lamp.place * UNIT
        made.rotation_euler = mathutils.Vector(lamp.place).to_track_quat("Z", "Y").to_euler()
        bpy.context.scene.collection.objects.link(made)
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (*model.world, 1)
    bpy.context.scene.world = world


def seen_box(model: Model, tip):
    """Return the box of the table's plane that hand and arm hide, in whole pixels about the finger tips."""
    seen = np.concatenate([model.seen_at_all(part.vertices) for part in model.parts]) - tip
    seen = seen[seen[:, 1] > -BEHIND_MM - 20]
    low = np.maximum(seen.min(axis=0) - 2, [-ASIDE_MM, -BEHIND_MM])
    high = np.minimum(seen.max(axis=0) + 2, [ASIDE_MM, AHEAD_MM])
    low, high = (
        np.floor(low / SHADOW_MM_PER_PX) * SHADOW_MM_PER_PX,
        np.ceil(high / SHADOW_MM_PER_PX) * SHADOW_MM_PER_PX,
    )
    return [*(low + tip), *(high + tip)]


def set_camera(scene, model: Model, box, mm_per_px):
    """Let the camera look straight down and see the box (x0, y0, x1, y1) of the table's plane."""
    camera = bpy.data.cameras.new("camera")
    made = bpy.data.objects.new("camera", camera)
    scene.collection.objects.link(made)
    scene.camera = made
    made.location = model.camera * UNIT
    wide, high = box[2] - box[0], box[3] - box[1]
    camera.sensor_fit = "HORIZONTAL"
    camera.sensor_width = 36.0
    camera.lens = 36.0 * model.camera[2] / wide
    camera.shift_x = ((box[0] + box[2]) / 2 - model.camera[0]) / wide
    camera.shift_y = ((box[1] + box[3]) / 2 - model.camera[1]) / wide
    camera.clip_end = 100.0
    scene.render.resolution_x, scene.render.resolution_y = round(wide / mm_per_px), round(high / mm_per_px)


def outputs(scene, folder, name):
    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    layers, out = tree.nodes.new("CompositorNodeRLayers"), tree.nodes.new("CompositorNodeOutputFile")
    out.base_path = str(folder)
    out.format.file_format, out.format.color_depth, out.format.color_mode = "PNG", "16", "RGBA"
    out.file_slots.clear()
    for socket, label in (("DiffCol", "albedo"), ("above", "above")):
        out.file_slots.new(f"{name}-{label}-")
        tree.links.new(layers.outputs[socket], out.inputs[-1])
    tree.links.new(layers.outputs["Image"], tree.nodes.new("CompositorNodeComposite").inputs[0])


def render(number, coarse, fine):
    scene = reset()
    model = make_model(coarse, fine, int(SEED), number)
    folder, name = Path(FOLDER), f"{number:04d}"
    materials = {kind: material(kind) for kind in {part.material for part in model.parts}}
    objects = [add_part(part, materials) for part in model.parts]
    add_lamps(model)
    # Light comes back from the cloth.
    tip = model.seen_at(model.placed.tip)
    box = seen_box(model, tip)
    set_camera(scene, model, box, float(MM_PER_PX))
    scene.cycles.samples = SAMPLES
    outputs(scene, folder, name)
    scene.render.filepath = str(folder / f"{name}-colour.png")
    bpy.ops.render.render(write_still=True)
    # The shadow: the hand casts it, but isn't seen itself.
    scene.use_nodes = False
    for part in objects:
        part.visible_camera = False
    bpy.ops.mesh.primitive_plane_add(size=30)
    bpy.context.object.is_shadow_catcher = True
    margin = SHADOW_MARGIN_MM
    shadow_box = [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin]
    set_camera(scene, model, shadow_box, SHADOW_MM_PER_PX)
    scene.cycles.samples = SHADOW_SAMPLES
    scene.render.filepath = str(folder / f"{name}-shadow.png")
    bpy.ops.render.render(write_still=True)
    placed = model.placed
    card = None
    if placed.card_centre is not None:
        seen, ahead = model.seen_at(placed.card_centre), placed.card_ahead
        card = [*(seen - tip), float(np.degrees(np.arctan2(ahead[0], ahead[1])))]
    elbow = placed.wrist + placed.turned_arm @ np.array([0, -300, 0]) * [-1 if model.left else 1, 1, 1]
    along = model.seen_at(placed.wrist) - model.seen_at(elbow)
    lamp = model.lamps[0].place
    facts = {
        "kind": model.kind,
        "left": model.left,
        "person": model.person,
        "skin": model.skin,
        "dress": model.dress,
        "box": [float(value) for value in np.array(box) - [*tip, *tip]],
        "shadow_box": [float(value) for value in np.array(shadow_box) - [*tip, *tip]],
        "tip_height": float(placed.tip[2]),
        "arm": float(np.degrees(np.arctan2(along[0], along[1]))),
        "card": card,
        "card_height": None if card is None else float(placed.card_centre[2]),
        "camera": [float(value) for value in model.camera - [*tip, 0.0]],
        "lamp": [float(value) for value in lamp],
        "tips": {
            finger: [float(value) for value in model.seen_at(place) - tip]
            for finger, place in placed.tips.items()
        },
    }
    (folder / f"{name}.json").write_text(json.dumps(facts))


def main():
    coarse = read_hand(Path(MESH))
    fine = subdivide_hand(coarse, 2)
    for number in range(int(FIRST), int(END)):
        if not (Path(FOLDER) / f"{number:04d}.json").exists():
            render(number, coarse, fine)


main()
