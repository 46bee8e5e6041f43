import { type MjcfElement, mjcf } from "../../../core/mjcf/element.js";
import type { MjcfFragment } from "../../../core/mjcf/fragment.js";
import type { LookSpec, ManipulationWorld, TableSpec } from "../world/world.js";
import { yawQuat } from "../world/yaw.js";

/** Half the room's length and width; the walls are out of the reach of robots that do not drive. */
const ROOM_HALF_M = 2.5;
const ROOM_HEIGHT_M = 2.6;
const WALL_HALF_THICKNESS_M = 0.05;
/** Side of the floor's squares. */
const TILE_M = 0.5;

const LEG_M = 0.05;
/** Distance of the legs from the top's edges. */
const LEG_INSET_M = 0.03;

/** Floor, walls, table, and lights for other viewers (the rasteriser has its own). */
export function arenaFragment(world: ManipulationWorld): MjcfFragment {
  const { look, table, basePose } = world;
  return {
    worldbody: [
      ...lights(look),
      mjcf("geom", {
        name: "floor",
        type: "plane",
        // Planes are infinite in the physics; the size only limits how far they are drawn.
        size: [ROOM_HALF_M, ROOM_HALF_M, TILE_M],
        pos: [basePose[0], basePose[1], 0],
        rgba: [...look.floor, 1],
      }),
      mjcf("body", { name: "walls", pos: [basePose[0], basePose[1], 0] }, ...walls(world)),
      ...(table ? [tableBody(table, look)] : []),
    ],
  };
}

/** The episode's table in a user's scene. */
export function tableFragment({ look, table }: ManipulationWorld): MjcfFragment {
  return table ? { worldbody: [tableBody(table, look)] } : {};
}

/** Visual only where nothing reaches them. */
function walls({ look, robot }: ManipulationWorld): MjcfElement[] {
  const visual = robot.model?.base ? {} : { contype: 0, conaffinity: 0, group: 2 };
  return [0, 1, 2, 3].map((side) => {
    const sign = side < 2 ? 1 : -1;
    const out = sign * (ROOM_HALF_M + WALL_HALF_THICKNESS_M);
    const across = side % 2 === 0;
    return mjcf("geom", {
      name: `wall_${side}`,
      type: "box",
      size: across
        ? [WALL_HALF_THICKNESS_M, ROOM_HALF_M, ROOM_HEIGHT_M / 2]
        : [ROOM_HALF_M, WALL_HALF_THICKNESS_M, ROOM_HEIGHT_M / 2],
      pos: across ? [out, 0, ROOM_HEIGHT_M / 2] : [0, out, ROOM_HEIGHT_M / 2],
      rgba: [...look.wall, 1],
      ...visual,
    });
  });
}

function tableBody({ position, yawRad, sizeM }: TableSpec, look: LookSpec): MjcfElement {
  const [length, width, thickness] = sizeM;
  const legHeight = position[2] - thickness;
  const legX = length / 2 - LEG_INSET_M - LEG_M / 2;
  const legY = width / 2 - LEG_INSET_M - LEG_M / 2;
  const legs = [0, 1, 2, 3].map((i) =>
    mjcf("geom", {
      name: `table_leg_${i}`,
      type: "box",
      size: [LEG_M / 2, LEG_M / 2, legHeight / 2],
      pos: [i < 2 ? legX : -legX, i % 2 === 0 ? legY : -legY, -thickness - legHeight / 2],
      rgba: [...look.table.map((c) => c * 0.8), 1],
    }),
  );
  return mjcf(
    "body",
    { name: "table", pos: position, quat: yawQuat(yawRad) },
    mjcf("geom", {
      name: "table_top",
      type: "box",
      size: [length / 2, width / 2, thickness / 2],
      pos: [0, 0, -thickness / 2],
      rgba: [...look.table, 1],
      // Low, so that the object's friction applies: MuJoCo uses the larger of the two.
      friction: [0.2, 0.005, 0.0001],
    }),
    ...legs,
  );
}

function lights({ light }: LookSpec): MjcfElement[] {
  const diffuse = (share: number) => light.color.map((c) => share * light.intensity * c);
  return [
    mjcf("light", {
      name: "key",
      type: "directional",
      pos: [-1, 1, 3],
      dir: [0.4, -0.4, -1],
      diffuse: diffuse(0.7),
    }),
    mjcf("light", {
      name: "fill",
      type: "directional",
      pos: [1, -1, 3],
      dir: [-0.5, 0.3, -1],
      diffuse: diffuse(0.3),
      castshadow: false,
    }),
  ];
}
