import { describe, expect, it } from "vitest";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { compareRuns } from "./compare.js";
import { keys, writeRun } from "./run.fixture.js";

const episode = (id: string, success: 0 | 1, end_reason: string): Partial<EpisodeLine> => ({
  episode_id: id,
  metrics: { success },
  end_reason,
  explanation: `${id} ${end_reason} ${success}`,
});

describe("compareRuns", async () => {
  const a = writeRun({
    lines: [
      episode("1", 1, "stop"),
      episode("2", 0, "max_steps"),
      episode("3", 0, "max_steps"),
      episode("10", 0, "collision"),
    ],
  });
  const b = writeRun({
    lines: [
      episode("10", 1, "stop"),
      episode("3", 1, "stop"),
      episode("2", 1, "stop"),
      episode("1", 0, "timeout"),
    ],
  });

  it("compareRuns explains flipped episodes with the texts of both runs", async () => {
    const { flipped_episodes } = await compareRuns(a, b);
    expect(flipped_episodes.map(({ episode_key, to }) => [episode_key, to])).toEqual([
      ["vln/hall/2", "success"],
      ["vln/hall/3", "success"],
      ["vln/hall/10", "success"],
      ["vln/hall/1", "failure"],
    ]);
    expect(flipped_episodes[0]).toEqual({
      episode_key: "vln/hall/2",
      to: "success",
      a: { end_reason: "max_steps", explanation: "2 max_steps 0" },
      b: { end_reason: "stop", explanation: "2 stop 1" },
    });
  });

  it("compareRuns lists all flipped episodes but explains only the given number per direction", async () => {
    const { flipped, flipped_episodes } = await compareRuns(a, b, { explained: 1 });
    expect(flipped.to_success).toEqual(keys(2, 3, 10));
    expect(flipped_episodes.map((one) => one.episode_key)).toEqual(keys(2, 1));
  });

  it("compareRuns counts changed end reasons, most frequent first", async () => {
    const { changed_ends } = await compareRuns(a, b);
    expect(changed_ends).toEqual([
      { task: "vln", a: "max_steps", b: "stop", count: 2 },
      { task: "vln", a: "collision", b: "stop", count: 1 },
      { task: "vln", a: "stop", b: "timeout", count: 1 },
    ]);
    expect((await compareRuns(a, a)).changed_ends).toEqual([]);
  });
});

describe("compareRuns with repeats", () => {
  /** One string per episode with one sign per repeat: + success, - failure, ? invalid. */
  const run = (...outcomes: readonly string[]) =>
    writeRun({
      lines: outcomes.flatMap((signs, i) =>
        [...signs].map((sign, repeat) => ({
          ...episode(String(i + 1), sign === "+" ? 1 : 0, sign === "+" ? "stop" : "max_steps"),
          ...(sign === "?"
            ? ({ outcome: "invalid", fault: "platform", metrics: {} } as const)
            : {}),
          explanation: `repeat ${repeat}`,
          repeat,
        })),
      ),
    });

  it("compareRuns averages the value of an episode over its valid repeats", async () => {
    const { metrics, a, b } = await compareRuns(run("+-+", "---"), run("+++", "+?-"));
    expect(metrics).toMatchObject([{ n: 2, test: "paired_t", discordant: null }]);
    expect(metrics[0]?.mean_a).toBeCloseTo(1 / 3, 15);
    expect(metrics[0]?.mean_b).toBeCloseTo(3 / 4, 15);
    expect([a.repeats, b.repeats]).toEqual([3, 3]);
  });

  it("compareRuns tests rates with the paired t test, not with that of McNemar, even if all repeats agree", async () => {
    const { metrics, notes } = await compareRuns(run("++", "--"), run("+", "+"));
    expect(metrics[0]?.test).toBe("paired_t");
    expect(notes).toEqual([expect.stringContaining("up to 2 (A) and 1 (B) times")]);
  });

  it("compareRuns treats an episode as invalid if all repeats are, and counts other invalid repeats in a note", async () => {
    const { episodes, notes } = await compareRuns(run("??", "+-"), run("++", "+?"));
    expect(episodes).toMatchObject({ shared: 2, invalid: 1, compared: 1 });
    expect(notes).toContain("1 repeats of compared episodes are invalid in B");
  });

  it("compareRuns counts an episode as flipped when the majority of its repeats flips", async () => {
    const { flipped, flipped_episodes } = await compareRuns(
      run("+--", "+-+", "++-"),
      run("-++", "---", "+++"),
    );
    expect(flipped).toEqual({ to_success: keys(1), to_failure: keys(2) });
    expect(flipped_episodes[0]).toMatchObject({
      a: { end_reason: "max_steps", explanation: "repeat 1", succeeded: 1, judged: 3 },
      b: { end_reason: "stop", explanation: "repeat 1", succeeded: 2, judged: 3 },
    });
  });

  it("compareRuns compares end reasons repeat by repeat", async () => {
    const { changed_ends } = await compareRuns(run("+-?"), run("-+-"));
    expect(changed_ends).toEqual([
      { task: "vln", a: "max_steps", b: "stop", count: 1 },
      { task: "vln", a: "stop", b: "max_steps", count: 1 },
    ]);
  });

  it("compareRuns does not depend on the order of the lines", async () => {
    const values = [0.1, 0.2, 0.3, 0.7];
    const lines = values.map((spl, repeat) => ({ repeat, metrics: { spl } }));
    const other = writeRun({ lines: [{ metrics: { spl: 0 } }] });
    const [one, turned] = [
      await compareRuns(writeRun({ lines }), other),
      await compareRuns(writeRun({ lines: lines.toReversed() }), other),
    ];
    expect(turned.metrics).toEqual(one.metrics);
  });
});
