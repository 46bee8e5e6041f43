import { subtract, type Vec3 } from "../../../core/math/vec3.js";
import { type MjcfAttributes, type MjcfElement, mjcf } from "../../../core/mjcf/element.js";
import type { MjcfFragment } from "../../../core/mjcf/fragment.js";
import { type Solid, solidsOf } from "../../scenes/collision/collision.js";
import type { SceneInstance, SceneModel } from "../../scenes/model.js";
import type { Receptacle } from "../../scenes/receptacles.js";
import { fromScene } from "../visual/axes.js";
import { FURNITURE_FRICTION } from "./friction.js";

/** Name of the body and the geom of all floors. */
export const FLOOR = "floor";
/** Hidden by viewers, because cameras see the apartment's own triangles. */
const GROUP = 3;

/**
 * Collision geometry of a generated apartment, in the world body because that is faster (see `geomBodies`), an empty
 * static body for each receptacle, of which its geoms count as parts, and one plane for all floors.
 */
export function apartmentFragment(
  model: SceneModel,
  receptacles: readonly Receptacle[],
): MjcfFragment {
  const isReceptacle = new Set(receptacles.map(({ name }) => name));
  const meshes: MjcfElement[] = [];
  const solids = solidsOf(model);
  const bodies = model.instances.flatMap((instance, i) => {
    const own = isFloor(instance) ? [] : (solids[i] ?? []);
    if (own.length === 0) return [];
    const { frame, geoms } = partOf(instance, own, meshes);
    const body = isReceptacle.has(instance.name)
      ? [mjcf("body", { name: instance.name, ...frame })]
      : [];
    return [...body, mjcf("frame", frame, ...geoms)];
  });
  return { asset: meshes, worldbody: [floor(), ...bodies] };
}

/** All floors are at height 0, and one plane is faster than their triangles. */
function isFloor({ category }: SceneInstance): boolean {
  return category === "floor";
}

/** In a body of its own: beside a plane, which is infinite, MuJoCo's tree of the other geoms would be less selective. */
function floor(): MjcfElement {
  return mjcf(
    "body",
    { name: FLOOR },
    mjcf("geom", {
      name: FLOOR,
      type: "plane",
      size: [0, 0, 1],
      group: GROUP,
      friction: FURNITURE_FRICTION,
    }),
  );
}

/** The name of the instance that a geom is a part of; undefined if it is none of an apartment. */
export function instanceOf(geom: string): string | undefined {
  const at = geom.indexOf("/");
  return at < 0 ? undefined : geom.slice(0, at);
}

/** Whether a geom is a part of an apartment. */
export function isOfApartment(geom: string): boolean {
  return geom === FLOOR || instanceOf(geom) !== undefined;
}

/** The geoms of an object, and the middle of its bounding box, which is their frame. */
function partOf(
  { name, min, max }: SceneInstance,
  solids: readonly Solid[],
  meshes: MjcfElement[],
): { readonly frame: MjcfAttributes; readonly geoms: readonly MjcfElement[] } {
  const middle: Vec3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  const local = (point: Vec3) => fromScene(subtract(point, middle));
  const geoms = solids.map((solid, i) => {
    const common = { name: `${name}/${i}`, group: GROUP, friction: FURNITURE_FRICTION };
    if (solid.kind === "box") {
      const [x, y] = solid.axes.map(fromScene);
      return mjcf("geom", {
        type: "box",
        size: solid.halfM,
        pos: local(solid.centre).map(micrometres),
        xyaxes: [...(x ?? []), ...(y ?? [])],
        ...common,
      });
    }
    const mesh = `${name}/hull_${i}`;
    const vertex = solid.points.flatMap((point) => local(point).map(micrometres));
    meshes.push(mjcf("mesh", { name: mesh, vertex }));
    return mjcf("geom", { type: "mesh", mesh, ...common });
  });
  return { frame: { pos: fromScene(middle).map(micrometres) }, geoms };
}

/** Rounds to micrometres, so that single precision of the scene's vertices does not become long text. */
function micrometres(x: number): number {
  return Math.round(x * 1e6) / 1e6;
}
