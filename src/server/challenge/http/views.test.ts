import { describe, expect, it } from "vitest";
import type { MetricSummary } from "../../../core/interfaces/result.js";
import { Summariser } from "../../../runs/summary/summary.js";
import type { Submission } from "../store/store.js";
import { scoresOf, submissionDocument } from "./views.js";

const score: MetricSummary = {
  ...{ mean: 0.5, std: 0.1, min: 0.123, max: 0.987, count: 4, n_invalid: 1 },
  ...{ ci95: [0.4, 0.6], ci_method: "wilson", unit: "1", direction: "higher" },
};
const context = { runId: "r", benchmark: "b", agent: "a", seed: 1, tasks: {} };
const summary = {
  ...new Summariser(context).finish("done"),
  aggregated_metrics: { success: score, hidden_metric: score },
};
const submission: Submission = {
  ...{ id: "id", teamId: "team", teamName: "Team", phase: "test", name: "", state: "done" },
  ...{ counted: true, reason: null, episodes: { done: 4, total: 5 }, runDir: "/hidden" },
  ...{ createdAt: new Date(0), queuedAt: null, startedAt: null, finishedAt: null },
};
const result = { submissionId: "id", complete: true, summary, at: new Date(0) };

describe("the scores in a submission's document", () => {
  it("the scores in the document of a submission are the metrics of the phase, and no value of a single episode", () => {
    expect(scoresOf(summary, ["success", "not there"])).toEqual({
      success: {
        ...{ mean: 0.5, ci95: [0.4, 0.6], ci_method: "wilson", n: 4, n_invalid: 1 },
        ...{ unit: "1", direction: "higher" },
      },
    });
    const text = JSON.stringify(submissionDocument(submission, result, ["success"]));
    expect(text).not.toMatch(/0\.123|0\.987|hidden/);
  });

  it.each(["waiting_for_agent", "queued", "running", "done", "failed", "cancelled"] as const)(
    "the scores in the document of a submission exist only if the submission is complete and done: %s",
    (state) => {
      const told = (complete: boolean) =>
        submissionDocument({ ...submission, state }, { ...result, complete }, ["success"]).scores;
      expect(told(true) !== null).toBe(state === "done");
      expect(told(false)).toBeNull();
    },
  );
});
