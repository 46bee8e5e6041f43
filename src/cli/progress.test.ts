import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { episodeLine } from "../../test/support/cli.js";
import type { MetricSummary } from "../core/interfaces/result.js";
import type { EvaluationEvent } from "../evaluator/record/events.js";
import { Progress } from "./progress.js";

const summary: MetricSummary = {
  mean: 0.5,
  std: 0.5,
  min: 0,
  max: 1,
  count: 2,
  ci95: [0.1, 0.9],
  ci_method: "wilson",
  n_invalid: 0,
  unit: "1",
  direction: "higher",
};

function episode(done: number, total: number): EvaluationEvent {
  const counts = { success: 0, failure: done, invalid: 0 };
  const running = () => ({ metric: "success", summary });
  return { type: "episode", line: episodeLine(), done, total, counts, running };
}

function progressOn(stream: { readonly isTTY: boolean; readonly columns?: number }) {
  let text = "";
  const write = (chunk: string) => {
    text += chunk;
    return true;
  };
  const progress = new Progress({ ...stream, write } as NodeJS.WriteStream);
  return { progress, said: () => text };
}

beforeEach(() => {
  vi.stubEnv("CI", "");
  vi.useFakeTimers({ toFake: ["performance"] });
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe("progress without a terminal", () => {
  it("progress without a terminal is a plain line at most every five seconds, and one at the end", () => {
    const { progress, said } = progressOn({ isTTY: false });
    for (let i = 1; i <= 100; i++) {
      vi.advanceTimersByTime(100);
      progress.onEvent(episode(i, 100));
    }
    progress.finish();
    const done = said()
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[0]);
    expect(done).toEqual(["1/100", "51/100", "100/100"]);
    expect(said()).not.toContain("\r");
    expect(said()).not.toContain("\u001b");
  });

  it("progress without a terminal does not repeat the same line", () => {
    const { progress, said } = progressOn({ isTTY: false });
    vi.advanceTimersByTime(100);
    progress.onEvent(episode(1, 1));
    progress.finish();
    expect(said().trimEnd().split("\n")).toHaveLength(1);
  });

  it("progress without a terminal shows the mean, its interval and the remaining time", () => {
    const { progress, said } = progressOn({ isTTY: false });
    vi.advanceTimersByTime(2000);
    progress.onEvent(episode(2, 100));
    expect(said()).toBe(
      "2/100 · vln success 0.500 [0.100, 0.900] · 0 invalid · 1.0 episodes/s · ETA 1:38\n",
    );
  });

  it("progress without a terminal starts with the number of episodes, the folder and the warnings", () => {
    const { progress, said } = progressOn({ isTTY: false });
    const runDir = "runs/a-run";
    progress.onEvent({
      type: "started",
      runId: "a-run",
      runDir,
      total: 3,
      done: 0,
      warnings: ["no rgb"],
    });
    expect(said()).toBe("3 episodes into runs/a-run\nwarning: no rgb\n");
  });

  it("progress without a terminal prints nothing about episodes if there were none", () => {
    const { progress, said } = progressOn({ isTTY: false });
    progress.finish();
    expect(said()).toBe("");
  });
});

describe("progress on a terminal", () => {
  it("progress on a terminal rewrites its line, cut to the width", () => {
    const { progress, said } = progressOn({ isTTY: true, columns: 20 });
    vi.advanceTimersByTime(1000);
    progress.onEvent(episode(1, 2));
    vi.advanceTimersByTime(1000);
    progress.onEvent(episode(2, 2));
    progress.finish();
    expect(said()).toBe("\r1/2 · vln success 0\u001b[K\r2/2 · vln success 0\u001b[K\n");
  });

  it("progress on a terminal prints plain lines under CI, where no user watches the terminal", () => {
    vi.stubEnv("CI", "true");
    const { progress, said } = progressOn({ isTTY: true });
    vi.advanceTimersByTime(1000);
    progress.onEvent(episode(1, 2));
    expect(said()).toMatch(/^1\/2 .*\n$/);
  });
});
