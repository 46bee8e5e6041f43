import { type MjcfElement, mjcf } from "../../../core/mjcf/element.js";
import type { MjcfFragment } from "../../../core/mjcf/fragment.js";
import type { ObjectShape, ObjectSpec, PhysicsSpec } from "../world/world.js";
import { yawQuat } from "../world/yaw.js";
import { bottle } from "./bottle.js";
import { box } from "./box.js";
import { capsule } from "./capsule.js";
import { cup } from "./cup.js";
import { cylinder } from "./cylinder.js";
import { hexagon } from "./hexagon.js";
import type { Shape, ShapePart } from "./shape.js";

export const SHAPES: Readonly<Record<ObjectShape, Shape>> = {
  box,
  cylinder,
  bottle,
  cup,
  hexagon,
  capsule,
};

/** MuJoCo's own viewer shows groups 0 to 2 and hides 3: shapes for touching alone stand there. */
const GROUP = { both: 0, see: 2, touch: 3 } as const;

/** Metres: how much a contact resists turning about its normal, and rolling. */
const TORSION_M = 0.01;
const ROLLING_M = 0.0001;
/** Stiffer than MuJoCo's own, as fingers' pads are: a thing that is held does not sink into them. */
const STIFF = { solref: [0.01, 1], solimp: [0.95, 0.99, 0.001] } as const;

/** What fingers' pads have, by which they and not what they hold decide about a contact. */
export const PAD_PRIORITY = 1;

/** An object: a body that moves freely, named as goals name it. `padFriction` is that of the robot's fingers. */
export function objectFragment(
  object: ObjectSpec,
  physics: PhysicsSpec,
  padFriction: number,
): MjcfFragment {
  const parts = SHAPES[object.shape].parts(object.sizeM);
  const volume = parts.reduce((sum, part) => sum + part.volumeM3, 0);
  const massKg = object.massKg * physics.massScale;
  const slide = object.friction * physics.frictionScale;
  // Of two frictions MuJoCo takes the larger, or that of the higher priority. Between fingers the smaller is
  // to count: a slippery thing is hard to hold, whatever holds it.
  const priority = slide < padFriction ? PAD_PRIORITY + 1 : PAD_PRIORITY - 1;
  return {
    asset: parts.flatMap((part, i) => meshAsset(object.name, i, part)),
    worldbody: [
      mjcf(
        "body",
        { name: object.name, pos: object.position, quat: object.rotation_wxyz },
        mjcf("freejoint", { name: `${object.name}_free` }),
        ...parts.map((part, i) =>
          mjcf("geom", {
            name: `${object.name}_geom_${i}`,
            type: part.type,
            size: part.size,
            mesh: part.mesh && meshName(object.name, i),
            pos: part.position,
            quat: part.yawRad === undefined ? undefined : yawQuat(part.yawRad),
            mass: (massKg * part.volumeM3) / volume,
            rgba: [...object.color.map((c) => c * (part.shade ?? 1)), 1],
            group: GROUP[part.use],
            ...(part.use === "see"
              ? { contype: 0, conaffinity: 0 }
              : {
                  condim: 4,
                  friction: [slide, TORSION_M, ROLLING_M],
                  priority,
                  ...STIFF,
                }),
          }),
        ),
      ),
    ],
  };
}

function meshName(object: string, part: number): string {
  return `${object}_mesh_${part}`;
}

function meshAsset(object: string, index: number, { mesh }: ShapePart): MjcfElement[] {
  if (!mesh) return [];
  return [
    mjcf("mesh", {
      name: meshName(object, index),
      vertex: mesh.vertices.flat().map(micrometres),
      face: mesh.faces?.flat(),
    }),
  ];
}

/** MuJoCo keeps meshes in single precision; more digits would only lengthen the text. */
function micrometres(x: number): number {
  return Math.round(x * 1e6) / 1e6;
}
