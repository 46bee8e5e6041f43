import { describe, expect, it } from "vitest";
import { episodeLine } from "../../test/support/cli.js";
import { readThreshold } from "../config/threshold.js";
import type { MetricInfo } from "../core/metric/base.js";
import { Summariser } from "../runs/summary/summary.js";
import { missedTexts, parseThresholds, verdictsOf, verdictText } from "../runs/thresholds.js";

const reported = { vln: ["success", "navigation_error"], pick_place: ["manip_success"] };

describe("parseThresholds", () => {
  it("parseThresholds parses metrics and values, over all tasks and of one", () => {
    const texts = ["success=0.5", "navigation_error=1e1", "vln.success.ci_low>=0.9"];
    expect(parseThresholds(texts, reported)).toMatchObject([
      { metric: "success", value: 0.5 },
      { metric: "navigation_error", value: 10 },
      { task: "vln", metric: "success", statistic: "ci_low", comparison: ">=", value: 0.9 },
    ]);
  });

  it.each(["success", "success=", "success= ", "success=high", "success=1=2", "=", ""])(
    "parseThresholds rejects %j",
    (text) => {
      expect(() => parseThresholds([text], reported)).toThrow("is not a threshold");
    },
  );

  it("parseThresholds rejects a metric that the run does not report", () => {
    expect(() => parseThresholds(["sucess=1"], reported)).toThrow(
      expect.objectContaining({
        code: "bad_threshold",
        where: "--threshold",
        hint: expect.stringContaining('did you mean "success"?'),
      }),
    );
  });

  it.each(["success.median>=1", "vln.success.lower>=1"])(
    "parseThresholds names the unknown statistic of %s",
    (text) => {
      expect(() => parseThresholds([text], reported)).toThrow(
        /a metric has no statistic "(median|lower)"/,
      );
    },
  );

  it("parseThresholds rejects a task that the run does not have, and a metric that the task does not report", () => {
    expect(() => parseThresholds(["vnl.success>=1"], reported)).toThrow(
      expect.objectContaining({
        message: '"vnl.success>=1": this run has no task "vnl"',
        hint: expect.stringContaining('did you mean "vln"?'),
      }),
    );
    expect(() => parseThresholds(["pick_place.success>=1"], reported)).toThrow(
      'pick_place does not report the metric "success"',
    );
  });
});

describe("a verdict", () => {
  const info = (name: string, direction: MetricInfo["direction"]): MetricInfo => ({
    name,
    summary: "",
    unit: "1",
    direction,
    range: [0, 1],
    kind: "mean",
    needs: { state: [] },
  });
  const metrics = [info("success", "higher"), info("navigation_error", "lower")];
  const summariser = new Summariser({
    runId: "r",
    benchmark: "b",
    agent: "a",
    seed: 0,
    tasks: { vln: { profile: "r2r", primaryMetric: "success", metrics } },
  });
  summariser.add(episodeLine({ metrics: { success: 1, navigation_error: 2 } }));
  summariser.add(episodeLine({ metrics: { success: 0, navigation_error: 4 } }));
  const summary = summariser.finish("done");
  const verdicts = (text: string) =>
    verdictsOf(
      summary,
      [readThreshold(text)].flatMap((one) => one ?? []),
    );
  const missed = (metric: string, value: number) => missedTexts(verdicts(`${metric}=${value}`));

  it("a verdict reports a value below the threshold if more is better", () => {
    expect(missed("success", 0.5)).toEqual([]);
    expect(missed("success", 0.6)).toEqual(["success is 0.5, needs at least 0.6"]);
  });

  it("a verdict reports a value above the threshold if less is better", () => {
    expect(missed("navigation_error", 3)).toEqual([]);
    expect(missed("navigation_error", 2.9)).toEqual(["navigation_error is 3, needs at most 2.9"]);
  });

  it("a verdict rounds the value, but not to the required one", () => {
    const [verdict] = verdicts("success>=0.5");
    if (!verdict) throw new TypeError("no verdict");
    const text = (value: number) => verdictText({ ...verdict, value });
    expect(text(0.3006418425824021)).toBe("success is 0.301, needs at least 0.5");
    expect(text(0.4999871)).toBe("success is 0.49999, needs at least 0.5");
  });

  it("a verdict reports a metric without a value", () => {
    expect(missed("spl", 0)).toEqual(["spl has no value, needs 0"]);
  });

  it("a verdict is about one task, and about the lower end of the interval", () => {
    expect(verdicts("vln.success>=0.5")).toMatchObject([{ task: "vln", value: 0.5, passed: true }]);
    const [low] = verdicts("success.ci_low>=0.5");
    expect(low).toMatchObject({ statistic: "ci_low", required: 0.5, passed: false });
    expect(low?.value).toBe(summary.aggregated_metrics.success?.ci95?.[0]);
    expect(low && verdictText(low)).toBe("success.ci_low is 0, needs at least 0.5");
  });

  it("a verdict follows the written comparison, whatever is better for the metric", () => {
    expect(verdicts("success<=0.5")).toMatchObject([{ comparison: "<=", passed: true }]);
    expect(verdicts("navigation_error>=3.5")).toMatchObject([{ comparison: ">=", passed: false }]);
  });
});
