import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply } from "../../core/math/quat-wxyz.js";
import { wrapAngle } from "../../core/math/rotation.js";
import { distance3 } from "../../core/math/vec3.js";
import type { Driver, Script } from "./driver.js";
import { criterion, fixtureNamed } from "./goals.js";
import { along, yawOf } from "./pose.js";

const STANDOFF_M = 0.1;
const CLOSE_STEPS = 14;
const OPEN_STEPS = 10;
/** Number of segments in which the handle's path is solved. */
const PARTS = 24;
/** Distance from the handle at which the hand has lost it, in metres. */
const LOST_M = 0.05;
/** Share of the handle's rotation that the hand follows; less than 1 if a joint limit requires it. */
const TURN_SHARES = [1, 0.8, 0.6, 0.4, 0.2, 0] as const;
/** Opens this much farther than required, so that the fixture stays open after release. */
const BEYOND = 0.1;

/** Grasps the handle and moves it along its path. Returns true if the fixture is open far enough. */
export function* openFixture(driver: Driver, name: string): Script<boolean> {
  const { view } = driver;
  const asked = criterion(view, "opened_fraction", 0.75);
  const enough = Math.min(0.99, asked + BEYOND);
  const opened = () => fixtureNamed(view, name).opened;
  if (opened() >= enough) return true;

  driver.phase = "approach";
  yield* driver.grip(1, driver.isOpen() ? 0 : OPEN_STEPS);
  const { handle } = fixtureNamed(view, name);
  const before = along(handle, -STANDOFF_M);
  if (!(yield* driver.moveTo(before))) return false;
  driver.phase = "reach";
  if (!(yield* driver.moveTo(handle, { pace: 0.4 }))) return false;
  driver.phase = "close";
  yield* driver.grip(0, CLOSE_STEPS);

  driver.phase = "pull";
  const lost = () =>
    distance3(view.endEffector().position, fixtureNamed(view, name).handle.position) > LOST_M;
  const way = pullWay(driver, name, enough);
  if (way) yield* driver.follow(way, { pace: 0.5, until: () => lost() || opened() >= enough });
  yield* driver.hold(2);

  driver.phase = "open";
  yield* driver.grip(1, OPEN_STEPS);
  driver.phase = "retreat";
  yield* driver.moveTo(along(view.endEffector(), -STANDOFF_M), { pace: 0.6 });
  return opened() >= asked;
}

/** Solves the joints along the handle's path, starting from the current grasp. */
function pullWay(driver: Driver, name: string, share: number): number[][] | undefined {
  const { view } = driver;
  const fixture = fixtureNamed(view, name);
  const here = view.endEffector();
  const from = fixture.handle;
  for (const turnShare of TURN_SHARES) {
    const poses = Array.from({ length: PARTS }, (_, i): Pose3 => {
      const at = fixture.handleAt(
        fixture.opened + ((share + 0.03 - fixture.opened) * (i + 1)) / PARTS,
      );
      const turned = wrapAngle(yawOf(at.rotation_wxyz) - yawOf(from.rotation_wxyz));
      return {
        position: [
          here.position[0] + at.position[0] - from.position[0],
          here.position[1] + at.position[1] - from.position[1],
          here.position[2] + at.position[2] - from.position[2],
        ],
        rotation_wxyz: multiply(aboutAxis([0, 0, 1], turned * turnShare), here.rotation_wxyz),
      };
    });
    const way = driver.solve(poses);
    if (way) return way;
  }
  return undefined;
}
