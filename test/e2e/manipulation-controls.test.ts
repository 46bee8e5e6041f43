import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { worldMjcf } from "../../src/simulator/manipulation/mjcf/compose.js";
import { worldOf } from "../../src/simulator/manipulation/world/from-episode.js";
import { ROOT, shippedEpisodes } from "../support/manipulation.js";
import { describeGraspControls, robotOf } from "../support/manipulation-controls.js";
import { sampled } from "../support/sampled.js";

/*
 * Grasps must hold by contact and friction alone. So the expert runs in worlds where it must fail, and the generated
 * worlds and the source are searched for constraints and for code that moves bodies.
 */

const SETS = ["pick_place", "stacking", "opening", "pick_place_panda"] as const;

// One task of each robot; test/soak/manipulation-controls runs all tasks, and more episodes.
describeGraspControls(1, ["pick_place", "pick_place_panda"]);

/** A call that sets joints or free bodies, a write to the engine's own arrays, or a force that no actuator has. */
const WRITES =
  /\.set(Joints?|FreePose)\(|\b(qpos|qvel)(\(\))?\.(set|fill)\(|\b(qpos|qvel)(\(\))?\[.*\] = |xfrc_applied|qfrc_applied|mocap_|mj_setState|mj_setKeyframe/;

/**
 * Files that may write to the engine: its wrapper, the placement at reset, and the scratch copy that inverse and forward
 * kinematics and the check of actuators use. Those of frozen worlds only name states, with which an episode starts.
 */
const KNOWN_WRITERS = [
  "evaluator/check/parity/compare-frames.ts",
  "simulator/frozen/description.ts",
  "simulator/frozen/start.ts",
  "simulator/manipulation/control/ik.ts",
  "simulator/manipulation/physics/physics.ts",
  "simulator/manipulation/physics/scratch.ts",
  "simulator/manipulation/physics/whole-state.ts",
  "simulator/manipulation/sensors/privileged-view.ts",
  "simulator/manipulation/world/check-drives.ts",
  "simulator/manipulation/world/place-robot.ts",
];

describe("a grasp", () => {
  it.each(SETS)(
    "no constraint holds a grasp: the worlds of %s have only joint equalities",
    async (set) => {
      for (const split of ["train", "val"]) {
        for (const episode of sampled(await shippedEpisodes(set, split), 10)) {
          const text = worldMjcf(worldOf(episode, robotOf(set)));
          expect(text, episode.episodeId).not.toMatch(/<(weld|connect|adhesion)\b|mocap=/);
          for (const [equality] of text.matchAll(/<equality>.*?<\/equality>/gs)) {
            const tags = [...equality.matchAll(/<(\w+)/g)].map((match) => match[1]);
            expect(new Set(tags)).toEqual(new Set(["equality", "joint"]));
          }
        }
      }
    },
  );

  it("no code holds a grasp: only the listed files set joints, place bodies or apply forces", () => {
    const source = join(ROOT, "src");
    const writers = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(name))
      .filter((name) => WRITES.test(readFileSync(join(source, name), "utf8")))
      .map((name) => name.replaceAll("\\", "/"));
    expect(writers.sort()).toEqual(KNOWN_WRITERS);
  });
});
