import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { episodeLine } from "../../../test/support/cli.js";
import type { EpisodeLine, RunSummary } from "../../core/interfaces/result.js";
import type { MetricInfo } from "../../core/metric/base.js";
import { Summariser } from "./summary.js";

function info(name: string, partial: Partial<MetricInfo> = {}): MetricInfo {
  return {
    name,
    summary: "",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    needs: { state: [] },
    ...partial,
  };
}

const task = {
  profile: "r2r",
  primaryMetric: "success",
  metrics: [
    info("success", { kind: "rate" }),
    info("spl"),
    info("path_length", { unit: "m", direction: "lower", range: [0, Number.POSITIVE_INFINITY] }),
  ],
};

function summarise(lines: readonly EpisodeLine[], names: readonly string[] = ["vln"]): RunSummary {
  const summariser = new Summariser({
    runId: "a-run",
    benchmark: "small world",
    agent: "random",
    seed: 1,
    tasks: Object.fromEntries(names.map((name) => [name, task])),
  });
  for (const line of lines) summariser.add(line);
  return summariser.finish("done");
}

const won = (id: string, more: Partial<EpisodeLine> = {}) =>
  episodeLine({ episode_id: id, metrics: { success: 1, spl: 0.5, path_length: 4 }, ...more });
const lost = (id: string, more: Partial<EpisodeLine> = {}) =>
  episodeLine({ episode_id: id, metrics: { success: 0, spl: 0, path_length: 8 }, ...more });
const invalid = (id: string, more: Partial<EpisodeLine> = {}) =>
  episodeLine({
    episode_id: id,
    outcome: "invalid",
    fault: "data",
    end_reason: "reset_failed",
    error: { code: "no_goal", message: "there is no goal" },
    ...more,
  });

describe("the run summary", () => {
  const summary = summarise([
    won("1"),
    lost("2"),
    invalid("3"),
    lost("4", { fault: "agent", end_reason: "agent_error" }),
  ]);

  it("the run summary counts outcomes, end reasons and faults", () => {
    expect(summary.episodes).toEqual({ total: 4, success: 1, failure: 2, invalid: 1 });
    expect(summary.end_reasons).toEqual({ stop: 2, reset_failed: 1, agent_error: 1 });
    expect(summary.faults).toEqual({ data: 1, agent: 1 });
  });

  it("the run summary counts invalid episodes separately from n", () => {
    expect(summary.per_task.vln?.success).toMatchObject({ mean: 1 / 3, count: 3, n_invalid: 1 });
    expect(summary.invalid_episodes).toEqual([
      { episode_key: "vln/hall/3", fault: "data", code: "no_goal", message: "there is no goal" },
    ]);
  });

  it("the run summary reports the mean with and without agent faults", () => {
    expect(summary.per_task.vln?.success?.mean_without_agent_faults).toBe(0.5);
    expect(summary.per_task.vln?.spl?.mean_without_agent_faults).toBe(0.25);
    expect(summarise([won("1")]).per_task.vln?.success).not.toHaveProperty(
      "mean_without_agent_faults",
    );
  });

  it("the run summary reports mean, standard deviation, range and unit", () => {
    expect(summary.per_task.vln?.path_length).toMatchObject({
      mean: 20 / 3,
      std: Math.sqrt(32 / 9),
      min: 4,
      max: 8,
      unit: "m",
      direction: "lower",
    });
  });

  it("the run summary sums the time", () => {
    expect(summary.timings).toMatchObject({ wall_ms: 4, sim_ms: 4, agent_ms: 4, steps: 4 });
  });

  it("the run summary names the profile and the primary metric", () => {
    expect(summary.profiles).toEqual({ vln: "r2r" });
    expect(summary.primary_metrics).toEqual({ vln: "success" });
  });

  it("the run summary names the method of each interval", () => {
    const methods = Object.values(summary.per_task.vln ?? {}).map((metric) => metric.ci_method);
    expect(methods).toEqual(["wilson", "student_t", "student_t"]);
    const single = summarise([won("1")]).per_task.vln;
    expect(single?.spl).toMatchObject({ ci95: null, ci_method: "none" });
    expect(single?.success?.ci_method).toBe("wilson");
    const twoScenes = ["hall", "yard"].flatMap((scene_id) => [
      won("1", { scene_id }),
      lost("2", { scene_id }),
    ]);
    expect(summarise(twoScenes).per_task.vln?.spl?.ci_method).toBe("cluster_t");
  });

  it("the run summary computes intervals that contain the mean and stay within the metric range", () => {
    for (const metric of Object.values(summary.aggregated_metrics)) {
      const [low = Number.NaN, high = Number.NaN] = metric.ci95 ?? [];
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(metric.mean ?? Number.NaN);
      expect(high).toBeGreaterThanOrEqual(metric.mean ?? Number.NaN);
    }
  });
});

describe("metrics without a value", () => {
  it("a metric without a value is not counted as zero", () => {
    const noValue = won("2", { metrics: { success: 1, spl: null, path_length: 4 } });
    const { spl, success } = summarise([won("1"), noValue]).per_task.vln ?? {};
    expect(spl).toMatchObject({ mean: 0.5, count: 1 });
    expect(success).toMatchObject({ mean: 1, count: 2 });
  });

  it("a metric without any value has no mean", () => {
    expect(summarise([]).per_task.vln?.success).toEqual({
      mean: null,
      std: null,
      min: null,
      max: null,
      count: 0,
      ci95: null,
      ci_method: "none",
      n_invalid: 0,
      unit: "1",
      direction: "higher",
    });
    expect(summarise([invalid("1")]).per_task.vln?.spl).toMatchObject({
      mean: null,
      count: 0,
      n_invalid: 1,
    });
  });
});

describe("a summary of two tasks", () => {
  const four = [won("1"), won("2"), lost("3"), lost("4")];
  const one = [won("1", { task: "nav" })];

  it("two tasks have equal weight in the flat map, however many episodes they have", () => {
    const { aggregated_metrics: all, per_task } = summarise([...four, ...one], ["vln", "nav"]);
    expect(per_task.vln?.success?.mean).toBe(0.5);
    expect(per_task.nav?.success?.mean).toBe(1);
    expect(all.success).toMatchObject({
      mean: 0.75,
      // Variance within tasks: 0.25 and 0; between tasks: 0.25² each.
      std: Math.sqrt((0.25 + 0.0625 + 0 + 0.0625) / 2),
      min: 0,
      max: 1,
      count: 5,
      n_invalid: 0,
      pooling: "macro",
      ci_method: "mover",
    });
  });

  it("the flat map uses the mean of the only task that has episodes", () => {
    const { aggregated_metrics } = summarise(four, ["vln", "nav"]);
    expect(aggregated_metrics.success).toMatchObject({ mean: 0.5, count: 4, pooling: "macro" });
  });

  it("a summary of two tasks pools the mean without agent faults over both", () => {
    const broken = lost("2", { task: "nav", fault: "agent" });
    const { success } = summarise([...four, ...one, broken], ["vln", "nav"]).aggregated_metrics;
    expect(success).toMatchObject({ mean: 0.5, mean_without_agent_faults: 0.75 });
  });
});

it("a summary lists the first hundred invalid episodes and counts them all", () => {
  const many = Array.from({ length: 330 }, (_, i) => invalid(String(i)));
  const { invalid_episodes, episodes } = summarise(many.reverse());
  const keys = many.map((line) => line.episode_key).sort();
  expect(invalid_episodes.map((line) => line.episode_key)).toEqual(keys.slice(0, 100));
  expect(episodes.invalid).toBe(330);
});

it("a summary is byte-identical regardless of the order in which episodes end", () => {
  const value = fc.double({ min: 0, max: 1, noNaN: true });
  const lines = Array.from({ length: 24 }, (_, i) => {
    const more = { scene_id: "abc"[i % 3] ?? "", repeat: i % 2 };
    const id = String(i >> 1);
    return i % 5 === 0 ? invalid(id, more) : won(id, { ...more, end_reason: `reason ${i % 4}` });
  });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: lines.length, maxLength: lines.length }),
      fc.shuffledSubarray([...lines.keys()], { minLength: lines.length }),
      (values, order) => {
        const given = lines.map((line, i) => {
          const metrics = { success: i % 2, spl: values[i] ?? 0, path_length: values[i] ?? 0 };
          return { ...line, metrics };
        });
        const shuffled = order.flatMap((i) => given[i] ?? []);
        expect(JSON.stringify(summarise(shuffled))).toBe(JSON.stringify(summarise(given)));
      },
    ),
    { numRuns: 30 },
  );
});

it("the running mean is that of the primary metric", () => {
  const context = { runId: "r", benchmark: "b", agent: "a", seed: 0, tasks: { vln: task } };
  const summariser = new Summariser(context);
  summariser.add(won("1"));
  summariser.add(lost("2"));
  expect(summariser.running("vln")).toMatchObject({ mean: 0.5, count: 2 });
  expect(summariser.running("other")).toBeUndefined();
});
