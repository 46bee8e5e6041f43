import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import { readTrajectory } from "../../src/runs/directory/trajectory.js";
import {
  type CliResult,
  evaluate,
  linesOf,
  makeWorld,
  robotEval,
  type World,
} from "../support/cli.js";
import { mixedEpisodes } from "../support/kill.js";
import { contentOf } from "../support/run-content.js";

const REPEATS = 3;
const EPISODES = mixedEpisodes(1);
const SET = ["evaluation.repeats=3", "evaluation.max_steps=9", "evaluation.fail_on_invalid=1"];

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

function grouped(lines: readonly EpisodeLine[]): Map<string, EpisodeLine[]> {
  const groups = new Map<string, EpisodeLine[]>();
  for (const line of lines) {
    groups.set(line.episode_key, [...(groups.get(line.episode_key) ?? []), line]);
  }
  return groups;
}

describe("a run with repeats", () => {
  let world: World;
  let cli: CliResult;
  let results: RunResults;
  let lines: readonly EpisodeLine[];
  beforeAll(async () => {
    world = makeWorld(EPISODES);
    const set = SET.flatMap((one) => ["--set", one]);
    const flags = ["--agent", "random", "--workers", "2", "--out", world.out, "--json"];
    cli = await robotEval(["run", world.yaml, ...flags, ...set], world.root);
    expect(cli.code, cli.stderr).toBe(0);
    results = JSON.parse(cli.stdout);
    lines = await linesOf(results.run_dir);
  });

  it("a run with repeats runs each episode as often as repeats says, from the same start with different agent seeds", () => {
    const groups = grouped(lines);
    expect(groups.size).toBe(EPISODES.length);
    for (const [key, group] of groups) {
      const different = (value: (line: EpisodeLine) => unknown) => new Set(group.map(value)).size;
      expect(group.map(({ repeat }) => repeat).sort(), key).toEqual([0, 1, 2]);
      expect(
        different(({ agent_seed }) => agent_seed),
        key,
      ).toBe(REPEATS);
      expect(
        different(({ seed }) => seed),
        key,
      ).toBe(1);
      expect(
        different(({ initial_state_hash }) => initial_state_hash),
        key,
      ).toBe(1);
    }
    const ends = [...groups.values()].map((group) => group.map((line) => line.final_state_hash));
    expect(ends.some((hashes) => new Set(hashes).size > 1)).toBe(true);
  });

  it("a run with repeats writes a trajectory for each repeat", async () => {
    const judged = lines.filter(({ outcome }) => outcome !== "invalid");
    const files = judged.map(({ trajectory }) => trajectory ?? "");
    expect(new Set(files).size).toBe(judged.length);
    for (const line of judged) {
      expect(line.trajectory).toMatch(
        line.repeat === 0 ? /[^+]\.jsonl\.gz$/ : /\+r[12]\.jsonl\.gz$/,
      );
      const file = join(results.run_dir ?? "", line.trajectory ?? "");
      expect((await readTrajectory(file)).records).toHaveLength(line.steps + 1);
    }
  });

  it("a run with repeats reports the mean over episodes, with an interval over repeats and episodes", () => {
    const judged = lines.filter(({ outcome }) => outcome !== "invalid");
    const invalid = lines.length - judged.length;
    expect(invalid).toBe(REPEATS * 3);
    for (const name of ["success", "path_length"]) {
      const value = (line: EpisodeLine) => line.metrics[name] ?? Number.NaN;
      const perEpisode = [...grouped(judged).values()].map((group) => mean(group.map(value)));
      const summary = results.per_task.vln?.[name];
      expect(summary?.mean, name).toBeCloseTo(mean(perEpisode), 12);
      expect(summary).toMatchObject({
        count: judged.length,
        n_episodes: perEpisode.length,
        n_invalid: invalid,
      });
      const means = [0, 1, 2].map((repeat) =>
        mean(judged.filter((line) => line.repeat === repeat).map(value)),
      );
      expect(summary?.repeat_means).toHaveLength(REPEATS);
      for (const [i, one] of means.entries()) {
        expect(summary?.repeat_means?.[i], name).toBeCloseTo(one, 12);
      }
      const [low, high] = summary?.ci95 ?? [Number.NaN, Number.NaN];
      expect(low).toBeLessThanOrEqual(summary?.mean ?? Number.NaN);
      expect(high).toBeGreaterThanOrEqual(summary?.mean ?? Number.NaN);
    }
    expect(results.repeats).toBe(REPEATS);
    expect(results.per_task.vln?.success?.ci_method).toBe("wilson_repeats");
    expect(results.episodes.total).toBe(REPEATS * EPISODES.length);
  });

  it("a run with repeats reports the mean, not the best repeat, and does not count repeats as more episodes", async () => {
    const summary = results.per_task.vln?.success;
    const best = Math.max(...(summary?.repeat_means ?? []).map((value) => value ?? 0));
    expect(summary?.mean).toBeLessThanOrEqual(best);
    const once = await evaluate(world, { agent: "random", set: SET.slice(1) });
    const width = ([low, high]: readonly [number, number] = [0, 1]) => high - low;
    // Repeats of an episode are correlated: the interval must be wider than with three times as many episodes.
    const thirds = width(once.per_task.vln?.success?.ci95 ?? undefined) / Math.sqrt(REPEATS);
    expect(width(summary?.ci95 ?? undefined)).toBeGreaterThan(thirds);
  });

  it("the first repeat equals a run without repeats", async () => {
    const once = await evaluate(world, { agent: "random", set: SET.slice(1) });
    const first = lines
      .filter(({ repeat }) => repeat === 0)
      .map(({ final_state_hash }) => final_state_hash);
    const hashes = (await linesOf(once.run_dir)).map(({ final_state_hash }) => final_state_hash);
    expect(first.sort()).toEqual(hashes.sort());
  });

  it("a run with repeats has the same content with one worker as with two", async () => {
    const alone = await evaluate(world, { agent: "random", set: SET });
    expect(await contentOf(alone.run_dir ?? "")).toEqual(await contentOf(results.run_dir ?? ""));
  });
});
