import { describe, expect, it } from "vitest";
import {
  doing,
  evaluate,
  onlyLine,
  type TinyWorld,
  tempDir,
  tinyWorld,
} from "../../../test/support/tiny-world.js";
import { BaseEpisode } from "../../core/episode/base.js";
import type { Observation } from "../../core/interfaces/observation.js";
import { replayRun } from "../../evaluator/check/replay/replay-run.js";
import { createRegistries } from "../../registry/registries.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { readTrajectory } from "../../runs/directory/trajectory.js";
import { scoreRun } from "../../runs/score/score-run.js";

const HOME = [0.6, 0, 3, 0, 0.04, 0, -0.4];

function episodes(count: number): BaseEpisode[] {
  return Array.from(
    { length: count },
    (_, i) =>
      new BaseEpisode({
        episodeId: `e${i}`,
        taskType: "pick_place",
        sceneId: "tabletop",
        startState: { base_pose: [0, i, 0.5 * i], joint_positions: HOME },
        goals: { target_object: { name: "box" }, target_location: { position: [1.5, 0.3, 0.74] } },
        instruction: { text: "Move the box." },
        taskConfig: {
          table: { position: [1.5, 0, 0.7], size: [0.8, 1.6, 0.04] },
          scene_objects: [{ name: "box", size: [0.04, 0.05, 0.08], position: [1.5, 0] }],
        },
      }),
  );
}

function world(
  count: number,
  options: {
    readonly evaluation?: Readonly<Record<string, unknown>>;
    readonly config?: Readonly<Record<string, unknown>>;
  } = {},
): TinyWorld {
  return tinyWorld({
    episodes: episodes(count),
    type: "pick_place",
    tasks: ["drive"],
    config: {
      profile: undefined,
      robot_type: "stretch_mobile",
      metrics: ["manip_success", "steps_taken"],
      ...options.config,
    },
    evaluation: { max_steps: 150, timeout: 60, ...options.evaluation },
    sections: { simulator: { backend: "mujoco", sensors: { gps: {}, compass: {}, qpos: {} } } },
  });
}

async function trajectoryOf(runDir: string | null) {
  const run = await RunDirectory.open(runDir ?? "");
  for await (const line of run.episodes()) {
    const file = run.trajectoryOf(line);
    if (file !== null) return readTrajectory(file);
  }
  throw new Error("the run has no trajectory");
}

describe("a run with a robot that drives", () => {
  it("a run with a robot that drives asks the policy once for each named action and records both counts", async () => {
    const seen: unknown[] = [];
    const agent = () => ({
      reset: () => {},
      act: (observation: Observation) => {
        const answers = ["move_forward", HOME, "stop"] as const;
        return answers[seen.push(observation.gps) - 1] ?? "stop";
      },
    });
    const run = await evaluate(world(1), agent, { outDir: tempDir() });
    const line = onlyLine(run);
    expect(line.actions).toBe(3);
    expect(line.steps).toBeGreaterThan(35);
    expect(line.metrics.steps_taken).toBe(3);
    expect(seen).toHaveLength(3);
    expect(seen[1]).toEqual([expect.closeTo(0, 2), 0, expect.closeTo(-0.25, 2)]);
    const { records } = await trajectoryOf(run.results.run_dir);
    expect(records.filter(({ continued }) => continued)).toHaveLength(line.steps - 3);
    expect(records.slice(1, line.steps - 1).every(({ action }) => action === "move_forward")).toBe(
      true,
    );
    expect(records.at(-1)).toMatchObject({ action: "stop" });
  });

  it("a run with a robot that drives ends at max_steps of control steps within a named action", async () => {
    const line = onlyLine(
      await evaluate(
        world(1, { evaluation: { max_steps: 20 } }),
        doing(() => "move_forward"),
      ),
    );
    expect(line).toMatchObject({ steps: 20, actions: 1, end_reason: "max_steps" });
  });

  it.each(["fly", [1, 2], { name: "move_sideways" }])(
    "a run with a robot that drives ends as a failure of the agent that sends %j",
    async (wrong) => {
      const line = onlyLine(
        await evaluate(
          world(1),
          doing(() => wrong as never),
        ),
      );
      expect(line).toMatchObject({ outcome: "failure", end_reason: "bad_action", fault: "agent" });
    },
  );

  it("a run with a robot that drives waits, instead of driving on, while a slow policy computes", async () => {
    const run = await evaluate(
      world(1, { evaluation: { simulated_latency: { steps: 3 } } }),
      doing((n) => (n < 2 ? "turn_left" : "stop")),
      { outDir: tempDir() },
    );
    const { records } = await trajectoryOf(run.results.run_dir);
    expect(records.filter(({ action }) => typeof action === "object" && action)).toHaveLength(6);
    expect(records.at(-1)?.state.base_pose?.[2]).toBeCloseTo(Math.PI / 3, 1);
  });

  it("a run with a robot that drives is the same to the bit in another run, in a replay and when scored again", async () => {
    const config = { base_velocity: true };
    const first = await evaluate(world(3, { config }), "random", { outDir: tempDir() });
    const second = await evaluate(world(3, { config }), "random");
    const hashes = (run: typeof first) =>
      run.lines.map((line) => [line.episode_id, line.final_state_hash, line.actions]).sort();
    expect(hashes(second)).toEqual(hashes(first));
    expect(first.lines.every(({ actions, steps }) => (actions ?? steps) < steps)).toBe(true);
    const path = first.results.run_dir ?? "";
    expect(await replayRun(path)).toMatchObject({ replayed: 3, equal: 3, different: [] });
    const again = await scoreRun({ path, outDir: tempDir(), registries: createRegistries() });
    expect(again.per_task).toEqual(first.results.per_task);
    for await (const scored of (await RunDirectory.open(again.run_dir ?? "")).episodes()) {
      const recorded = first.lines.find(({ episode_id }) => episode_id === scored.episode_id);
      expect(scored.actions).toBe(recorded?.actions);
    }
  });
});
