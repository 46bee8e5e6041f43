import { describe, expect, it } from "vitest";
import { makeEpisode, taskUnder } from "../../../test/support/nav-task.js";
import { DataError } from "../errors.js";
import type { StepRecord } from "../interfaces/step.js";
import { BaseMetric, type MetricInfo } from "./base.js";
import { EpisodeScorer } from "./scorer.js";

/** Counts its records, with configurable needs. */
class Counting extends BaseMetric {
  readonly info: MetricInfo;
  count = 0;

  constructor(about: Partial<MetricInfo> = {}) {
    super();
    this.info = {
      name: "counting",
      summary: "Records seen.",
      unit: "1",
      direction: "none",
      range: [0, 99],
      kind: "mean",
      needs: { state: [] },
      ...about,
    };
  }

  reset(): void {
    this.count = 0;
  }
  update(): void {
    this.count++;
  }
  getMetric(): number | null {
    return this.count;
  }
}

const record = (step: number, distance_to_goal = 1): StepRecord => ({
  step,
  action: step === 0 ? null : "move_forward",
  state: { position: [0, 0, 0], distance_to_goal },
});

function failure(work: () => void): DataError {
  try {
    work();
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function scorerOf(...metrics: BaseMetric[]): EpisodeScorer {
  return new EpisodeScorer(taskUnder("design"), metrics);
}

describe("scoring an episode", () => {
  it("scoring an episode passes every record to every metric, and resets the metrics for each episode", () => {
    const scorer = scorerOf(new Counting());
    for (let episode = 0; episode < 2; episode++) {
      scorer.reset(makeEpisode(), {});
      for (let step = 0; step < 3; step++) scorer.update(record(step));
      expect(scorer.values()).toEqual({ counting: 3 });
    }
  });

  it("scoring fails at the first record with the names of the metric and the missing field", () => {
    const scorer = scorerOf(new Counting({ name: "smooth", needs: { state: ["qpos"] } }));
    scorer.reset(makeEpisode(), {});
    const error = failure(() => scorer.update(record(0)));
    expect(error.code).toBe("missing_state");
    expect(error.message).toContain('metric "smooth" needs qpos');
    expect(error.hint).toContain("omit the metric");
  });

  it("scoring looks for time_s in the record, not in the state", () => {
    const scorer = scorerOf(new Counting({ needs: { state: ["time_s"] } }));
    scorer.reset(makeEpisode(), {});
    expect(() => scorer.update({ ...record(0), time_s: 0 })).not.toThrow();
    scorer.reset(makeEpisode(), {});
    expect(failure(() => scorer.update(record(0))).code).toBe("missing_state");
  });

  it("scoring rejects a metric that needs the scene when there is none", () => {
    const scorer = scorerOf(new Counting({ name: "ndtw", needs: { state: [], distance: true } }));
    const error = failure(() => scorer.reset(makeEpisode(), {}));
    expect(error.code).toBe("no_scene");
    expect(error.message).toContain('"ndtw"');
    expect(error.hint).toContain("--connectivity");
    expect(() => scorer.reset(makeEpisode(), { distance: () => 0 })).not.toThrow();
  });

  it("scoring rejects an episode whose goal cannot be reached from its start", () => {
    const scorer = scorerOf(new Counting());
    scorer.reset(makeEpisode(), {});
    expect(failure(() => scorer.update(record(0, Number.POSITIVE_INFINITY))).code).toBe(
      "unreachable_goal",
    );
  });

  it("scoring accepts a goal that becomes unreachable after the start", () => {
    const scorer = scorerOf(new Counting());
    scorer.reset(makeEpisode(), {});
    scorer.update(record(0));
    expect(() => scorer.update(record(1, Number.POSITIVE_INFINITY))).not.toThrow();
  });

  it("scoring gives null for values that are not finite", () => {
    class Odd extends Counting {
      constructor(readonly value: number | null) {
        super();
      }
      override getMetric(): number | null {
        return this.value;
      }
    }
    for (const value of [null, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(scorerOf(new Odd(value)).values()).toEqual({ counting: null });
    }
  });
});

describe("an episode that ended by an agent fault", () => {
  it("an episode that ended by an agent fault is 0 in metrics that are gated by success, and keeps its value in the others", () => {
    const scorer = scorerOf(
      new Counting({ name: "gated", gatedBySuccess: true }),
      new Counting({ name: "free" }),
    );
    scorer.reset(makeEpisode(), {});
    scorer.update(record(0));
    expect(scorer.values("broken_off")).toEqual({ gated: 0, free: 1 });
    expect(scorer.values("complete")).toEqual({ gated: 1, free: 1 });
  });
});
