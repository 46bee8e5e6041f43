import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import { readTrajectory } from "../../src/runs/directory/trajectory.js";
import { linesOf } from "../support/cli.js";
import { evidenceSize, sampledIds, writeEvidence } from "../support/evidence.js";
import {
  CHALLENGE,
  FOLDERS,
  meanOf,
  runOf,
  settledReplay,
  shippedEpisodes,
  TASKS,
} from "../support/manipulation.js";
import { expectGoldenStates } from "../support/state-hashes.js";

const TIMEOUT_MS = 1_800_000;
/** Episodes per task. */
const EPISODES = evidenceSize({ full: 50, soak: 10 });
const SOME = ["--filter", sampledIds(EPISODES, { of: 50 })];
/** Few episodes are enough to show the order of the noise levels. */
const NOISY = ["--first", "8"];
/** Probabilities that an action is replaced by a random one. */
const NOISE = [0.02, 0.1, 0.3];
/** Half a unit of the last digit in the reference files. */
const ROUNDING = 0.5e-4 + 1e-9;

const share = (lines: readonly EpisodeLine[]) =>
  lines.filter(({ outcome }) => outcome === "success").length / lines.length;

/** The maximum absolute difference of two lists of vectors; NaN if their lengths differ. */
function maxDifference(
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
): number {
  if (a.length !== b.length) return Number.NaN;
  const differences = a.flatMap((row, i) =>
    row.length === b[i]?.length
      ? row.map((x, k) => Math.abs(x - (b[i]?.[k] ?? Number.NaN)))
      : [Number.NaN],
  );
  return Math.max(...differences);
}

describe("the manipulation challenge", () => {
  let expert: RunResults;
  beforeAll(async () => {
    expert = await runOf(CHALLENGE, "--agent", "expert", "--workers", "1", ...SOME);
  }, TIMEOUT_MS);

  it("the expert episodes begin and end in the recorded states", async () => {
    await expectGoldenStates(expert);
  });

  it("the expert solves every manipulation task, for drawers and for doors", async () => {
    expect(expert.episodes).toMatchObject({ total: TASKS.length * EPISODES, invalid: 0 });
    for (const task of TASKS) {
      expect(meanOf(expert.per_task[task], "manip_success"), task).toBeGreaterThanOrEqual(0.95);
    }
    writeEvidence(
      "manipulation",
      "The expert on the manipulation challenge",
      TASKS.map((task) => {
        const { mean, ci95, count = 0 } = expert.per_task[task]?.manip_success ?? {};
        return { task, n: count, manip_success: mean ?? "", ci95: JSON.stringify(ci95) };
      }),
    );
    const fixtureOf = new Map<string, unknown>();
    for (const { episodeId, taskConfig } of await shippedEpisodes("opening")) {
      const [fixture] = taskConfig.fixtures as readonly { readonly kind: string }[];
      fixtureOf.set(episodeId, fixture?.kind);
    }
    const openings = (await linesOf(expert.run_dir)).filter(({ task }) => task === "opening");
    for (const [kind, least] of [
      ["drawer", 0.95],
      ["door", 0.9],
    ] as const) {
      const these = openings.filter(({ episode_id }) => fixtureOf.get(episode_id) === kind);
      expect(these.length, kind).toBeGreaterThan(0);
      expect(share(these), kind).toBeGreaterThanOrEqual(least);
    }
  });

  it(
    "a replay with two workers in another order is bit-identical",
    async () => {
      const shuffled = TASKS.flatMap((task, i) => ["--set", `dataset.${task}.shuffle=${i + 1}`]);
      const agent = ["--agent", `replay:${expert.run_dir}`, "--workers", "2"];
      const again = await runOf(CHALLENGE, ...agent, ...shuffled, ...SOME);
      const once = await settledReplay(expert);
      expect(once.size).toBe(TASKS.length * EPISODES);
      for (const field of ["initial_state_hash", "final_state_hash", "recorded"] as const) {
        const values = [...once.values()].map((line) => line[field]);
        expect(values).not.toContain(null);
        expect(new Set(values).size, field).toBe(values.length);
      }
      const twice = await settledReplay(again);
      expect([...twice.keys()]).not.toEqual([...once.keys()]);
      expect(twice).toEqual(once);
    },
    TIMEOUT_MS,
  );

  it("the expert trajectories match the shipped references to their printed digits", async () => {
    const lines = await linesOf(expert.run_dir);
    expect(lines).toHaveLength(TASKS.length * EPISODES);
    for (const task of TASKS) {
      const byId = new Map(
        lines.filter((line) => line.task === task).map((l) => [l.episode_id, l]),
      );
      for (const { episodeId, referenceData } of await shippedEpisodes(FOLDERS[task])) {
        const line = byId.get(episodeId);
        if (!line) continue;
        const { episode_key, metrics, trajectory } = line;
        const { records } = await readTrajectory(join(expert.run_dir ?? "", trajectory ?? ""));
        // A reference has the state before each action, so not the last state.
        const before = records.slice(0, -1).map(({ state }) => state);
        const actions = records.slice(1).map(({ action }) => action as readonly number[]);
        const reference = referenceData?.trajectory;
        for (const [recorded, written] of [
          [before.map(({ qpos }) => qpos ?? []), reference?.qpos],
          [before.map(({ ee_pose }) => ee_pose ?? []), reference?.ee_pose],
          [actions, reference?.actions],
        ] as const) {
          expect(maxDifference(recorded, written ?? []), episode_key).toBeLessThanOrEqual(ROUNDING);
        }
        // Not exactly 1, because the reference is rounded and lacks the last state.
        expect(metrics.trajectory_similarity, episode_key).toBeGreaterThan(0.995);
      }
    }
  });

  it(
    "the random agent does not solve the manipulation challenge",
    async () => {
      const { episodes, aggregated_metrics } = await runOf(
        CHALLENGE,
        ...["--agent", "random", "--workers", "2", ...SOME],
      );
      expect(episodes).toMatchObject({ total: TASKS.length * EPISODES, invalid: 0 });
      expect(meanOf(aggregated_metrics, "manip_success")).toBeLessThanOrEqual(0.02);
    },
    TIMEOUT_MS,
  );

  it(
    "the completion rate decreases with each noise level",
    async () => {
      const rates = [];
      for (const chance of NOISE) {
        const agent = `noisy:${chance}:expert`;
        const { aggregated_metrics } = await runOf(CHALLENGE, "--agent", agent, ...NOISY);
        rates.push(meanOf(aggregated_metrics, "completion_rate"));
      }
      for (const [i, rate] of rates.entries()) {
        if (i > 0) expect(rate, JSON.stringify(rates)).toBeLessThan(rates[i - 1] ?? Number.NaN);
      }
    },
    TIMEOUT_MS,
  );
});
