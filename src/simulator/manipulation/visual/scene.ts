import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { type Frame, Renderer, type RenderOutputs } from "../../render/renderer.js";
import type { SceneModel, ScenePart } from "../../scenes/model.js";
import { FLOOR } from "../apartment/fragment.js";
import type { LookSpec } from "../world/world.js";
import { hfovOf, transformOf, viewpointOf, withOffset } from "./axes.js";
import type { DrawnPhysics, PhysicsGeom } from "./geom.js";
import { VISIBLE_GROUPS } from "./mujoco-scene.js";
import { materialOfGeom, meshOfGeom, underLight } from "./surface.js";

export interface PhysicsSceneOptions {
  /** The camera that `look.camera` moves; by default the one named `head`. */
  readonly headCamera?: string;
  /** A scene that is drawn instead of the geoms of the bodies that represent its instances, and of the world body's. */
  readonly scenery?: SceneModel | undefined;
}

/**
 * Renders a MuJoCo model with the shared rasteriser. Every geom is a part, which is moved to its current pose when an
 * image is rendered. The physics must outlive the scene.
 */
export class PhysicsScene {
  /** Names of bodies and of the scenery's instances by the number in a frame's `ids`. 0 is the world, building or background. */
  readonly instances: readonly string[];
  readonly #physics: DrawnPhysics;
  readonly #look: LookSpec;
  readonly #headCamera: string;
  readonly #renderer: Renderer;
  readonly #drawn: readonly Drawn[];
  /** Index of the first part that is a geom. */
  readonly #firstMoving: number;

  constructor(physics: DrawnPhysics, look: LookSpec, options: PhysicsSceneOptions = {}) {
    this.#physics = physics;
    this.#look = look;
    this.#headCamera = options.headCamera ?? "head";
    const geoms = physics.geoms();
    const { scenery } = options;
    const fixed = scenery?.instances.map(({ name }) => name) ?? ["world"];
    const inScenery = new Set(scenery ? ["world", FLOOR, ...fixed] : []);
    const bodies = geoms.map(({ bodyName }) => bodyName).filter((name) => !inScenery.has(name));
    this.instances = [...new Set([...fixed, ...bodies])];
    const parts: ScenePart[] = (scenery?.parts ?? []).map((part) => underLight(part, look.light));
    this.#firstMoving = parts.length;
    const drawn: Drawn[] = [];
    for (const geom of visibleGeoms(geoms)) {
      const mesh = inScenery.has(geom.bodyName) ? undefined : meshOfGeom(geom);
      if (!mesh) continue;
      const instance = this.instances.indexOf(geom.bodyName);
      parts.push({ mesh, material: materialOfGeom(geom, look.light), instance });
      drawn.push({ geom: geoms.indexOf(geom), pose: undefined });
    }
    this.#drawn = drawn;
    this.#renderer = new Renderer({ parts });
  }

  /** Renders from a named camera of the model. The caller owns the returned arrays. */
  render(
    camera: string,
    size: { readonly width: number; readonly height: number },
    outputs: RenderOutputs,
  ): Frame {
    this.#updatePoses();
    const { pose, fovyDeg } = this.#physics.camera(camera);
    const { width, height } = size;
    const placed = camera === this.#headCamera ? withOffset(pose, this.#look.camera) : pose;
    return this.#renderer.render(
      { width, height, hfovDeg: hfovOf(fovyDeg, width, height), ...viewpointOf(placed) },
      outputs,
    );
  }

  /** Updates the poses of parts that have moved; others keep their cached lighting. */
  #updatePoses(): void {
    for (const [part, drawn] of this.#drawn.entries()) {
      const pose = this.#physics.geomPose(drawn.geom);
      // After a divergence the pose may not be finite; the part keeps its last pose.
      if (!pose.position.every(Number.isFinite)) continue;
      if (drawn.pose && samePose(drawn.pose, pose)) continue;
      this.#renderer.setTransform(this.#firstMoving + part, transformOf(pose));
      drawn.pose = pose;
    }
  }
}

interface Drawn {
  /** Index in the model. */
  readonly geom: number;
  /** Pose at the last rendering. */
  pose: Pose3 | undefined;
}

/** The geoms of the visible groups. Hidden geoms are not drawn, also if a body has no others. */
export function visibleGeoms(
  geoms: readonly PhysicsGeom[],
  groups: readonly number[] = VISIBLE_GROUPS,
): readonly PhysicsGeom[] {
  return geoms.filter(({ group }) => groups.includes(group));
}

function samePose(a: Pose3, b: Pose3): boolean {
  return (
    a.position.every((x, i) => x === b.position[i]) &&
    a.rotation_wxyz.every((x, i) => x === b.rotation_wxyz[i])
  );
}
