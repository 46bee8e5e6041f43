import { ConfigError } from "../../core/errors.js";
import type { Action } from "../../core/interfaces/action.js";
import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import type { Driver, Script } from "./driver.js";
import { baseName, criterion, findTarget, nameIn, objectNamed, targetPosition } from "./goals.js";
import { openFixture } from "./open-fixture.js";
import { type GraspStrategy, pick } from "./pick.js";
import { place } from "./place.js";
import { downward, flatDistance, yawOf } from "./pose.js";
import { Rearranger } from "./rearrange/rearrange.js";
import { takeStance } from "./stance.js";

const MOST_TRIES = 4;
/** Success must hold for ten steps; a few more let objects come to rest. */
const REST_STEPS = 20;

/** The expert's script for a task, from the first step to the last. */
export function scriptFor(
  taskType: string,
  driver: Driver,
  names: readonly (string | undefined)[],
): Generator<Action, void, void> {
  switch (taskType) {
    case "pick_place":
    case "stacking":
      return pickAndPlace(driver, names);
    case "opening":
      return opening(driver);
    case "rearrange":
      return new Rearranger(driver, names).run();
    case "manipulation":
      return "target_fixture" in driver.view.goals ? opening(driver) : pickAndPlace(driver, names);
    default:
      throw new ConfigError("no_expert", `the expert does not support the task "${taskType}"`, {
        hint: "use it with pick_place, stacking, opening or rearrange",
      });
  }
}

function* pickAndPlace(driver: Driver, names: readonly (string | undefined)[]): Script<void> {
  const { view } = driver;
  const name = nameIn(view, "target_object");
  const base = baseName(view);
  const { position: start, sizeM } = objectNamed(view, name);
  yield* takeStance(driver, names, [start, findTarget(view, sizeM[2]) ?? start]);
  const strategy = strategyOf(driver, name);
  const liftM = criterion(view, "lift_height", 0.1) + 0.03;
  const tolerance = criterion(view, "place_tolerance", 0.05) * 0.7;
  const target = () => targetPosition(view, objectNamed(view, name).sizeM[2]);
  const placed = () => {
    const { position } = objectNamed(view, name);
    const wanted = target();
    return flatDistance(position, wanted) < tolerance && Math.abs(position[2] - wanted[2]) < 0.02;
  };
  let missed = 0;
  for (let i = 0; i < MOST_TRIES; i++) {
    const held = yield* pick(driver, name, strategy, liftM, missed);
    if (held === "unreachable") break;
    if (held === "missed") {
      missed++;
      continue;
    }
    yield* place(driver, name, held, strategy, target, base);
    yield* driver.hold(REST_STEPS);
    if (placed()) break;
  }
  yield* driver.hold(REST_STEPS);
}

function* opening(driver: Driver): Script<void> {
  const name = nameIn(driver.view, "target_fixture");
  for (let i = 0; i < MOST_TRIES; i++) {
    if (yield* openFixture(driver, name)) break;
    yield* driver.hold(2);
  }
  yield* driver.hold(REST_STEPS);
}

/** Grasps from above if the hand can point down, otherwise from the side. */
function strategyOf(driver: Driver, name: string): GraspStrategy {
  const { view } = driver;
  const home = view.joints();
  const here = view.endEffector();
  const { position } = objectNamed(view, name);
  const down = [0, 0.5, 1, -0.5].some((share) => {
    const pose: Pose3 = {
      position: [position[0], position[1], position[2] + 0.1],
      rotation_wxyz: downward(share * Math.PI),
    };
    return view.solveIk(pose, { from: home, axis: "x" }) !== undefined;
  });
  return {
    styles: down ? ["down", "level"] : ["level"],
    reachYawRad: yawOf(here.rotation_wxyz),
    home,
  };
}
