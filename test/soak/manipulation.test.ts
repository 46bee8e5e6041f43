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

const TIMEOUT_MS = 1_800_000;
/** Of each task. */
const EPISODES = evidenceSize({ full: 50, soak: 10 });
const SOME = ["--filter", sampledIds(EPISODES, { of: 50 })];
/** Noisy runs show an order, which needs few episodes. */
const NOISY = ["--limit", "8"];
/** Probabilities that an action is a random one. */
const NOISE = [0.02, 0.1, 0.3];
/** Half of the last digit of the written references. */
const ROUNDING = 0.5e-4 + 1e-9;

const share = (lines: readonly EpisodeLine[]) =>
  lines.filter(({ outcome }) => outcome === "success").length / lines.length;

/** The greatest difference of two lists of vectors; NaN where they are not of the same lengths. */
function farthest(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number {
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

  it("is solved by the expert, task by task, drawers and doors alike", async () => {
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
    "comes out the same to the bit when another process replays it in two threads, in another order",
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

  it("matches the shipped reference results to their printed digits", async () => {
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
        // A reference has a state for every action: those before it, so not the last.
        const before = records.slice(0, -1).map(({ state }) => state);
        const actions = records.slice(1).map(({ action }) => action as readonly number[]);
        const reference = referenceData?.trajectory;
        for (const [recorded, written] of [
          [before.map(({ qpos }) => qpos ?? []), reference?.qpos],
          [before.map(({ ee_pose }) => ee_pose ?? []), reference?.ee_pose],
          [actions, reference?.actions],
        ] as const) {
          expect(farthest(recorded, written ?? []), episode_key).toBeLessThanOrEqual(ROUNDING);
        }
        // Not 1: the digits, and the last state, which the run has and the reference has not.
        expect(metrics.trajectory_similarity, episode_key).toBeGreaterThan(0.995);
      }
    }
  });

  it(
    "is not solved by chance",
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
    "tells little noise from more and from much",
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
