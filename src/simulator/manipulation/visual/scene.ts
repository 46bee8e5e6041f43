import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { type Frame, Renderer, type RenderOutputs } from "../../render/renderer.js";
import type { ScenePart } from "../../scenes/model.js";
import type { LookSpec } from "../world/world.js";
import { hfovOf, nudged, transformOf, viewpointOf } from "./axes.js";
import type { DrawnPhysics, PhysicsGeom } from "./geom.js";
import { materialOfGeom, meshOfGeom } from "./surface.js";

/** Groups from here on are shapes for colliding, by the custom of MuJoCo's viewers. */
const FIRST_HIDDEN_GROUP = 3;

export interface PhysicsSceneOptions {
  /** The camera that `look.camera` moves; by default the one named `head`. */
  readonly headCamera?: string;
}

/**
 * Draws what MuJoCo holds with the shared rasteriser: every geom a part, moved to where the physics has it
 * when a picture is asked for. Made once a model; the physics must outlive it.
 */
export class PhysicsScene {
  /** Bodies by the number that `ids` of a frame have for them. 0 is the world, and where there is nothing. */
  readonly instances: readonly string[];
  readonly #physics: DrawnPhysics;
  readonly #look: LookSpec;
  readonly #headCamera: string;
  readonly #renderer: Renderer;
  readonly #drawn: readonly Drawn[];

  constructor(physics: DrawnPhysics, look: LookSpec, options: PhysicsSceneOptions = {}) {
    this.#physics = physics;
    this.#look = look;
    this.#headCamera = options.headCamera ?? "head";
    const geoms = physics.geoms();
    this.instances = [...new Set(["world", ...geoms.map(({ bodyName }) => bodyName)])];
    const parts: ScenePart[] = [];
    const drawn: Drawn[] = [];
    for (const geom of visibleGeoms(geoms)) {
      const mesh = meshOfGeom(geom);
      if (!mesh) continue;
      const instance = this.instances.indexOf(geom.bodyName);
      parts.push({ mesh, material: materialOfGeom(geom, look.light), instance });
      drawn.push({ geom: geoms.indexOf(geom), pose: undefined });
    }
    this.#drawn = drawn;
    this.#renderer = new Renderer({ parts });
  }

  /** From a camera of the model, by its name. The arrays are the caller's own. */
  render(
    camera: string,
    size: { readonly width: number; readonly height: number },
    outputs: RenderOutputs,
  ): Frame {
    this.#follow();
    const { pose, fovyDeg } = this.#physics.camera(camera);
    const { width, height } = size;
    const placed = camera === this.#headCamera ? nudged(pose, this.#look.camera) : pose;
    return this.#renderer.render(
      { width, height, hfovDeg: hfovOf(fovyDeg, width, height), ...viewpointOf(placed) },
      outputs,
    );
  }

  /** Moves what has moved: a part at rest keeps the light that was worked out for it. */
  #follow(): void {
    for (const [part, drawn] of this.#drawn.entries()) {
      const pose = this.#physics.geomPose(drawn.geom);
      // Physics that has diverged may have no place for it; it stays where it was.
      if (!pose.position.every(Number.isFinite)) continue;
      if (drawn.pose && samePose(drawn.pose, pose)) continue;
      this.#renderer.setTransform(part, transformOf(pose));
      drawn.pose = pose;
    }
  }
}

interface Drawn {
  /** Its number in the model. */
  readonly geom: number;
  /** Where it was drawn last. */
  pose: Pose3 | undefined;
}

/** Shapes for colliding are shown of bodies that have no others. */
export function visibleGeoms(geoms: readonly PhysicsGeom[]): readonly PhysicsGeom[] {
  const isSeen = ({ group }: PhysicsGeom) => group < FIRST_HIDDEN_GROUP;
  const dressed = new Set(geoms.filter(isSeen).map(({ bodyName }) => bodyName));
  return geoms.filter((geom) => isSeen(geom) || !dressed.has(geom.bodyName));
}

function samePose(a: Pose3, b: Pose3): boolean {
  return (
    a.position.every((x, i) => x === b.position[i]) &&
    a.rotation_wxyz.every((x, i) => x === b.rotation_wxyz[i])
  );
}
