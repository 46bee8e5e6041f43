import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  BaseMetric,
  createRegistries,
  type EvaluationEvent,
  type EvaluatorOptions,
  type MetricInfo,
  registerMetric,
  registerTask,
  replayRun,
  resumeRun,
  type StepRecord,
  UnifiedRobotEvaluator,
  VLNTask,
} from "../../src/index.js";
import { tinyEpisode, tinyWorld } from "../support/tiny-world.js";

// Chapters 4.2, 6.3 and 12: what a program registers is known to its evaluations. Names are registered once per
// process, so they are registered here and not in the tests.

@registerTask("design_homing", "Homing")
class HomingTask extends VLNTask {
  override get taskType(): string {
    return "design_homing";
  }
  override get taskName(): string {
    return "Homing";
  }
}

@registerMetric("design_turns")
class Turns extends BaseMetric {
  override readonly info: MetricInfo = {
    name: "design_turns",
    summary: "Number of turns on the spot.",
    unit: "1",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: [] },
  };
  #count = 0;

  override reset(): void {
    this.#count = 0;
  }
  override update({ action }: StepRecord): void {
    if (action === "turn_left" || action === "turn_right") this.#count++;
  }
  override getMetric(): number {
    return this.#count;
  }
}

const homing = () =>
  tinyWorld({
    type: "design_homing",
    episodes: [
      tinyEpisode("a", "d", { taskType: "design_homing" }),
      tinyEpisode("d", "a", { taskType: "design_homing" }),
    ],
    config: { metrics: ["success", "design_turns"] },
  });

const IN_PROGRAM =
  'the task "design_homing" and the metric "design_turns" are registered in this program, so all episodes run in the calling thread; register them in a module under plugins: to use several workers';

async function run(options: EvaluatorOptions = {}, { benchmark } = homing()) {
  const warnings: string[] = [];
  const results = await new UnifiedRobotEvaluator(benchmark, {
    agent: "random",
    ...options,
    onEvent: (event) => {
      if (event.type === "started") warnings.push(...event.warnings);
      options.onEvent?.(event);
    },
  }).run();
  return { results, warnings };
}

describe("an evaluation of a task and a metric that the program registered", () => {
  it("an evaluation of a task and a metric that the program registered runs without registries passed by hand", async () => {
    const { results } = await run({ outDir: null });
    expect(results.episodes).toMatchObject({ total: 2, invalid: 0 });
    expect(results.aggregated_metrics.design_turns?.count).toBe(2);
    expect(results.per_task.vln).toHaveProperty("design_turns");
  });

  it.each([undefined, "auto"] as const)(
    "an evaluation of a task and a metric that the program registered runs in the calling thread with workers %s, and says so",
    async (workers) => {
      const { warnings } = await run({ outDir: null, workers });
      expect(warnings).toEqual([IN_PROGRAM]);
    },
  );

  it("an evaluation of a task and a metric that the program registered says nothing about threads with workers 1", async () => {
    expect((await run({ outDir: null, workers: 1 })).warnings).toEqual([]);
  });

  it("an evaluation of a task and a metric that the program registered refuses workers: 2 and names plugins:", async () => {
    await expect(run({ outDir: null, workers: 2 })).rejects.toMatchObject({
      code: "workers_refused",
      message:
        'the task "design_homing" and the metric "design_turns" are registered in this program, which worker threads do not run',
      hint: expect.stringContaining("plugins:"),
    });
  });

  it("an evaluation of a task and a metric that the program registered does not restrict a benchmark that uses neither", async () => {
    const plain = tinyWorld();
    expect((await run({ outDir: null }, plain)).warnings).toEqual([]);
    // The source has no worker module; the built program has.
    await expect(run({ outDir: null, workers: 2 }, plain)).rejects.toThrow(/worker module/);
  });

  it("an evaluation of a task and a metric that the program registered does not see them with registries of its own", async () => {
    await expect(run({ outDir: null, registries: createRegistries() })).rejects.toMatchObject({
      code: "unknown_task",
    });
  });

  it("an evaluation of a task and a metric that the program registered is resumed and replayed by the same program, without registries passed by hand", async () => {
    const world = homing();
    const stop = new AbortController();
    const onEvent = ({ type }: EvaluationEvent) => {
      if (type === "episode") stop.abort();
    };
    const begun = await run({ signal: stop.signal, onEvent }, world);
    expect(begun.results).toMatchObject({ status: "cancelled", episodes: { total: 1 } });
    const path = join(world.dir, "runs", begun.results.run_id);
    const resumed = await resumeRun(path);
    expect(resumed).toMatchObject({ status: "done", episodes: { total: 2, invalid: 0 } });
    expect(resumed.aggregated_metrics.design_turns?.count).toBe(2);
    expect(await replayRun(path)).toMatchObject({ total: 2, equal: 2, different: [] });
    const workers = 2;
    const refused = { code: "workers_refused", hint: expect.stringContaining("plugins:") };
    await expect(replayRun(path, { workers })).rejects.toMatchObject(refused);
    const registries = createRegistries();
    await expect(replayRun(path, { registries })).rejects.toMatchObject({ code: "unknown_task" });
  });
});

it("a decorator registers a class and returns it unchanged", () => {
  expect([HomingTask.name, Turns.name]).toEqual(["HomingTask", "Turns"]);
});
