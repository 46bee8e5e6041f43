import type { MjModel } from "@mujoco/mujoco";
import type { GlGeom, GlLight, GlScene, GlSettings } from "../../../render/mujoco/scene.js";
import { readHandle } from "../arrays.js";
import type { Mujoco } from "../mujoco.js";
import type { Names } from "../names.js";
import { materialOf, rgbaAt } from "./materials.js";
import { type DrawnShape, ShapeReader } from "./shapes.js";
import { DrawnSkin } from "./skins.js";
import { TextureReader } from "./textures.js";

/** The groups of a model's geoms, sites and skins that are drawn; MuJoCo's default is 0, 1 and 2. */
export interface VisibleGroups {
  readonly geomGroups: readonly number[];
  readonly siteGroups: readonly number[];
  readonly skinGroups: readonly number[];
}

/** What of a model is drawn. */
export interface DrawingOptions extends VisibleGroups {
  readonly shadows: boolean;
  readonly reflections: boolean;
  readonly samples: 1 | 4;
  readonly transparentDepth: boolean;
}

/** A model as a scene, and where the poses of its geoms and lights are found. */
export interface ModelDrawing {
  readonly scene: GlScene;
  /** What each geom of the scene shows. */
  readonly sources: readonly DrawnSource[];
  /** Their meshes follow the bodies when they are told to. */
  readonly skins: readonly DrawnSkin[];
  /** Light of the model for each light of the scene. */
  readonly lights: readonly number[];
  /** Body names by the number in `ids`; 0 is the world or background. */
  readonly instances: readonly string[];
  /** What MuJoCo would draw of the model and this renderer does not, such as `2 flexes`. */
  readonly undrawn: readonly string[];
}

/** An element of the model by its number; of skins, the body of the first bone. */
interface DrawnSource {
  readonly kind: "geom" | "site" | "skin";
  readonly id: number;
}

/** MuJoCo has six groups; higher numbers count as the last. */
const LAST_GROUP = 5;
/** Flexes and tendons have groups too, of which MuJoCo's default shows the first three. */
const FIRST_HIDDEN_GROUP = 3;

/** Reads everything that MuJoCo's renderer draws of a model, in its order: skins, geoms, then sites. */
export function drawingOf(
  mujoco: Mujoco,
  model: MjModel,
  names: Names,
  options: DrawingOptions,
): ModelDrawing {
  const settings = settingsOf(model, options);
  const textures = new TextureReader(mujoco, model);
  const { numslices, numstacks, numquads } = model.vis.quality;
  const shapes = new ShapeReader(model, { numslices, numstacks, numquads }, settings.zfar);
  const bodies: Int32Array = model.geom_bodyid;
  const named = Array.from(bodies, (body) => names.name("body", body));
  const instances = [...new Set(["world", ...named])];
  const geoms: GlGeom[] = [];
  const sources: DrawnSource[] = [];
  const add = (element: Element) => {
    const drawn = materialOf(mujoco, model, textures, element.material, element.rgba);
    if (drawn.material.rgba[3] === 0) return;
    const shape = shapes.shape(element, drawn);
    if (!shape) return;
    geoms.push({
      ...shape,
      material: drawn.material,
      instance: instanceOf(element.body),
      segment: element.segment,
      sortRadius: element.radius,
    });
    sources.push(element.source);
  };
  const instanceOf = (body: number) => Math.max(0, instances.indexOf(names.name("body", body)));
  const skins: DrawnSkin[] = [];
  for (let id = 0; id < model.nskin; id++) {
    if (!options.skinGroups.includes(groupOf(model.skin_group[id]))) continue;
    const rgba = rgbaAt(model.skin_rgba, id);
    const { material } = materialOf(mujoco, model, textures, model.skin_matid[id], rgba);
    if (material.rgba[3] === 0) continue;
    const skin = new DrawnSkin(model, id);
    const { mesh, body } = skin;
    const isTextured = mesh.texcoords && material.texture?.kind === "image";
    geoms.push({
      mesh,
      deforms: true,
      material: isTextured ? material : { ...material, texture: undefined },
      kind: "solid",
      size: [0, 0, 0],
      instance: instanceOf(body),
      segment: -2 - model.nsite - id,
      sortRadius: 0,
    });
    sources.push({ kind: "skin", id: body });
    skins.push(skin);
  }
  for (let id = 0; id < model.ngeom; id++) {
    if (!options.geomGroups.includes(groupOf(model.geom_group[id]))) continue;
    add({
      type: model.geom_type[id],
      size: sizeAt(model.geom_size, id),
      data: model.geom_dataid[id],
      material: model.geom_matid[id],
      rgba: rgbaAt(model.geom_rgba, id),
      body: model.geom_bodyid[id],
      segment: id,
      source: { kind: "geom", id },
      radius: model.geom_rbound[id],
    });
  }
  for (let id = 0; id < model.nsite; id++) {
    if (!options.siteGroups.includes(groupOf(model.site_group[id]))) continue;
    const size = sizeAt(model.site_size, id);
    add({
      type: model.site_type[id],
      size,
      data: -1,
      material: model.site_matid[id],
      rgba: rgbaAt(model.site_rgba, id),
      body: model.site_bodyid[id],
      segment: -2 - id,
      source: { kind: "site", id },
      radius: Math.max(...size),
    });
  }
  const lights = lightsOf(mujoco, model);
  return {
    scene: {
      geoms,
      lights: lights.map(({ light }) => light),
      headlight: headlightOf(model),
      skybox: textures.skybox(),
      settings,
    },
    sources,
    skins,
    lights: lights.map(({ id }) => id),
    instances,
    undrawn: undrawnOf(mujoco, model),
  };
}

/** Flexes and spatial tendons of visible groups, counted. */
function undrawnOf(mujoco: Mujoco, model: MjModel): readonly string[] {
  const isVisible = (group: number | undefined) => (group ?? 0) < FIRST_HIDDEN_GROUP;
  const joint: number = mujoco.mjtWrap.mjWRAP_JOINT.value;
  const isSpatial = (tendon: number) => model.wrap_type[model.tendon_adr[tendon]] !== joint;
  const counts = {
    flex: indices(model.nflex).filter((i) => isVisible(model.flex_group[i])).length,
    "spatial tendon": indices(model.ntendon).filter(
      (i) => isVisible(model.tendon_group[i]) && isSpatial(i),
    ).length,
  };
  return Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : count === 1 ? `1 ${kind}` : `${count} ${kind === "flex" ? "flexe" : kind}s`,
  );
}

function indices(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

interface Element extends DrawnShape {
  readonly material: number;
  readonly rgba: readonly [number, number, number, number];
  readonly body: number;
  readonly segment: number;
  readonly source: DrawnSource;
  readonly radius: number;
}

function groupOf(group: number): number {
  return Math.max(0, Math.min(LAST_GROUP, group));
}

function sizeAt(array: Float64Array, index: number): readonly [number, number, number] {
  return [
    array[3 * index] as number,
    array[3 * index + 1] as number,
    array[3 * index + 2] as number,
  ];
}

function settingsOf(model: MjModel, options: DrawingOptions): GlSettings {
  const { extent } = model.stat;
  const { map, quality, rgba } = model.vis;
  return {
    znear: map.znear * extent,
    zfar: map.zfar * extent,
    shadowSize: quality.shadowsize,
    shadowClip: map.shadowclip * extent,
    shadowScale: map.shadowscale,
    haze: map.haze,
    hazeRgb: [rgba.haze[0], rgba.haze[1], rgba.haze[2]],
    slices: quality.numslices,
    samples: quality.offsamples > 1 ? options.samples : 1,
    shadows: options.shadows && quality.shadowsize > 0,
    reflections: options.reflections,
    transparentDepth: options.transparentDepth,
  };
}

/** Active lights of the types that MuJoCo's renderer has. */
function lightsOf(mujoco: Mujoco, model: MjModel): { light: GlLight; id: number }[] {
  const { mjLIGHT_DIRECTIONAL, mjLIGHT_SPOT } = mujoco.mjtLightType;
  const out: { light: GlLight; id: number }[] = [];
  for (let id = 0; id < model.nlight; id++) {
    const type: number = model.light_type[id];
    const directional = type === mjLIGHT_DIRECTIONAL.value;
    if (!directional && type !== mjLIGHT_SPOT.value) continue;
    const { active, castshadow } = readHandle(model.light(id), (light) => ({
      active: Boolean(light.active),
      castshadow: Boolean(light.castshadow),
    }));
    if (!active) continue;
    out.push({
      id,
      light: {
        directional,
        castShadow: castshadow,
        ambient: triple(model.light_ambient, id),
        diffuse: triple(model.light_diffuse, id),
        specular: triple(model.light_specular, id),
        attenuation: triple(model.light_attenuation, id),
        exponent: model.light_exponent[id],
        cutoffDeg: model.light_cutoff[id],
      },
    });
  }
  return out;
}

function headlightOf(model: MjModel): GlScene["headlight"] {
  const { active, ambient, diffuse, specular } = model.vis.headlight;
  if (!active) return undefined;
  return {
    ambient: triple(ambient, 0),
    diffuse: triple(diffuse, 0),
    specular: triple(specular, 0),
  };
}

function triple(array: Float32Array, index: number): readonly [number, number, number] {
  const [a = 0, b = 0, c = 0] = array.subarray(3 * index, 3 * index + 3);
  return [a, b, c];
}
