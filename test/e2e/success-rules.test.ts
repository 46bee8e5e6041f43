import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import {
  ActionSpace,
  type BaseSimulator,
  createRegistries,
  type EpisodeLine,
  loadConfig,
  parseConfig,
  type Registries,
  RobotEvalError,
  RunDirectory,
  readTrajectory,
  replayRun,
  type StepState,
  scoreRun,
  UnifiedRobotEvaluator,
  VLNTask,
} from "../../src/index.js";
import { eventsOf } from "../../src/server/view/events.js";
import { makeWorld, robotEvalHere } from "../support/cli.js";
import { tempDir } from "../support/tiny-world.js";

const PUSH = fileURLToPath(new URL("../../examples/plugin/push/benchmark.yaml", import.meta.url));
const TOLERANCE = "push_task.config.success_criteria.zone_tolerance";
/** For busy machines. */
const TIMEOUT_MS = 60_000;

async function runPush(): Promise<RunDirectory> {
  const { run_dir } = await new UnifiedRobotEvaluator(loadConfig(PUSH), {
    outDir: tempDir(),
  }).run();
  return RunDirectory.open(run_dir ?? "");
}

const score = (run: RunDirectory, set: readonly string[] = [], outDir: string | null = null) =>
  scoreRun({ path: run.path, outDir, set, registries: createRegistries() });

async function linesOf(run: RunDirectory): Promise<EpisodeLine[]> {
  const lines: EpisodeLine[] = [];
  for await (const line of run.episodes()) lines.push(line);
  return lines;
}

async function problem(work: Promise<unknown>): Promise<RobotEvalError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof RobotEvalError) return error;
  throw new Error(`expected a RobotEvalError, got ${String(error)}`);
}

/** Rewrites the trajectories as format version 1, which has no facts. */
async function withoutFacts(run: RunDirectory): Promise<void> {
  for (const line of await linesOf(run)) {
    const file = join(run.path, line.trajectory ?? "");
    const [head = "", ...steps] = gunzipSync(readFileSync(file))
      .toString("utf8")
      .trimEnd()
      .split("\n");
    const old = steps.map((step) => {
      const { facts: _, ...record } = JSON.parse(step);
      return JSON.stringify(record);
    });
    const header = head.replace("robot-eval-trajectory/2", "robot-eval-trajectory/1");
    writeFileSync(file, gzipSync(`${[header, ...old].join("\n")}\n`));
  }
}

describe("a plugin's task with its own success rule", () => {
  it(
    "a plugin task ends on success, records its predicates per step, and can be rescored with another tolerance",
    async () => {
      const run = await runPush();
      const [near, far] = await linesOf(run);
      expect(near).toMatchObject({ outcome: "success", end_reason: "success" });
      expect(far).toMatchObject({ outcome: "failure", end_reason: "max_steps" });
      expect(far?.explanation).toMatch(/^in_zone was 0\.03\d, needs 0\.02 \(max_steps/);
      if (!near || !far) throw new Error("there are two episodes");
      const { records, version } = await readTrajectory(run.trajectoryOf(near) ?? "");
      expect(version).toBe(2);
      expect(records[0]?.state.conditions?.map(({ name }) => name)).toEqual([
        ...["slid", "in_zone", "at_rest", "not lifted"],
      ]);
      expect(eventsOf(records, near).map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
        ...["stage touched", "stage moved", "stage in_zone", "success ", "end success"],
      ]);

      const same = await score(run);
      expect(same.aggregated_metrics.manip_success?.mean).toBe(0.5);
      const wide = await score(run, [`${TOLERANCE}=0.05`], tempDir());
      expect(wide.aggregated_metrics.manip_success?.mean).toBe(1);
      expect(wide.warnings).toEqual([
        expect.stringContaining("push: 1 of 2 episodes ended when the recorded rule was satisfied"),
      ]);
      // The rescored run's records contain the new verdicts; the original run is unchanged.
      const scored = await RunDirectory.open(wide.run_dir ?? "");
      const { records: judged } = await readTrajectory(scored.trajectoryOf(far) ?? "");
      expect(judged.at(-1)?.state).toMatchObject({ success: true });
      expect(judged.at(-1)?.state.conditions?.[1]).toMatchObject({ threshold: 0.05, holds: true });
      const { records: kept } = await readTrajectory(run.trajectoryOf(far) ?? "");
      expect(kept.at(-1)?.state.success).toBe(false);
    },
    TIMEOUT_MS,
  );

  it(
    "a run can be rescored with another rule if that rule only uses recorded facts",
    async () => {
      const run = await runPush();
      const rule = (text: string) => [`push_task.config.success_criteria={"rule":${text}}`];
      const slid = await score(run, rule('{"slid":{"object":"box_red","distance_m":0.05}}'));
      expect(slid.aggregated_metrics.manip_success?.mean).toBe(1);
      const absent = await problem(score(run, rule('{"open":{"fixture":"drawer"}}')));
      expect(absent.message).toContain('no opened of "drawer"');
      const unknown = await problem(score(run, rule('{"slidd":{"object":"box_red"}}')));
      expect(unknown.hint).toContain('did you mean "slid"?');
    },
    TIMEOUT_MS,
  );

  it(
    "rescoring trajectories without facts uses their recorded verdicts and rejects another tolerance",
    async () => {
      const run = await runPush();
      const before = (await linesOf(run)).map(({ metrics }) => metrics);
      await withoutFacts(run);
      const scored = await score(run, [], tempDir());
      const after = await linesOf(await RunDirectory.open(scored.run_dir ?? ""));
      expect(after.map(({ metrics }) => metrics)).toEqual(before);
      expect(await replayRun(run.path)).toMatchObject({
        replayed: 2,
        equal: 2,
        different: [],
      });
      const refused = await problem(score(run, [`${TOLERANCE}=0.05`]));
      expect(refused.message).toContain("recorded without facts (robot-eval-trajectory/1)");
    },
    TIMEOUT_MS,
  );
});

describe("a simulator that reports success itself", () => {
  /** Registers a simulator whose states report success or the three grasp flags of the design. */
  function withSimulator(states: (step: number) => StepState): Registries {
    const registries = createRegistries();
    registries.simulators.register("judging", {
      description: "says itself when it has succeeded",
      families: ["manipulation"],
      sensors: [],
      create: (): BaseSimulator => {
        let step = 0;
        const frame = () => ({ observation: {}, state: states(step) });
        return {
          reset: () => {
            step = 0;
            return frame();
          },
          step: () => {
            step++;
            return frame();
          },
          close: () => {},
          actionSpace: new ActionSpace({ name: "continuous", shape: [1], range: [[0, 1]] }),
        };
      },
    });
    return registries;
  }

  const episode = {
    episode_id: "1",
    task_type: "pick_place",
    scene_id: "elsewhere",
    goals: { success_criteria: { type: "grasp_and_lift", place_tolerance: 0.05 } },
  };

  async function run(states: (step: number) => StepState, goals: object = episode.goals) {
    const registries = withSimulator(states);
    const world = makeWorld();
    const episodes = [{ ...episode, goals }];
    world.write("episodes.json", { format: "robot-eval-episodes/1", episodes });
    const text = stringify({
      benchmark: { name: "judging" },
      pick_place_task: { type: "pick_place", config: { metrics: ["manip_success"] } },
      dataset: { pick_place: { type: "pick_place", data_path: "episodes.json" } },
      simulator: { backend: "judging" },
      evaluation: { max_steps: 9 },
      agent: "random",
    });
    const file = world.write("judging.yaml", text);
    const loaded = parseConfig(text, { file, baseDir: join(file, "..") });
    const { run_dir } = await new UnifiedRobotEvaluator(loaded, {
      registries,
      outDir: tempDir(),
      workers: 1,
    }).run();
    return { directory: await RunDirectory.open(run_dir ?? ""), registries };
  }

  it("the success that a simulator reports is recorded as a fact and cannot be rescored with another tolerance", async () => {
    const { directory, registries } = await run((step) => ({ success: step >= 3 }));
    const [line] = await linesOf(directory);
    expect(line).toMatchObject({ outcome: "success", steps: 3 });
    if (!line) throw new Error("there is no line");
    const { records } = await readTrajectory(directory.trajectoryOf(line) ?? "");
    expect(records.at(-1)).toMatchObject({
      state: { success: true },
      facts: { reported: { success: true } },
    });
    const again = (set: readonly string[]) =>
      scoreRun({ path: directory.path, outDir: null, set, registries });
    expect((await again([])).episodes.success).toBe(1);
    const tighter = "pick_place_task.config.success_criteria.place_tolerance=0.01";
    expect((await problem(again([tighter]))).message).toContain("judged this episode itself");
    const held = `pick_place_task.config.success_criteria={"rule":{"hold":{"steps":2,"rule":{"reported_success":{}}}}}`;
    expect((await again([held])).episodes.success).toBe(0);
  });

  it("a simulator can report success with the three flags of the design alone", async () => {
    const { directory } = await run((step) => ({
      object_grasped: step >= 1,
      object_lifted: step >= 2,
      object_placed: step >= 3,
    }));
    expect(await linesOf(directory)).toMatchObject([{ outcome: "success", steps: 3 }]);
  });

  it("a simulator that reports neither facts nor success makes the episode invalid, not failed", async () => {
    const { directory } = await run(() => ({ qpos: [0] }));
    const [line] = await linesOf(directory);
    expect(line).toMatchObject({ outcome: "invalid", fault: "data", steps: 0 });
    expect(line?.error?.message).toContain("records neither facts nor success");
  });
});

describe("an invalid success rule", () => {
  const scene = {
    scene_id: "tabletop",
    task_config: { scene_objects: [{ name: "cup_red", position: [0.8, 0] }] },
  };

  async function refused(task: string, criteria: object, config: object = {}) {
    const world = makeWorld();
    const goals = { success_criteria: criteria };
    const episodes = [{ episode_id: "7", task_type: task, goals, ...scene }];
    world.write("episodes.json", { format: "robot-eval-episodes/1", episodes });
    const benchmark = world.write(
      "rules.yaml",
      stringify({
        benchmark: { name: "rules" },
        [`${task}_task`]: { type: task, config },
        dataset: { [task]: { type: task, data_path: "episodes.json" } },
        simulator: { sensors: { qpos: {} } },
        evaluation: { max_steps: 3 },
        agent: "random",
      }),
    );
    const run = await robotEvalHere(["run", benchmark, "--out", world.out]);
    const validate = await robotEvalHere(["validate", benchmark]);
    expect([run.code, validate.code]).toEqual([2, 2]);
    expect(validate.stderr).toContain(run.stderr.trim().split("\n").at(-1));
    expect(world.runs()).toEqual([]);
    return run.stderr;
  }

  it.each([
    [
      "an unknown predicate",
      { rule: { all: [{ gasped: { object: "cup_red" } }] } },
      /episodes\.json, episode 7, rule\.all\[0\]\.gasped: unknown predicate "gasped"[\s\S]*did you mean "grasped"/,
    ],
    [
      "an unknown object",
      { rule: { grasped: { object: "cup_rde" } } },
      /episode 7, goals\.success_criteria\.rule\.grasped\.object: the episode's scene has no object "cup_rde"[\s\S]*did you mean "cup_red"/,
    ],
    [
      "an unknown fixture",
      { rule: { open: { fixture: "drawer" } } },
      /scene has no fixture "drawer"/,
    ],
    ["an unknown preset", { type: "sing" }, /"sing" is not a preset of success criteria/],
    ["no rule at all", {}, /this manipulation task has no success criteria/],
  ])("an invalid success rule is rejected before the run: %s", async (_, criteria, text) => {
    expect(await refused("manipulation", criteria)).toMatch(text);
  });

  it("a plugin manipulation task without a success rule is an error", async () => {
    const registries = createRegistries();
    class Bare extends VLNTask {
      override get taskType() {
        return "bare";
      }
      override get family() {
        return "manipulation";
      }
    }
    registries.tasks.register("bare")(Bare);
    const world = makeWorld();
    const episodes = [{ episode_id: "7", task_type: "bare", ...scene }];
    world.write("episodes.json", { format: "robot-eval-episodes/1", episodes });
    const document = {
      benchmark: { name: "bare" },
      bare_task: { type: "bare" },
      dataset: { bare: { type: "bare", data_path: "episodes.json" } },
      agent: "random",
    };
    const file = world.write("bare.yaml", stringify(document));
    const evaluator = new UnifiedRobotEvaluator(loadConfig(file), { registries, outDir: null });
    expect(await problem(evaluator.run())).toMatchObject({
      code: "no_rule",
      message: "the task bare has no success rule",
    });
  });

  it("an invalid success rule in the benchmark file is reported with its line", async () => {
    const config = { success_criteria: { rule: { gasped: { object: "cup_red" } } } };
    expect(await refused("manipulation", {}, config)).toMatch(
      /rules\.yaml:\d+:\d+, rule\.gasped: unknown predicate/,
    );
  });
});
