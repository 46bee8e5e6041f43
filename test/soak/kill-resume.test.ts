import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { episodeDict, linesOf, robotEval } from "../support/cli.js";
import { evidenceSize, writeEvidence } from "../support/evidence.js";
import {
  dieAt,
  killRepeatedly,
  makeSlowWorld,
  mixedEpisodes,
  runIn,
  type SlowWorld,
} from "../support/kill.js";
import { contentOf, setAsideOf } from "../support/run-content.js";

const TIMEOUT_MS = 900_000;

/** Runs the benchmark without interruption and returns the run's directory. */
async function uninterrupted(world: SlowWorld, ...flags: readonly string[]): Promise<string> {
  const out = join(world.root, "whole");
  const { code, stderr } = await robotEval([...world.run, "--out", out, ...flags], world.root);
  expect(code, stderr).toBe(0);
  return runIn(out) ?? "";
}

const KILLS = evidenceSize({ full: 50, soak: 20 });

describe("a run that is killed at random times", () => {
  it(
    "a run that is killed at random times equals an uninterrupted run after it was resumed",
    async () => {
      const episodes = mixedEpisodes(12);
      const set = ["evaluation.repeats=2", "evaluation.retry_invalid=1"];
      const world = makeSlowWorld(episodes, ...set);
      const whole = await uninterrupted(world, "--workers", "2");
      world.pause(30);
      const { runDir, kills, underWay, anyTime, missed } = await killRepeatedly(world, {
        kills: KILLS,
        seed: 20,
      });
      expect(missed, "no process ended by itself").toEqual([]);
      expect(kills).toBe(KILLS);
      expect(anyTime).toBeLessThan(KILLS / 2);
      expect(underWay).toBeGreaterThanOrEqual(KILLS - anyTime);
      writeEvidence("kill-resume", "A run that is killed and resumed", [
        { kills, "kills during an episode": underWay },
      ]);
      const [before, all] = [(await linesOf(runDir)).length, 2 * episodes.length];
      expect(before, "the last kill came before the end").toBeLessThan(all);
      world.pause(0);
      const last = await robotEval(["resume", runDir], world.root);
      expect(last.code, last.stderr).toBe(0);

      const names = (await linesOf(runDir)).map((line) => `${line.episode_key} ${line.repeat}`);
      expect(names).toHaveLength(all);
      expect(new Set(names).size).toBe(all);
      expect(await contentOf(runDir)).toEqual(await contentOf(whole));
      await expectEveryAttempt(runDir);
    },
    TIMEOUT_MS,
  );
});

/** Checks that set_aside.jsonl has each attempt of an episode but the last, once each. */
async function expectEveryAttempt(runDir: string): Promise<void> {
  const name = ({ episode_key = "", repeat = 0, attempt = 0 }) =>
    `${episode_key} ${repeat} ${attempt}`;
  const expected = (await linesOf(runDir)).flatMap((line) =>
    Array.from({ length: line.attempt - 1 }, (_, i) => name({ ...line, attempt: i + 1 })),
  );
  expect((await setAsideOf(runDir)).map(name).sort()).toEqual(expected.sort());
}

/** More processes than cores, because starting a process mostly waits. */
const AT_ONCE = 3;

async function eachOf(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 1;
  const worker = async () => {
    while (next <= count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

describe("a run that is killed at each of its disk writes", () => {
  /** A valid episode, one that the agent does not begin until it is fixed, and one whose scene is missing. */
  const EPISODES = [
    episodeDict("b-d", "b", "d"),
    episodeDict("d-a", "d", "a"),
    episodeDict("a-b", "a", "b", "cellar"),
  ];
  let world: SlowWorld;
  let whole: string;

  beforeAll(async () => {
    world = makeSlowWorld(EPISODES, "evaluation.retry_invalid=1");
    whole = await uninterrupted(world);
  }, TIMEOUT_MS);

  const folder = (n: number, of: string) => join(world.root, `${of}-${n}`);

  it(
    "a run that is killed at any disk write can be resumed and then equals an uninterrupted run",
    async () => {
      const content = await contentOf(whole);
      const begin = (n: number) =>
        dieAt(n, folder(n, "run"), [...world.run, "--out", folder(n, "run")], world.root);
      const { changes } = await begin(0);
      expect(changes).toBeGreaterThan(40);
      await eachOf(changes, async (n) => {
        const { killed, stderr } = await begin(n);
        expect(killed, `${n}: ${stderr}`).toBe(true);
        const run = runIn(folder(n, "run"));
        if (run === undefined) return;
        const resumed = await robotEval(["resume", run], world.root);
        expect(resumed.code, `${n}: ${resumed.stderr}`).toBe(0);
        expect(await contentOf(run), String(n)).toEqual(content);
        await expectEveryAttempt(run);
        expect(existsSync(join(run, "run.lock"))).toBe(false);
      });
    },
    TIMEOUT_MS,
  );

  it(
    "a run that is killed while invalid episodes are retried loses no attempt",
    async () => {
      world.repairAgent();
      const args = ["--retry-invalid", "--workers", "1"];
      const retry = async (n: number) => {
        const run = join(folder(n, "retry"), "run");
        cpSync(whole, run, { recursive: true });
        return { run, ...(await dieAt(n, run, ["resume", run, ...args], world.root)) };
      };
      const { run: repaired, changes } = await retry(0);
      expect((await linesOf(repaired)).map(({ attempt }) => attempt)).toEqual([1, 3, 2]);
      expect(changes).toBeGreaterThan(30);
      const possible = [whole, repaired].map(contentOf);
      await eachOf(changes, async (n) => {
        const { run, killed, stderr } = await retry(n);
        expect(killed, `${n}: ${stderr}`).toBe(true);
        const resumed = await robotEval(["resume", run], world.root);
        expect(resumed.code, `${n}: ${resumed.stderr}`).toBe(0);
        // If it was killed before the lines were set aside, the run is unchanged.
        expect(await Promise.all(possible), String(n)).toContainEqual(await contentOf(run));
        await expectEveryAttempt(run);
      });
    },
    TIMEOUT_MS,
  );
});
