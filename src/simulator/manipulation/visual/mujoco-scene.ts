import { matrixOf } from "../../../core/math/quat-wxyz.js";
import { GlRenderer } from "../../render/mujoco/gl-renderer.js";
import type { GlCamera, GlColours, GlPoses, GlScene } from "../../render/mujoco/scene.js";
import type { Frame, RenderOutputs } from "../../render/renderer.js";
import type { DrawnPlaces } from "../physics/arrays.js";
import type { DrawingOptions, ModelDrawing } from "../physics/drawing/scene.js";
import type { LookSpec } from "../world/world.js";
import { withOffset } from "./axes.js";
import type { PhysicsCamera } from "./geom.js";

/** What a `MujocoScene` needs of the physics. */
export interface DrawnModel {
  drawing(options: DrawingOptions): ModelDrawing;
  drawnPlaces(): DrawnPlaces;
  camera(name: string): PhysicsCamera;
}

export interface MujocoSceneOptions extends Partial<DrawingOptions> {
  /** Factors on all lights of the model. */
  readonly light?: LookSpec["light"];
  /** Offset of the head camera. */
  readonly camera?: LookSpec["camera"];
  /** The camera that `camera` moves; by default the one named `head`. */
  readonly headCamera?: string;
}

/** `geoms` holds the geom of each pixel, -1 for background and less for sites and skins. */
interface MujocoOutputs extends RenderOutputs {
  readonly geoms?: boolean;
}

export interface MujocoFrame extends Frame {
  readonly geoms?: Int32Array;
}

/** The groups that MuJoCo's viewers and `mujoco.Renderer` show by default. */
export const VISIBLE_GROUPS: readonly number[] = [0, 1, 2];

/** A row-major 3x3 matrix. */
const UNROTATED = [1, 0, 0, 0, 1, 0, 0, 0, 1];

const DEFAULTS: DrawingOptions = {
  geomGroups: VISIBLE_GROUPS,
  siteGroups: VISIBLE_GROUPS,
  skinGroups: VISIBLE_GROUPS,
  shadows: true,
  reflections: true,
  samples: 4,
  transparentDepth: true,
};

/**
 * Draws a MuJoCo model as MuJoCo's own renderer does: its lights, materials, textures, sky, shadows and reflections.
 * The physics must outlive the scene.
 */
export class MujocoScene {
  /** Body names by the number in a frame's `ids`. 0 is the world or background. */
  readonly instances: readonly string[];
  /** What images lack of the model, for people. */
  readonly notes: readonly string[];
  readonly #physics: DrawnModel;
  readonly #options: MujocoSceneOptions;
  readonly #drawing: ModelDrawing;
  readonly #renderer: GlRenderer;

  constructor(physics: DrawnModel, options: MujocoSceneOptions = {}) {
    this.#physics = physics;
    this.#options = options;
    this.#drawing = physics.drawing({ ...DEFAULTS, ...options });
    this.instances = this.#drawing.instances;
    const { undrawn } = this.#drawing;
    this.notes =
      undrawn.length > 0 ? [`images do not show ${undrawn.join(", ")} of the MuJoCo model`] : [];
    const { scene } = this.#drawing;
    this.#renderer = new GlRenderer(options.light ? relit(scene, options.light) : scene);
  }

  /** Renders from a named camera of the model. The caller owns the returned arrays. */
  render(
    camera: string,
    size: { readonly width: number; readonly height: number },
    outputs: MujocoOutputs,
  ): MujocoFrame {
    const { headCamera = "head", camera: offset } = this.#options;
    const { pose, lens } = this.#physics.camera(camera);
    const placed = offset && camera === headCamera ? withOffset(pose, offset) : pose;
    const { znear } = this.#drawing.scene.settings;
    const scale = lens.orthographic ? 1 : znear;
    const half = ((lens.top - lens.bottom) / 2) * (size.width / size.height);
    const [left, right] = lens.sides ?? [-half, half];
    const view: GlCamera = {
      position: placed.position,
      matrix: matrixOf(placed.rotation_wxyz),
      left: left * scale,
      right: right * scale,
      bottom: lens.bottom * scale,
      top: lens.top * scale,
      orthographic: lens.orthographic,
    };
    const frame = this.#renderer.render(view, size, this.#poses(), outputs);
    return { width: size.width, height: size.height, ...frame };
  }

  #poses(): GlPoses {
    const places = this.#physics.drawnPlaces();
    const { sources, skins, lights } = this.#drawing;
    if (places.bodies) for (const skin of skins) skin.deform(places.bodies);
    const poses = {
      positions: new Float64Array(3 * sources.length),
      matrices: new Float64Array(9 * sources.length),
      lightPositions: new Float64Array(3 * lights.length),
      lightDirections: new Float64Array(3 * lights.length),
    };
    for (const [i, { kind, id }] of sources.entries()) {
      if (kind === "skin") {
        const { positions } = places.bodies ?? { positions: new Float64Array(3 * id + 3) };
        poses.positions.set(positions.subarray(3 * id, 3 * id + 3), 3 * i);
        poses.matrices.set(UNROTATED, 9 * i);
        continue;
      }
      const isGeom = kind === "geom";
      const positions = isGeom ? places.positions : places.sitePositions;
      const matrices = isGeom ? places.matrices : places.siteMatrices;
      poses.positions.set(positions.subarray(3 * id, 3 * id + 3), 3 * i);
      poses.matrices.set(matrices.subarray(9 * id, 9 * id + 9), 9 * i);
    }
    for (const [i, id] of lights.entries()) {
      poses.lightPositions.set(places.lightPositions.subarray(3 * id, 3 * id + 3), 3 * i);
      poses.lightDirections.set(places.lightDirections.subarray(3 * id, 3 * id + 3), 3 * i);
    }
    return poses;
  }
}

/** The scene under lights of another intensity and colour. */
function relit(scene: GlScene, { intensity, color }: LookSpec["light"]): GlScene {
  const scaled = ([r, g, b]: GlColours["ambient"]) =>
    [r * intensity * color[0], g * intensity * color[1], b * intensity * color[2]] as const;
  const colours = ({ ambient, diffuse, specular }: GlColours): GlColours => ({
    ambient: scaled(ambient),
    diffuse: scaled(diffuse),
    specular: scaled(specular),
  });
  return {
    ...scene,
    lights: scene.lights.map((light) => ({ ...light, ...colours(light) })),
    headlight: scene.headlight && colours(scene.headlight),
  };
}

/** Row-major 3x3. */
