import { aboutAxis, multiply } from "../../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../../core/math/rotation.js";
import { type MjcfElement, mjcf } from "../../../core/mjcf/element.js";
import type { MjcfFragment } from "../../../core/mjcf/fragment.js";
import type { ObjectShape, ObjectSpec, PhysicsSpec } from "../world/world.js";
import { yawQuat } from "../world/yaw.js";
import { bottle } from "./bottle.js";
import { box } from "./box.js";
import { capsule } from "./capsule.js";
import { catalogueModel } from "./catalogue/catalogue.js";
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

/** The shape of an object: one with a free size, or that of a model of the catalogue. */
export function shapeOf({ shape, model }: Pick<ObjectSpec, "shape" | "model">): Shape {
  return model === undefined ? SHAPES[shape] : catalogueModel(model).shape;
}

/** MuJoCo's viewer shows groups 0 to 2 and hides 3, which is for collision shapes. */
const GROUP = { both: 0, see: 2, touch: 3 } as const;

/** Torsional and rolling friction. */
const TORSION_M = 0.01;
const ROLLING_M = 0.0001;
/** Stiffer than MuJoCo's default, like the finger pads, so that held objects do not sink into them. */
const STIFF = { solref: [0.01, 1], solimp: [0.95, 0.99, 0.001] } as const;

/** Contact priority of finger pads; of two geoms, the one with the higher priority sets the friction. */
export const PAD_PRIORITY = 1;

/** An object as a free body. `padFriction` is the friction of the robot's finger pads. */
export function objectFragment(
  object: ObjectSpec,
  physics: PhysicsSpec,
  padFriction: number,
): MjcfFragment {
  const parts = shapeOf(object).parts(object.sizeM);
  const volume = parts.reduce((sum, part) => sum + part.volumeM3, 0);
  const massKg = object.massKg * physics.massScale;
  const slide = object.friction * physics.frictionScale;
  // MuJoCo uses the larger friction, or that of the higher priority. Between fingers the smaller one must apply, so
  // that slippery objects are hard to hold.
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
            quat: rotationOf(part),
            mass: (massKg * part.volumeM3) / volume,
            rgba: [...(part.rgb ?? object.color).map((c) => c * (part.shade ?? 1)), 1],
            group: GROUP[part.use],
            ...(part.use === "see"
              ? { contype: 0, conaffinity: 0 }
              : {
                  // 6 adds rolling friction.
                  condim: part.rollingM === undefined ? 4 : 6,
                  friction: [slide, TORSION_M, part.rollingM ?? ROLLING_M],
                  priority,
                  ...STIFF,
                }),
          }),
        ),
      ),
    ],
  };
}

function rotationOf({ yawRad, tiltRad }: ShapePart): QuatWxyz | undefined {
  if (yawRad === undefined && tiltRad === undefined) return undefined;
  const yaw = yawQuat(yawRad ?? 0);
  return tiltRad === undefined ? yaw : multiply(yaw, aboutAxis([0, 1, 0], tiltRad));
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

/** Rounds to micrometres: MuJoCo stores meshes in single precision. */
function micrometres(x: number): number {
  return Math.round(x * 1e6) / 1e6;
}
