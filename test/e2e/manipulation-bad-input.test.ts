import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { loadConfig } from "../../src/config/load.js";
import type { Action } from "../../src/core/interfaces/action.js";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { createRegistries } from "../../src/registry/registries.js";
import { linesOf, makeWorld, robotEvalHere, type World } from "../support/cli.js";
import { shippedEpisodes } from "../support/manipulation.js";

/** For busy machines. */
const TIMEOUT_MS = 120_000;

type Dict = ReturnType<Awaited<ReturnType<typeof shippedEpisodes>>[number]["toDict"]>;

/** A benchmark with one copy of a shipped episode per change; the keys of `ways` are the episode ids. */
async function makeBenchmark(
  ways: Readonly<Record<string, (episode: Dict) => object>>,
  config: object = {},
): Promise<World & { readonly benchmark: string }> {
  const world = makeWorld();
  const [first] = await shippedEpisodes("pick_place");
  if (!first) throw new Error("there are no episodes");
  const whole = { ...first.toDict(), reference_data: null };
  const episodes = Object.entries(ways).map(([episode_id, way]) => ({
    ...whole,
    ...way(whole),
    episode_id,
  }));
  world.write("episodes.json", { format: "robot-eval-episodes/1", episodes });
  const benchmark = world.write(
    "manipulation.yaml",
    stringify({
      benchmark: { name: "bad input" },
      pick_place_task: { type: "pick_place", config: { robot_type: "stretch", ...config } },
      dataset: { pick_place: { type: "pick_place", data_path: "episodes.json" } },
      simulator: { sensors: { qpos: {} } },
      evaluation: { max_steps: 3 },
    }),
  );
  return { ...world, benchmark };
}

const inTask = (change: object) => (episode: Dict) => ({
  task_config: { ...episode.task_config, ...change },
});
const things = ({ task_config }: Dict) => task_config.scene_objects as readonly object[];

describe("an unusable manipulation episode", () => {
  const WAYS = {
    good: () => ({}),
    absent: (episode: Dict) => ({
      goals: { ...episode.goals, target_object: { name: "teapot" } },
    }),
    overlap: (episode: Dict) =>
      inTask({ scene_objects: [...things(episode), { ...things(episode)[0], name: "twin" }] })(
        episode,
      ),
    shapeless: (episode: Dict) =>
      inTask({
        scene_objects: things(episode).map((thing) => ({ ...thing, shape: "teapot" })),
      })(episode),
    joints: (episode: Dict) => ({
      start_state: { ...episode.start_state, joint_positions: [0, 0, 0] },
    }),
    level: inTask({ randomization: { level: 4 } }),
    slow: () => ({ sim_params: { time_step: 10 } }),
    "good too": () => ({}),
  } as const;
  const SENTENCES: Readonly<Record<string, string>> = {
    absent: 'goals.target_object.name: "teapot" is not in the scene',
    overlap: '"twin" is 0.0573 m inside "can_purple"',
    shapeless: 'valid: box, cylinder, bottle, cup, hexagon, capsule, got "teapot"',
    joints: "stretch has 7 degrees of freedom, got 3 numbers",
    level: "expected one of 0|1|2|3, got 4",
    slow: "a step of 10 s is longer than an action",
  };

  it(
    "an unusable manipulation episode is invalid with its reason, and others are not affected",
    async () => {
      const { benchmark, out } = await makeBenchmark(WAYS);
      const args = ["run", benchmark, "--agent", "random", "--out", out, "--json"];
      const { code, stdout } = await robotEvalHere([...args, "--workers", "1"]);
      expect(code).toBe(3);
      const { run_dir, faults } = JSON.parse(stdout) as RunResults;
      expect(faults).toEqual({ data: 6 });
      for (const { episode_id, outcome, error, steps } of await linesOf(run_dir)) {
        const sentence = SENTENCES[episode_id];
        expect(outcome, episode_id).toBe(sentence === undefined ? "failure" : "invalid");
        if (sentence !== undefined) expect(error?.message).toContain(sentence);
        else expect(steps).toBe(3);
      }
    },
    TIMEOUT_MS,
  );

  it.each([
    ["time_step", 0, "sim_params.time_step: Too small: expected number to be >0, got 0"],
    ["time_step", -1, "sim_params.time_step: Too small: expected number to be >0, got -1"],
    ["max_steps", 0, "sim_params.max_steps: Too small: expected number to be >0, got 0"],
  ])(
    "an episode that violates the schema is rejected before the run: %s %d",
    async (field, value, text) => {
      const { benchmark, out, runs } = await makeBenchmark({
        bad: () => ({ sim_params: { [field]: value } }),
      });
      const { code, stderr } = await robotEvalHere([
        ...["run", benchmark, "--agent", "random", "--out", out],
      ]);
      expect(code).toBe(2);
      expect(stderr).toContain(text);
      expect(stderr).toContain("episodes.json, episodes[0]");
      expect(runs()).toEqual([]);
    },
  );
});

describe("an invalid action of a manipulation agent", () => {
  const ACTIONS: Readonly<Record<string, readonly [sent: unknown, words: string]>> = {
    short: [[0, 0], "an action of this task has 7 numbers, got 2"],
    long: [Array(8).fill(0), "an action of this task has 7 numbers, got 8"],
    nested: [[Array(7).fill(0)], "an action of this task has 7 numbers, got 1"],
    nan: [[0, 0, Number.NaN, 0, 0, 0, 0], "action[2] is NaN, not a finite number"],
    endless: [Array(7).fill(Number.POSITIVE_INFINITY), "action[0] is Infinity"],
    text: [Array(7).fill("0"), 'action[0] is "0", not a finite number'],
    word: ["jump", '"jump" is not an action of this task'],
    number: [5, "5 is not an action"],
    nothing: [undefined, "nothing is not an action"],
    record: [{ joints: Array(7).fill(0) }, "is not an action"],
  };

  it.each(["joint_position", "joint_delta", "ee_delta_pose"])(
    "an invalid action ends its episode as a fault of the agent in control mode %s",
    async (control_mode) => {
      const ways = Object.fromEntries(Object.keys(ACTIONS).map((name) => [name, () => ({})]));
      const { benchmark } = await makeBenchmark(ways, { control_mode, action_space: "continuous" });
      const registries = createRegistries();
      registries.agents.register("wrong", {
        description: "sends one valid action, then an invalid one",
        create: () => {
          let [id, asked] = ["", 0];
          return {
            reset({ episodeId }) {
              [id, asked] = [episodeId, 0];
            },
            act: () => (asked++ === 0 ? Array(7).fill(0) : ACTIONS[id]?.[0]) as Action,
          };
        },
      });
      const lines: EpisodeLine[] = [];
      const loaded = loadConfig(benchmark);
      await new UnifiedRobotEvaluator(loaded, {
        ...{ registries, agent: "wrong", outDir: null, workers: 1 },
        onEvent: (event) => {
          if (event.type === "episode") lines.push(event.line);
        },
      }).run();
      expect(lines).toHaveLength(Object.keys(ACTIONS).length);
      for (const line of lines) {
        expect(line, line.episode_id).toMatchObject({
          ...{ outcome: "failure", end_reason: "bad_action", fault: "agent", steps: 1 },
          error: { message: expect.stringContaining(ACTIONS[line.episode_id]?.[1] ?? "?") },
        });
      }
    },
    TIMEOUT_MS,
  );
});
