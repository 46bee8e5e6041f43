import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { loadConfig, UnifiedRobotEvaluator } from "../../src/index.js";
import { linesOf, makeWorld, type World } from "../support/cli.js";
import { writeLiberoDemos } from "../support/libero-demos.js";

const CHALLENGE = readFileSync(
  new URL("../../src/config/unified-challenge.fixture.txt", import.meta.url),
  "utf8",
);

// Chapter 8 of the design: `data_path: "data/datasets/manipulation/LIBERO/train"`, with LIBERO's files in it.
describe("the unified challenge on LIBERO's demonstrations", () => {
  let world: World;
  beforeAll(async () => {
    world = makeWorld();
    const vln = "data/datasets/vln/R2R/val_seen.json.gz";
    world.write("unified_challenge.yaml", CHALLENGE.replace(vln, "episodes/vln.json"));
    const train = join(world.root, "data/datasets/manipulation/LIBERO/train");
    mkdirSync(train, { recursive: true });
    await writeLiberoDemos(train, "open_the_middle_drawer_of_the_cabinet");
    await writeLiberoDemos(train, "turn_on_the_stove");
  });

  async function run(first: number, ...set: readonly string[]) {
    const config = loadConfig(join(world.root, "unified_challenge.yaml"), { set });
    const { run_dir } = await new UnifiedRobotEvaluator(config, {
      agent: "vln=shortest-path,pick_place=expert",
      outDir: world.out,
      first,
    }).run();
    const lines = await linesOf(run_dir);
    return lines.filter(({ task }) => task === "manipulation");
  }

  it("the unified challenge reads LIBERO demonstrations as one dataset, and says that its episodes are those of a Panda and not of a Stretch", async () => {
    const lines = await run(4);
    expect(lines.map(({ scene_id, episode_id }) => `${scene_id}/${episode_id}`).sort()).toEqual([
      "libero_goal/open_the_middle_drawer_of_the_cabinet/demo_0",
      "libero_goal/open_the_middle_drawer_of_the_cabinet/demo_1",
      "libero_goal/turn_on_the_stove/demo_0",
      "libero_goal/turn_on_the_stove/demo_1",
    ]);
    for (const { outcome, fault, error } of lines) {
      expect({ outcome, fault }).toEqual({ outcome: "invalid", fault: "data" });
      expect(error?.message).toContain(
        "was made for the robot panda, but the benchmark configures stretch",
      );
      expect(error?.message).toContain("set robot_type: panda and dof: 8 in the task's config");
    }
  });

  it("the unified challenge runs LIBERO demonstrations from the recorded joints with the robot that the files name", async () => {
    const task = "manipulation_task.config";
    const [line] = await run(1, `${task}.robot_type=panda`, `${task}.dof=8`);
    expect(line).toMatchObject({ outcome: "success", episode_id: "demo_0" });
  });
});
