import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { conjugate, multiply, rotate } from "../../../core/math/quat-wxyz.js";
import type { QuatXyzw } from "../../../core/math/rotation.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { ShownWorld } from "../../../simulator/manipulation/manipulation-simulator.js";
import { transformOf } from "../../../simulator/manipulation/visual/axes.js";
import type { PhysicsGeom } from "../../../simulator/manipulation/visual/geom.js";
import { materialOfGeom, meshOfGeom } from "../../../simulator/manipulation/visual/surface.js";
import type { LookSpec } from "../../../simulator/manipulation/world/world.js";
import { boundsOf } from "../../../simulator/scenes/geometry.js";
import type { GlbStand } from "../../../simulator/scenes/gltf/export-glb.js";
import { compose } from "../../../simulator/scenes/gltf/transform.js";
import type { SceneModel, ScenePart } from "../../../simulator/scenes/model.js";

/** A quarter turn about x, from MuJoCo's z up to glTF's y up. */
const Z_UP: GlbStand["root"] = {
  name: "world_z_up",
  rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
};

/** The parts of a MuJoCo world that are drawn. */
interface DrawnWorld {
  readonly physics: ShownWorld["physics"];
  /** The geoms of `physics` that are shown. */
  readonly geoms: readonly PhysicsGeom[];
  readonly light: LookSpec["light"];
  /** Categories by body number, as far as known. */
  readonly categories: readonly string[];
  /** The apartment around the bodies; a part of the world body. */
  readonly scenery?: SceneModel | undefined;
}

/** Turns the scene's axes, with y up, into MuJoCo's, with z up. */
const FROM_SCENE = compose([0, 0, 0], [Math.SQRT1_2, 0, 0, Math.SQRT1_2]);

/** Converts a MuJoCo world to a scene: an instance for each body, a part for each geom in its body's frame. */
export function worldModel(
  sceneId: string,
  { physics, geoms: visible, light, categories, scenery }: DrawnWorld,
): { readonly model: SceneModel; readonly stand: GlbStand } {
  const geoms = physics.geoms();
  const bodies = physics.bodies();
  const places = poses(physics.bodyPlaces(), bodies.length);
  const parts: ScenePart[] = [];
  /** The same parts at their world poses, in glTF's axes. */
  const standing: ScenePart[] = [];
  for (const geom of visible) {
    const mesh = geom.rgba[3] > 0 ? meshOfGeom(geom) : undefined;
    const body = places[geom.body];
    if (!mesh || !body) continue;
    const pose = physics.geomPose(geoms.indexOf(geom));
    const material = materialOfGeom(geom, light);
    parts.push({ mesh, material, instance: geom.body, transform: within(body, pose) });
    standing.push({ mesh, material, instance: geom.body, transform: transformOf(pose) });
  }
  for (const part of scenery?.parts ?? []) {
    // Without ceilings, so that viewers can look in from above.
    if (scenery?.instances[part.instance]?.category === "ceiling") continue;
    parts.push({ ...part, instance: 0, transform: FROM_SCENE });
    standing.push({ ...part, instance: 0 });
  }
  const instances = bodies.map(({ name }, i) => ({
    name,
    category: categories[i] ?? "unknown",
    ...boundsOf(standing.filter(({ instance }) => instance === i)),
  }));
  return {
    model: { id: sceneId, parts, instances, rooms: [], doors: [] },
    stand: {
      root: Z_UP,
      places: places.map(({ position, rotation_wxyz }) => ({
        translation: position,
        rotation: xyzw(rotation_wxyz),
      })),
    },
  };
}

function poses(
  { positions, rotations }: { readonly positions: Float64Array; readonly rotations: Float64Array },
  count: number,
): Pose3[] {
  return Array.from({ length: count }, (_, i) => {
    const [x = 0, y = 0, z = 0] = positions.subarray(3 * i, 3 * i + 3);
    const [qw = 1, qx = 0, qy = 0, qz = 0] = rotations.subarray(4 * i, 4 * i + 4);
    return { position: [x, y, z], rotation_wxyz: [qw, qx, qy, qz] };
  });
}

/** A geom's pose relative to its body, from the world poses of both. */
function within(body: Pose3, geom: Pose3): readonly number[] {
  const back = conjugate(body.rotation_wxyz);
  const offset = geom.position.map((value, i) => value - (body.position[i] ?? 0));
  const [x = 0, y = 0, z = 0] = offset;
  const at: Vec3 = rotate(back, [x, y, z]);
  return compose(at, xyzw(multiply(back, geom.rotation_wxyz)));
}

function xyzw([w, x, y, z]: Pose3["rotation_wxyz"]): QuatXyzw {
  return [x, y, z, w];
}
