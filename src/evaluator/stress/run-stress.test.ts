import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { linesOf, temporaryFolder } from "../../../test/support/cli.js";
import { forkBenchmark, forkRegistries } from "../../../test/support/fork-world.js";
import { pointBenchmark } from "../../../test/support/point-benchmark.js";
import { loadConfig } from "../../config/load.js";
import { PACKAGE_ROOT } from "../../config/package-root.js";
import { createRegistries } from "../../registry/registries.js";
import type { StressAxis, StressReport } from "../../runs/stress/documents.js";
import { readStress } from "../../runs/stress/read-stress.js";
import { replayRun } from "../check/replay/replay-run.js";
import { UnifiedRobotEvaluator } from "../evaluator.js";
import { loadAndInspect } from "../plan/inspect.js";
import { resumeStress } from "./resume-stress.js";
import { runStress, type StressOptions } from "./run-stress.js";
import type { StressResult } from "./stress-parts.js";
import { planStress } from "./stress-plan.js";

const AXES = ["action_noise", "brightness", "instruction_other"];

function stress(agent: string, options: Partial<StressOptions> = {}): Promise<StressResult> {
  return runStress(forkBenchmark(), {
    ...{ agent, axes: AXES, registries: forkRegistries(), outDir: temporaryFolder() },
    ...options,
  });
}

function axisOf({ axes }: StressReport, name: string): StressAxis {
  const found = axes.find(({ axis }) => axis === name);
  if (!found) throw new Error(`the stress test has no axis ${name}`);
  return found;
}

describe("a stress test of policies with a planted weakness", () => {
  let looks: StressResult;
  let reads: StressResult;
  beforeAll(async () => {
    [looks, reads] = [await stress("looks"), await stress("reads")];
  });

  it("a stress test ranks brightness first for a policy that breaks in the dark", () => {
    const { ranking } = looks.report;
    expect(ranking[0]).toMatchObject({ axis: "brightness", significant: true });
    expect(ranking[0]?.p_holm).toBeLessThan(0.01);
    const { break_point, levels } = axisOf(looks.report, "brightness");
    expect(levels.map(({ success }) => success)).toEqual([1, 0, 0]);
    // Bright to 0.5 of 200, between the losses 0.3 and 0.6 of levels 1 and 2.
    expect(break_point).toMatchObject({ state: "reached" });
    expect(break_point.value).toBeCloseTo(0.45);
    expect(break_point.level).toBeCloseTo(1.5);
  });

  it("a stress test ranks the instruction of another episode first for a policy that reads it", () => {
    const { ranking } = reads.report;
    expect(ranking[0]).toMatchObject({ axis: "instruction_other", worst_difference: -1 });
    expect(ranking[0]?.p_holm).toBeLessThan(0.01);
  });

  it("a stress test shows that a policy ignores the instruction", () => {
    const [level] = axisOf(looks.report, "instruction_other").levels;
    expect(level).toMatchObject({ n: 40, difference: 0, lost: 0, gained: 0, significant: false });
    expect(axisOf(looks.report, "instruction_other").break_point.state).toBe("not_reached");
    for (const { difference } of axisOf(reads.report, "brightness").levels) {
      expect(difference).toBe(0);
    }
  });

  it("a stress test names episodes that fail at the weakest perturbation, with both outcomes", () => {
    const { telling_episodes } = axisOf(looks.report, "brightness");
    expect(telling_episodes).toHaveLength(3);
    expect(telling_episodes[0]).toMatchObject({
      ...{ to: "failure", level: 2, stays: true },
      baseline: { run: "baseline" },
      perturbed: { run: "brightness-2", steps: 1 },
    });
  });

  it("a stress test of policies with a planted weakness has one run directory per level, whose lines record the perturbation", async () => {
    expect(await readStress(looks.folder)).toEqual(looks.report);
    const [line] = await linesOf(join(looks.folder, "brightness-2"));
    expect(line?.perturbation).toMatchObject({ axis: "brightness", level: 2, value: 0.6 });
    const [other] = await linesOf(join(reads.folder, "instruction_other-1"));
    expect(other?.perturbation?.parameters).toEqual({
      instruction: { text: "Walk to the right." },
    });
    expect((await linesOf(join(looks.folder, "baseline")))[0]).not.toHaveProperty("perturbation");
  });

  it("a stress test of policies with a planted weakness has runs that replay to the bit", async () => {
    for (const run of ["baseline", "action_noise-3", "brightness-2", "instruction_other-1"]) {
      const report = await replayRun(join(reads.folder, run), { registries: forkRegistries() });
      expect(report, run).toMatchObject({ equal: 40, different: [] });
    }
  });

  it("a stress test corrects the p-values of all axes and levels together", () => {
    expect(looks.report.tests).toBe(7);
    const [level] = axisOf(looks.report, "instruction_other").levels;
    expect(level?.p_holm).toBe(1);
  });
});

describe("a stress test on a remote simulator", () => {
  it("a stress test perturbs what passes between the simulator process and the policy", async () => {
    const { folder, report } = await runStress(loadConfig(pointBenchmark({ episodes: 3 }).yaml), {
      ...{ agent: "random", axes: ["action_noise"], levels: [3], outDir: temporaryFolder() },
    });
    expect(report.axes[0]?.levels[0]).toMatchObject({ status: "done", n: 3 });
    const [plain, noisy] = [
      await linesOf(join(folder, "baseline")),
      await linesOf(join(folder, "action_noise-3")),
    ];
    const starts = (of: typeof plain) => of.map((line) => line.initial_state_hash).sort();
    const ends = (of: typeof plain) => of.map((line) => line.final_state_hash).sort();
    expect(starts(noisy)).toEqual(starts(plain));
    expect(ends(noisy)).not.toEqual(ends(plain));
    const replayed = await replayRun(join(folder, "action_noise-3"));
    expect(replayed).toMatchObject({ equal: 3, different: [] });
  });

  it("a stress test on a remote simulator offers no axis of the world", async () => {
    const loaded = loadConfig(pointBenchmark({ episodes: 1 }).yaml);
    const plan = planStress(loaded, createRegistries(), { axes: ["object_pose"] });
    await expect(plan).rejects.toThrow("the remote simulator does not have it");
    const { axes } = await planStress(loaded, createRegistries(), {});
    expect(new Set(axes.map(({ kind }) => kind))).toEqual(new Set(["interface"]));
  });
});

describe("a stress test that is interrupted", () => {
  it("a stress test that is interrupted continues with the missing runs and gives the same numbers", async () => {
    const stop = new AbortController();
    const { folder, report } = await stress("looks", {
      axes: ["brightness"],
      signal: stop.signal,
      onPart: ({ run }) => {
        if (run === "brightness-2") stop.abort();
      },
    });
    expect(report.status).toBe("cancelled");
    expect(existsSync(join(folder, "brightness-3"))).toBe(false);
    const resumed = await resumeStress(folder, { registries: forkRegistries() });
    expect(resumed.report.status).toBe("done");
    const whole = await stress("looks", { axes: ["brightness"] });
    const numbers = ({ axes, ranking, tests }: StressReport) => ({ axes, ranking, tests });
    expect(numbers(resumed.report)).toEqual(numbers(whole.report));
  });
});

describe("a stress test of another account", () => {
  it("a stress test of another account is not continued, because its benchmark may load code", async () => {
    const { folder } = await stress("looks", { axes: ["brightness"], levels: [1] });
    const file = join(folder, "baseline", "run.json");
    const { config_mac: _, ...foreign } = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify(foreign));
    const resumed = resumeStress(folder, { registries: forkRegistries() });
    await expect(resumed).rejects.toMatchObject({ code: "foreign_run", exitCode: 2 });
  });
});

describe("early stopping", () => {
  it("early stopping ends a level before all episodes ran, with an interval that is valid at any time", async () => {
    const { report } = await runStress(forkBenchmark(300), {
      ...{ agent: "looks", axes: ["brightness"], levels: [2], registries: forkRegistries() },
      ...{ outDir: temporaryFolder(), earlyStop: { half_width: 0.1, min_episodes: 20 } },
    });
    const [level] = axisOf(report, "brightness").levels;
    expect(level?.stopped_early?.of).toBe(300);
    expect(level?.stopped_early?.counted).toBeLessThan(300);
    expect(level).toMatchObject({ ci_method: "sequential", difference: -1, significant: true });
    expect(report.baseline.total).toBe(300);
  });
});

describe("evaluation.perturbation", () => {
  const lines = async (perturbation: string | undefined) => {
    const set = perturbation === undefined ? [] : [`evaluation.perturbation=${perturbation}`];
    const { run_dir } = await new UnifiedRobotEvaluator(
      loadConfig(forkBenchmark(6).file, { set }),
      {
        ...{ agent: "looks", registries: forkRegistries(), outDir: temporaryFolder() },
      },
    ).run();
    const found = await linesOf(run_dir);
    return found.map(({ episode_key, outcome, steps, initial_state_hash, final_state_hash }) => ({
      ...{ episode_key, outcome, steps, initial_state_hash, final_state_hash },
    }));
  };

  it("evaluation.perturbation changes no result at level 0, and gives the same results each time", async () => {
    const plain = await lines(undefined);
    for (const axis of ["action_noise", "brightness", "instruction_shuffle"]) {
      expect(await lines(`{axis: ${axis}, level: 0}`), axis).toEqual(plain);
    }
    const noisy = "{axis: action_noise, level: 3}";
    expect(await lines(noisy)).toEqual(await lines(noisy));
  });

  it.each([
    ["an unknown axis", "{axis: brigthness, level: 1}", 'did you mean "brightness"'],
    ["a level that the axis lacks", "{axis: instruction_other, level: 2}", "level 1 only"],
    ["an axis that no task offers", "{axis: object_pose, level: 1}", "does not have it"],
    [
      "a missing file",
      "{axis: instruction_paraphrase, level: 1, settings: {file: no-such.json}}",
      "cannot read paraphrases",
    ],
  ])("evaluation.perturbation is checked by validate: %s", async (_, perturbation, text) => {
    const set = [`evaluation.perturbation=${perturbation}`];
    const checked = loadAndInspect(forkBenchmark(2).file, forkRegistries(), { set });
    const { message, hint } = (await checked.catch((error: unknown) => error)) as {
      readonly message: string;
      readonly hint?: string;
    };
    expect(`${message} ${hint}`).toContain(text);
  });

  it("evaluation.perturbation finds axes of plugins", async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "plugin.mjs"),
      `export default ({ axes }) => axes.register("mute", {
        description: "no instruction", kind: "interface", parameter: "silence", unit: "",
        neutral: 0, levels: [1], missing: () => undefined,
        channel: ({ value }) => (value === 0 ? {} : { instruction: () => ({ text: "" }) }),
      });`,
    );
    const set = ['plugins=["./plugin.mjs"]'];
    const loaded = loadConfig(forkBenchmark(20, folder).file, { set });
    const { report } = await runStress(loaded, {
      ...{ agent: "reads", axes: ["mute"], registries: forkRegistries(), outDir: folder },
    });
    expect(report.axes[0]?.levels).toMatchObject([{ level: 1, value: 1, success: 0 }]);
  });
});

describe("examples/stress", () => {
  it("examples/stress offers both axes for both of its tasks, and needs no expert for them", async () => {
    const loaded = loadConfig(join(PACKAGE_ROOT, "examples/stress/benchmark.yaml"));
    const axes = ["latency", "action_noise"];
    const plan = await planStress(loaded, createRegistries(), { axes });
    expect(plan.expert).toBe("vln=shortest-path,pick_place=expert");
    for (const { skipped_tasks, levels } of plan.axes) {
      expect(skipped_tasks).toEqual([]);
      expect(levels.map(({ expert_run }) => expert_run)).toEqual([null, null, null]);
    }
  });

  it("examples/stress runs the expert where an axis can make episodes impossible", async () => {
    const loaded = loadConfig(join(PACKAGE_ROOT, "examples/stress/benchmark.yaml"));
    const { axes } = await planStress(loaded, createRegistries(), { axes: ["object_pose"] });
    expect(axes[0]?.skipped_tasks).toMatchObject([{ task: "vln" }]);
    expect(axes[0]?.levels[0]?.expert_run).toBe("object_pose-1-expert");
  });
});

describe("a stress test with wrong input", () => {
  it.each<[string, Partial<StressOptions>, string]>([
    ["an unknown axis", { axes: ["brigthness"] }, 'did you mean "brightness"'],
    ["an axis that no task offers", { axes: ["depth_noise"] }, "receives no depth image"],
    ["a level that an axis lacks", { axes: ["instruction_other"], levels: [2] }, "level 1 only"],
    ["a level out of range", { levels: [4] }, "levels are 1, 2 and 3"],
    [
      "a missing file of paraphrases",
      {
        axes: ["instruction_paraphrase"],
        settings: { instruction_paraphrase: { file: "no-such.json" } },
      },
      "cannot read paraphrases",
    ],
    ["settings of an axis that does not run", { settings: { blur: { x: 1 } } }, "does not run"],
    [
      "settings that an axis does not have",
      { axes: ["blur"], settings: { blur: { x: 1 } } },
      "has no settings",
    ],
  ])("a stress test rejects %s before anything is written", async (_, options, text) => {
    const outDir = join(temporaryFolder(), "runs");
    const failure = stress("looks", { outDir, ...options }).catch((error: unknown) => error);
    const { message, hint } = (await failure) as { message: string; hint?: string };
    expect(`${message} ${hint}`).toContain(text);
    expect(existsSync(outDir)).toBe(false);
  });
});
