import { describe, expect, it } from "vitest";
import { episodeLine } from "../../test/support/cli.js";
import type { MetricInfo } from "../core/metric/base.js";
import { Summariser } from "../runs/summary/summary.js";
import { missedThresholds, parseThresholds } from "./thresholds.js";

const reported = ["success", "navigation_error"];

describe("parseThresholds", () => {
  it("parses metrics and values", () => {
    expect(parseThresholds(["success=0.5", "navigation_error=1e1"], reported)).toEqual([
      { metric: "success", value: 0.5 },
      { metric: "navigation_error", value: 10 },
    ]);
  });

  it.each(["success", "success=", "success= ", "success=high", "success=1=2", "=", ""])(
    "rejects %j",
    (text) => {
      expect(() => parseThresholds([text], reported)).toThrow("is not a threshold");
    },
  );

  it("rejects a metric that the run does not report", () => {
    expect(() => parseThresholds(["sucess=1"], reported)).toThrow(
      expect.objectContaining({
        code: "bad_threshold",
        where: "--threshold",
        hint: expect.stringContaining('did you mean "success"?'),
      }),
    );
  });
});

describe("missedThresholds", () => {
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
  const missed = (metric: string, value: number) => missedThresholds(summary, [{ metric, value }]);

  it("reports a value below the threshold if more is better", () => {
    expect(missed("success", 0.5)).toEqual([]);
    expect(missed("success", 0.6)).toEqual(["success is 0.5, needs at least 0.6"]);
  });

  it("reports a value above the threshold if less is better", () => {
    expect(missed("navigation_error", 3)).toEqual([]);
    expect(missed("navigation_error", 2.9)).toEqual(["navigation_error is 3, needs at most 2.9"]);
  });

  it("reports a metric without a value", () => {
    expect(missed("spl", 0)).toEqual(["spl has no value, needs 0"]);
  });
});
