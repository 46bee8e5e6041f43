import type { Vec3 } from "../../core/math/vec3.js";
import { cross, dot } from "../../core/math/vec3.js";
import type { SceneAxes } from "./draft.js";
import type { Bounds } from "./geometry.js";
import { compose, multiply, type Transform } from "./gltf/transform.js";
import { type Axes, findStageConfig, type StageConfig } from "./habitat/stage-config.js";

/**
 * The up axis of a scene file.
 *
 * glTF specifies y, and OBJ files use y by convention. The scans used with Habitat have z up: habitat-sim's
 * StageAttributesManager treats every `.glb` stage without a configuration like one of Matterport3D's, with
 * up = [0, 0, 1] and front = [0, 1, 0], and rotates it into its own y-up axes: (x, y, z) becomes (x, z, -y).
 * Gibson's and HM3D's files follow that rule; HSSD, ReplicaCAD and others have configurations that specify y.
 * The rules here:
 *
 * 1. a stage or data set configuration next to the scene decides (habitat/stage-config.ts);
 * 2. otherwise a `.glb` of a data set of scans, recognised by a folder's name, has z up;
 * 3. otherwise y is up, as in glTF. Habitat would require a configuration for such a file.
 *
 * A Habitat `.navmesh` next to the scene is always in Habitat's axes. If it lies outside the scene under rule
 * 2 or 3, but inside with the other axis up, the navmesh overrides the rule.
 */
export interface Orientation {
  readonly axes: Axes;
  readonly because: SceneAxes["because"];
  readonly warnings: readonly string[];
  /** The configuration that determined the orientation. */
  readonly config?: string;
  /** Turns the file's axes to Habitat's and scales them to metres; undefined for the identity. */
  readonly transform: Transform | undefined;
}

interface Stage {
  readonly id: string;
  readonly file: string;
  /** In the file's axes; needed to compare with a navmesh. */
  readonly bounds?: Bounds;
}

export const Y_UP: Axes = { up: [0, 1, 0], front: [0, 0, -1] };
export const Z_UP: Axes = { up: [0, 0, 1], front: [0, 1, 0] };

const SCANS = /(^|[\\/])(mp3d|matterport3?d?|hm3d|gibson|habitat-test-scenes)([-_.][^\\/]*)?[\\/]/i;

/** Walls and steps extend slightly beyond the walkable surface, and voxels beyond both. */
const SLACK_M = 0.5;

/** Matterport3D, HM3D, Gibson and similar scans, whose textures already contain light and shadow. */
export function isScan(sceneId: string, file: string): boolean {
  return /\.glb$/i.test(file) && (SCANS.test(sceneId) || SCANS.test(file));
}

export async function orient(
  scene: Stage,
  walkable: Bounds | undefined,
): Promise<Orientation & Pick<StageConfig, "isFlat" | "files">> {
  const config = await findStageConfig(scene.file);
  const { isFlat, files } = config;
  const found = orientStage(scene, config, [1, 1, 1], walkable);
  return { ...found, warnings: [...found.warnings, ...config.warnings], isFlat, files };
}

/** The orientation of a stage by its configuration, its file and the navmesh next to it. */
export function orientStage(
  scene: Stage,
  config: StageConfig,
  instanceScale: readonly number[] = [1, 1, 1],
  walkable?: Bounds,
): Orientation {
  const [sx, sy, sz] = config.scale.map((factor, i) => factor * (instanceScale[i] ?? 1));
  const scale: Vec3 = [sx ?? 1, sy ?? 1, sz ?? 1];
  const rule = ruleFor(scene, config);
  const made = (given: Omit<Orientation, "transform">): Orientation => ({
    ...given,
    transform: scaled(toHabitat(given.axes), scale),
  });
  const { bounds } = scene;
  if (!walkable || !bounds || fits(bounds, rule.axes, scale, walkable)) return made(rule);
  const other = sameAxes(rule.axes, Y_UP) ? Z_UP : Y_UP;
  const otherFits = fits(bounds, other, scale, walkable);
  const found = `the .navmesh next to the scene lies outside the scene with ${letter(rule.axes)} up`;
  if (otherFits && !rule.config) {
    const warning = `${found}, but inside with ${letter(other)} up: using ${letter(other)} up`;
    return made({ axes: other, because: "navmesh", warnings: [warning] });
  }
  const advice = otherFits
    ? `, but inside with ${letter(other)} up: check ${rule.config}`
    : ": check that it belongs to this scene";
  return made({ ...rule, warnings: [...rule.warnings, found + advice] });
}

function ruleFor({ id, file }: Stage, config: StageConfig): Omit<Orientation, "transform"> {
  const scan = isScan(id, file);
  const { axesFrom } = config;
  if (axesFrom === undefined) {
    const because = scan ? "scan_dataset" : "gltf";
    return { axes: scan ? Z_UP : Y_UP, because, warnings: [] };
  }
  const { axes, isSquare } = axesOf(config.axes, scan ? Z_UP : Y_UP);
  const warnings = isSquare
    ? []
    : [`up and front in ${axesFrom} are not perpendicular: front is ignored`];
  return { axes, because: "stage_config", warnings, config: axesFrom };
}

/** Completes the axes of a configuration. Axes that are not perpendicular lose their front. */
export function axesOf(
  given: Partial<Axes>,
  fallback: Axes = Y_UP,
): { axes: Axes; isSquare: boolean } {
  const axes = { up: given.up ?? fallback.up, front: given.front ?? fallback.front };
  const isSquare = Math.abs(dot(axes.up, axes.front)) < 1e-3;
  return { axes: isSquare ? axes : { up: axes.up, front: anyFront(axes.up) }, isSquare };
}

function scaled(rotation: Transform | undefined, scale: Vec3): Transform | undefined {
  if (scale.every((factor) => factor === 1)) return rotation;
  const sized = compose([], [], scale);
  return rotation ? multiply(sized, rotation) : sized;
}

export function sceneAxes({ axes, because, config }: Omit<Orientation, "warnings">): SceneAxes {
  return { ...axes, because, ...(config !== undefined && { config }) };
}

/** The rotation that maps `up` to +y and `front` to -z; undefined for the identity. */
export function toHabitat({ up, front }: Axes): Transform | undefined {
  if (sameAxes({ up, front }, Y_UP)) return undefined;
  const right = cross(front, up);
  const [r, u, b] = [right, up, [0 - front[0], 0 - front[1], 0 - front[2]] as const];
  return [r[0], u[0], b[0], 0, r[1], u[1], b[1], 0, r[2], u[2], b[2], 0, 0, 0, 0, 1];
}

function fits(box: Bounds, axes: Axes, scale: Vec3, walkable: Bounds): boolean {
  const turned = turnBox(box, axes);
  return [0, 1, 2].every((i) => {
    const factor = scale[i] as number;
    const ends = [(turned.min[i] as number) * factor, (turned.max[i] as number) * factor];
    return (
      (walkable.min[i] as number) >= Math.min(...ends) - SLACK_M &&
      (walkable.max[i] as number) <= Math.max(...ends) + SLACK_M
    );
  });
}

function turnBox(box: Bounds, { up, front }: Axes): Bounds {
  const rows = [cross(front, up), up, [-front[0], -front[1], -front[2]] as const];
  const reach = (row: Vec3, low: Vec3, high: Vec3): number =>
    row.reduce((sum, k, i) => sum + k * ((k < 0 ? high[i] : low[i]) as number), 0);
  const [x = box.min, y = box.min, z = box.min] = rows;
  return {
    min: [reach(x, box.min, box.max), reach(y, box.min, box.max), reach(z, box.min, box.max)],
    max: [reach(x, box.max, box.min), reach(y, box.max, box.min), reach(z, box.max, box.min)],
  };
}

function anyFront(up: Vec3): Vec3 {
  return Math.abs(up[1]) > 0.9 ? Y_UP.front : cross(up, cross([0, 1, 0], up));
}

function sameAxes(a: Axes, b: Axes): boolean {
  return dot(a.up, b.up) > 0.999999 && dot(a.front, b.front) > 0.999999;
}

function letter({ up }: Axes): string {
  const names = ["x", "y", "z"];
  const i = up.findIndex((k) => Math.abs(k) > 0.99);
  return i < 0 ? `[${up.join(", ")}]` : `${(up[i] as number) < 0 ? "-" : ""}${names[i]}`;
}
