import type { BaseEpisode } from "../../../core/episode/base.js";
import { rotate } from "../../../core/math/quat-wxyz.js";
import { add, type Vec3 } from "../../../core/math/vec3.js";
import { suggestion } from "../../../core/registry.js";
import type { Material, SceneDrawer, SceneModel } from "../../scenes/model.js";
import type { ReceptacleSurface } from "../../scenes/receptacles.js";
import { trayInside } from "../fixtures/drawer.js";
import { fromScene, toScene } from "../visual/axes.js";
import { FIXTURES } from "../world/layout.js";
import { episodeError, readTaskConfig } from "../world/task-config.js";
import type { FixtureSpec } from "../world/world.js";
import { yawQuat } from "../world/yaw.js";

/** How far a drawer opens, as a share of its depth. */
const OPENS = 0.75;
/** Gap between a front and the furniture around it, on all sides together. */
const GAP_M = 0.004;

/** The drawers that an episode names, in MuJoCo's axes. */
export function drawersOf(episode: BaseEpisode, model: SceneModel): readonly FixtureSpec[] {
  const { drawers = [] } = readTaskConfig(episode);
  return drawers.map(({ name, opened }, i) => {
    const field = `task_config.drawers.${i}`;
    const known = model.drawers ?? [];
    const drawer = known.find((one) => one.name === name);
    if (!drawer) {
      throw episodeError(
        episode,
        `${field}.name`,
        `"${name}" is no drawer of ${model.id} that moves`,
        known.length > 0
          ? suggestion(
              name,
              known.map((one) => one.name),
            )
          : "it has none; chests of drawers have them",
      );
    }
    if (drawers.findIndex((one) => one.name === name) < i) {
      throw episodeError(episode, `${field}.name`, `"${name}" is listed twice`, "list it once");
    }
    const range = drawerRangeM(drawer);
    if (opened > range) {
      throw episodeError(
        episode,
        `${field}.opened`,
        `"${name}" opens by at most ${range} m, got ${opened}`,
        "give the opening at the start in metres; 0 is closed",
      );
    }
    return drawerSpec(drawer, opened);
  });
}

/** How far a drawer opens, in metres. */
function drawerRangeM({ sizeM: [, , depth] }: Pick<SceneDrawer, "sizeM">): number {
  return Math.round(OPENS * depth * 100) / 100;
}

/** A drawer of an apartment as a body that slides. */
export function drawerSpec(drawer: SceneDrawer, openedM: number): FixtureSpec {
  const { name, furniture, front, yawRad, sizeM, material } = drawer;
  const range = drawerRangeM(drawer);
  const [x, y, z] = fromScene(front).map(micrometres);
  const { damping, frictionLoss } = FIXTURES.drawer;
  return {
    name,
    kind: "drawer",
    furniture,
    position: [x ?? 0, y ?? 0, z ?? 0],
    // The axes of a fixture point into the cabinet, those of the scene's drawer out of it.
    yawRad: Math.atan2(Math.cos(yawRad), -Math.sin(yawRad)),
    sizeM: [sizeM[2], sizeM[0] - GAP_M, sizeM[1] - GAP_M],
    range,
    opened: openedM / range,
    damping,
    frictionLoss,
    color: meanColor(material),
  };
}

/** The part of a drawer's floor that its furniture does not cover; undefined if that is less than a hand's breadth. */
export function drawerSurface(drawer: FixtureSpec, openedM: number): DrawerSurface | undefined {
  const { position, yawRad, sizeM } = drawer;
  const { depthM, halfWidthM, floorM } = trayInside(drawer);
  const lengthM = Math.min(depthM[0] + openedM, depthM[1]) - depthM[0];
  if (lengthM < LEAST_OPEN_M) return undefined;
  const middle: Vec3 = [depthM[0] - openedM + lengthM / 2, 0, floorM];
  return {
    centre: toScene(add(position, rotate(yawQuat(yawRad), middle))),
    yawRad,
    sizeM: [lengthM, 2 * halfWidthM],
    clearanceM: Number.POSITIVE_INFINITY,
    rimM: sizeM[2] / 2 - floorM,
  };
}

/** Less is too little for a hand. */
const LEAST_OPEN_M = 0.12;

export interface DrawerSurface extends ReceptacleSurface {
  /** Height of the front above the drawer's floor. */
  readonly rimM: number;
}

/** Geoms have one colour, so a texture counts with its mean. */
function meanColor({ color: [r, g, b], texture }: Material): Vec3 {
  if (!texture) return [r, g, b];
  const sums = [0, 0, 0];
  const { data } = texture;
  for (let i = 0; i + 3 < data.length; i += 4) {
    for (const k of [0, 1, 2] as const) sums[k] = (sums[k] ?? 0) + (data[i + k] as number);
  }
  const mean = (k: number) => (sums[k] ?? 0) / (data.length / 4) / 255;
  const share = (x: number) => Math.round(x * 1000) / 1000;
  return [share(r * mean(0)), share(g * mean(1)), share(b * mean(2))];
}

function micrometres(x: number): number {
  return Math.round(x * 1e6) / 1e6;
}
