import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { episodesOf } from "../../../test/support/dataset-files.js";
import { lerobotFormat } from "../../dataset/formats/lerobot.js";
import { exported, makeRun, REACH, type Recorded, WALK, walk } from "./run.fixture.js";

const PICK = { task: "pick_place", task_type: "pick_place" };

function meta(out: string, name: string): string {
  return readFileSync(join(out, "meta", name), "utf8");
}

function lines(out: string, name: string): unknown[] {
  return meta(out, name)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("the LeRobot export of navigation", async () => {
  const told = { instruction: { text: "go there" } };
  const run = await makeRun([
    { line: { episode_id: "1", outcome: "success" }, episode: told, records: WALK },
    { line: { episode_id: "1", repeat: 1 }, episode: told, records: WALK },
    { line: { episode_id: "2", outcome: "invalid", fault: "data" }, records: WALK.slice(0, 1) },
  ]);
  const report = await exported(run, { to: "lerobot" });
  const episodes = await episodesOf(lerobotFormat, { path: report.out });

  it("the LeRobot export of navigation exports one episode per valid result, including repeats", () => {
    expect(report).toMatchObject({ episodes: 2, frames: 6, left_out: 1 });
    expect(episodes).toHaveLength(2);
    expect(episodes[0]?.instruction.text).toBe("go there");
  });

  it("the LeRobot export of navigation pairs each state with the action taken in it and omits the final state", () => {
    const { qpos, actions } = episodes[0]?.referenceData?.trajectory ?? {};
    const half = Math.fround(0.25);
    expect(qpos).toEqual([
      [0, 0, 0, 0, 0, 0, 1],
      [0, 0, -half, 0, 0, 0, 1],
      [0, 0, -half, 0, Math.fround(Math.sin(0.125)), 0, Math.fround(Math.cos(0.125))],
    ]);
    // Action indices in the task's order: stop, move_forward, turn_left, turn_right.
    expect(actions).toEqual([
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [1, 0, 0, 0],
    ]);
  });

  it("the LeRobot export of navigation names the state values and includes the action index", () => {
    const { features, fps } = JSON.parse(meta(report.out, "info.json"));
    expect(fps).toBe(4);
    expect(features["observation.state"].names).toEqual(["x", "y", "z", "qx", "qy", "qz", "qw"]);
    expect(features.action.names).toEqual(["stop", "move_forward", "turn_left", "turn_right"]);
    expect(features.discrete_action).toEqual({ dtype: "int64", shape: [1], names: null });
    expect(report.notes).toContainEqual(expect.stringContaining("no clock"));
  });

  it("the LeRobot export of navigation records the run and result line that each episode comes from", () => {
    expect(JSON.parse(meta(report.out, "robot_eval.json"))).toMatchObject({
      format: "robot-eval-export/1",
      run: { run_id: "a-run" },
    });
    expect(lines(report.out, "robot_eval_episodes.jsonl")).toMatchObject([
      { episode_index: 0, episode_key: "vln/hall/1", repeat: 0, outcome: "success" },
      { episode_index: 1, episode_key: "vln/hall/1", repeat: 1, outcome: "failure" },
    ]);
  });
});

describe("the LeRobot export of manipulation", async () => {
  const run = await makeRun([{ line: PICK, records: REACH }]);
  const { out, notes } = await exported(run, { to: "lerobot" });
  const [episode] = await episodesOf(lerobotFormat, { path: out });

  it("the LeRobot export of manipulation exports joints, end effector and action vectors at the simulator rate", () => {
    expect(notes).toEqual([]);
    expect(episode?.taskConfig).toMatchObject({ fps: 20, robot_type: "stretch" });
    expect(episode?.referenceData?.trajectory).toMatchObject({
      qpos: [
        [0, 1, 2, 3, 4, 5, 0],
        [0, 1, 2, 3, 4, 5, 1],
      ],
      ee_pose: [
        [0.5, 0, 1, 1, 0, 0, 0],
        [0.5, Math.fround(0.1), 1, 1, 0, 0, 0],
      ],
      actions: [
        [1, 0, 0, 0, 0, 0, 0.5, 0],
        [2, 0, 0, 0, 0, 0, 0.5, 0],
      ],
    });
    const { features } = JSON.parse(meta(out, "info.json"));
    expect(features["observation.state"].names).toContain("wrist_yaw");
    expect(features.action.names.at(-1)).toBe("stop");
  });

  it("the LeRobot export of manipulation rejects a rate that differs from that of the simulator", async () => {
    await expect(exported(run, { to: "lerobot", fps: 7 })).rejects.toMatchObject({
      code: "bad_fps",
      message: "the simulator ran at 20 steps per second",
    });
  });
});

describe("the LeRobot export", () => {
  const bare = WALK.map(({ step, action, state: { position = [0, 0, 0] } }) => {
    return { step, action, state: { position } };
  });

  it.each<[string, Recorded[], string, string]>([
    [
      "episodes of two kinds of robots",
      [{ records: WALK }, { line: PICK, records: REACH }],
      "not_alike",
      "--task",
    ],
    [
      "headings in only some episodes",
      [{ records: WALK }, { line: { episode_id: "2" }, records: bare }],
      "not_alike",
      "--task",
    ],
    [
      "episodes without a saved trajectory",
      [{ line: { steps: 3 } }],
      "no_trajectory",
      "save_trajectories",
    ],
    ["a run without valid results", [{ line: { outcome: "invalid" } }], "no_episodes", ""],
  ])("the LeRobot export rejects %s", async (_, episodes, code, hint) => {
    const run = await makeRun(episodes);
    const work = exported(run, { to: "lerobot" });
    await expect(work).rejects.toMatchObject({ code });
    if (hint) await expect(work).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
  });

  it("the LeRobot export accepts a mixed run when task and outcome select matching episodes", async () => {
    const run = await makeRun([{ records: WALK }, { line: PICK, records: REACH }]);
    const { episodes, out } = await exported(run, {
      to: "lerobot",
      task: "pick_place",
      only: "failure",
    });
    expect(episodes).toBe(1);
    expect(readdirSync(out).sort()).toEqual(["data", "meta"]);
  });

  it("the LeRobot export drops the arguments of actions and adds a note", async () => {
    const hop = walk([null, [0, 0, 0], 0], ["goto:b", [2, 0, 0], 0], ["stop", [2, 0, 0], 0]);
    const { out, notes } = await exported(await makeRun([{ records: hop }]), { to: "lerobot" });
    expect(notes).toContainEqual(expect.stringContaining("lose their argument"));
    const { features } = JSON.parse(meta(out, "info.json"));
    expect(features.action.names).toContain("goto");
  });
});
