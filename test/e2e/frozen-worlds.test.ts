import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RunInfo, RunResults } from "../../src/core/interfaces/result.js";
import type { ParityReport } from "../../src/evaluator/check/parity/documents.js";
import {
  frozenEpisode,
  MODEL,
  START,
  writeFrozenWorld,
} from "../../src/simulator/frozen/world.fixture.js";
import { linesOf, robotEvalHere, temporaryFolder } from "../support/cli.js";
import { changedPanda, PANDA, shorten, type WritableRecord } from "../support/frozen-panda.js";
import { IS_SOAK } from "../support/sampled.js";

beforeEach(() => vi.stubEnv("XDG_CACHE_HOME", temporaryFolder()));
afterEach(() => vi.unstubAllEnvs());

const withRecord = (record: (record: WritableRecord) => unknown) => changedPanda({ record });

/** A joint that rests where any push is amplified a hundred thousandfold within a control step; its replay is equal. */
function writeUnstable(): string {
  const still = [0, ...START.state.qpos.slice(1)];
  const path = writeFrozenWorld({
    model: MODEL.replace('<joint name="x"', '<joint name="x" stiffness="-200000"'),
    rollouts: {
      format: "robot-eval-parity/1",
      rollouts: [
        {
          ...{ episode_id: "0", source: "random", actions: [[0, 0]], success: [false, false] },
          qpos: [still, still],
          ee_pos: [
            [0, 0, 0.5],
            [0, 0, 0.5],
          ],
        },
      ],
    },
  });
  const start = { ...START, state: { ...START.state, qpos: still } };
  const folder = dirname(path);
  const episodes = [frozenEpisode(start).toDict()];
  writeFileSync(
    join(folder, "small.json"),
    JSON.stringify({ format: "robot-eval-episodes/1", episodes }),
  );
  const yaml = join(folder, "benchmark.yaml");
  writeFileSync(
    yaml,
    `benchmark: { name: small }
small_task: { type: external, config: { dof: 2 } }
simulator: { backend: frozen, scenes: ${folder} }
dataset: { small: { type: external, data_path: small.json } }
`,
  );
  return yaml;
}

function add(values: number[] | undefined, index: number, amount: number): void {
  if (values) values[index] = (values[index] ?? 0) + amount;
}

describe("robot-eval parity", () => {
  it("robot-eval parity passes a world whose replays agree, and run then records the verdict without a warning", async () => {
    const yaml = withRecord((record) => shorten(record, 0, 20));
    const parity = await robotEvalHere(["parity", yaml, "--json"]);
    expect(parity.code, parity.stdout).toBe(0);
    const [world] = (JSON.parse(parity.stdout) as ParityReport).worlds;
    expect(world).toMatchObject({ passed: true, compared_steps: 20, chaotic_steps: 0 });
    expect(world?.max_qpos_error).toBeLessThan(1e-12);
    expect(world?.rollouts[0]?.max_observation_error).toBeLessThan(1e-11);
    expect(world?.boundaries).toEqual({ states: 12, inside: 6, different: [] });
    const { warnings, parity: verdicts } = await infoOfRun(yaml);
    expect(warnings).toEqual([]);
    expect(verdicts).toMatchObject([{ world: "Panda", passed: true, compared_steps: 20 }]);
  });

  it("robot-eval parity compares the numbers that are not chaotic while others are", async () => {
    const parity = await robotEvalHere(["parity", join(PANDA, "benchmark.yaml"), "--json"]);
    expect(parity.code, parity.stdout).toBe(0);
    const [world] = (JSON.parse(parity.stdout) as ParityReport).worlds;
    const lift = world?.rollouts[1];
    expect(lift?.success).toEqual({ original: true, replay: true });
    expect(lift?.chaotic_steps).toBeGreaterThan(10);
    expect(lift?.compared_positions).toBeGreaterThan(1 - (lift?.chaotic_steps ?? 0) / 60);
  });

  it("robot-eval parity compares frames of the original with ours, and does without them", async () => {
    const short = (record: WritableRecord) => shorten(record, 0, 2);
    const drawn = await robotEvalHere(["parity", changedPanda({ record: short }), "--json"]);
    const { worlds, passed }: ParityReport = JSON.parse(drawn.stdout);
    const frames = worlds[0]?.frames;
    expect(frames?.frames.map(({ step, camera }) => `${camera} ${step}`)).toEqual([
      "head 0",
      "wrist 0",
    ]);
    expect(frames?.min_psnr_db).toBeGreaterThan(30);
    expect(frames?.min_ssim).toBeGreaterThan(0.97);
    expect([frames?.similar, passed]).toEqual([true, true]);
    const description = (text: string) =>
      JSON.stringify({ ...JSON.parse(text), frames: undefined });
    const { stdout } = await robotEvalHere([
      "parity",
      changedPanda({ record: short, description }),
    ]);
    expect(stdout).toContain("no frames recorded");
  });

  it("robot-eval parity passes a world whose frames differ, and says that they are not similar", async () => {
    const swapped = (text: string) => {
      const described = JSON.parse(text);
      const [head, wrist] = described.frames;
      described.frames = [
        { ...head, file: wrist.file, sha256: wrist.sha256 },
        { ...wrist, file: head.file, sha256: head.sha256 },
      ];
      return JSON.stringify(described);
    };
    const record = (one: WritableRecord) => shorten(one, 0, 2);
    const yaml = changedPanda({ record, description: swapped });
    const { code, stdout } = await robotEvalHere(["parity", yaml]);
    expect(stdout).toMatch(/2: \d\.\d dB, SSIM \S+ \(not similar\)/);
    expect(code).toBe(0);
  });

  type Change = [string, (record: WritableRecord) => unknown, RegExp];
  // It takes 64 disturbed replays.
  const slow: Change = [
    "a chaotic position by much more than it is sensitive",
    (record) => {
      const one = record.rollouts[1];
      record.rollouts.shift();
      add(one?.qpos[60], 9, 0.1);
    },
    /step 60: qpos is off by 1\.0e-1/,
  ];
  it.each<Change>([
    [
      "a position",
      (record) => add(shorten(record, 0, 12).qpos[7], 2, 2e-6),
      /step 7: qpos is off by 2\.0e-6, 1\.0e-6 is allowed/,
    ],
    [
      "the end effector",
      (record) => add(shorten(record, 0, 12).ee_pos[3], 1, 1e-3),
      /step 3: end effector is off by 1\.0e-3/,
    ],
    [
      "an observation",
      (record) => add(shorten(record, 0, 12).observations?.[12]?.cube_quat, 0, 1e-3),
      /step 12: cube_quat is off by 1\.0e-3/,
    ],
    [
      "a success flag",
      (record) => {
        const { success } = shorten(record, 0, 12);
        success[4] = true;
      },
      /step 4: the success flag differs/,
    ],
    [
      "a verdict about a boundary state",
      (record) => {
        shorten(record, 0, 2);
        for (const one of record.boundaries.slice(0, 1)) Object.assign(one, { success: false });
      },
      /11 of 12 equal \(5 inside\); not "height by 1e-07 m, inside" of episode 0/,
    ],
    ...(IS_SOAK ? [slow] : []),
  ])("robot-eval parity exits with 4 if %s of the original differs", async (_, change, said) => {
    const yaml = withRecord(change);
    const { code, stdout } = await robotEvalHere(["parity", yaml]);
    expect(stdout).toMatch(said);
    expect(stdout).toContain("not all worlds agree with their originals");
    expect(code).toBe(4);
  });

  it("robot-eval parity judges boundary states without the warm-up of the episode", async () => {
    const yaml = withRecord((record) => shorten(record, 0, 1));
    const file = join(dirname(yaml), "frozen-panda.worlds/Panda.episodes.json.gz");
    const episodes = JSON.parse(gunzipSync(readFileSync(file)).toString());
    // The cube would fall out of the goal.
    const warm_up = Array.from({ length: 10 }, () => [0, 0, 0, 0, 0, 0, 0]);
    for (const { task_config } of episodes.episodes) Object.assign(task_config.frozen, { warm_up });
    writeFileSync(file, gzipSync(JSON.stringify(episodes)));
    const { stdout } = await robotEvalHere(["parity", yaml]);
    expect(stdout).toContain("12 of 12 equal");
  });

  it("robot-eval parity exits with 4 if no step can be compared, and run then warns", async () => {
    const yaml = writeUnstable();
    const { code, stdout, stderr } = await robotEvalHere(["parity", yaml]);
    expect(stdout, stderr).toMatch(/small: no step could be compared/);
    expect(stdout).toContain("100.0 % of 1");
    expect(code).toBe(4);
    const { warnings } = await infoOfRun(yaml, "--fail-on-invalid", "1");
    expect(warnings).toEqual([
      `small does not agree with its original, as robot-eval parity found on this machine: robot-eval parity ${yaml}`,
    ]);
  });

  it.each<[string, (record: WritableRecord) => unknown, RegExp]>([
    [
      "without positions",
      (record) => Object.assign(shorten(record, 0, 2), { qpos: [[], [], []] }),
      /a row of positions of episode 0 has 0 numbers; its initial state has 16/,
    ],
    [
      "with too short positions in a boundary state",
      (record) => Object.assign(record.boundaries[0] ?? {}, { qpos: [0] }),
      /a row of positions of episode 0 has 1 numbers; its initial state has 16/,
    ],
    [
      "with too short actions",
      (record) => Object.assign(shorten(record, 0, 1), { actions: [[0]] }),
      /an action with 1 numbers instead of 7/,
    ],
    [
      "without an observation that other steps have",
      (record) => delete shorten(record, 0, 2).observations?.[1]?.joint_pos,
      /has no observation "joint_pos" at step 1/,
    ],
    [
      "with too few observations",
      (record) => shorten(record, 0, 2).observations?.pop(),
      /has 2 observations instead of 3/,
    ],
  ])("robot-eval parity rejects a record %s", async (_, change, said) => {
    const { code, stderr } = await robotEvalHere(["parity", withRecord(change)]);
    expect(stderr).toMatch(said);
    expect(code).toBe(2);
  });
});

describe("a run of a frozen world", () => {
  it("a run of a frozen world warns of unchecked parity and of what the freezer notes, replays bit-exactly, and is the same after it was resumed", async () => {
    const yaml = withRecord(() => {});
    const world = join(dirname(yaml), "frozen-panda.worlds/Panda.world.json");
    const description = JSON.parse(readFileSync(world, "utf8"));
    writeFileSync(world, JSON.stringify({ ...description, notes: ["the cube is light"] }));
    const { folder, ...info } = await infoOfRun(yaml, "--limit", "3");
    expect(info.warnings).toEqual([
      "Panda: the cube is light",
      `the parity of Panda with its original was never checked on this machine: robot-eval parity ${yaml}`,
    ]);
    const replay = await robotEvalHere(["replay", folder, "--json", "--workers", "1"]);
    expect(replay.code).toBe(0);
    expect(JSON.parse(replay.stdout)).toMatchObject({ replayed: 3, equal: 3 });
    const whole = await linesOf(folder);
    const episodes = join(folder, "episodes.jsonl");
    const [first = ""] = readFileSync(episodes, "utf8").split("\n");
    writeFileSync(episodes, `${first}\n`);
    expect((await robotEvalHere(["resume", folder, "--workers", "1"])).code).toBe(0);
    const again = await linesOf(folder);
    const hashes = (lines: typeof whole) =>
      lines.map(({ episode_key, final_state_hash }) => `${episode_key} ${final_state_hash}`).sort();
    expect(hashes(again)).toEqual(hashes(whole));
    expect(new Set(hashes(again)).size).toBe(3);
  });
});

/** run.json of a run of the benchmark, in a new folder. */
async function infoOfRun(yaml: string, ...flags: readonly string[]) {
  const short = ["--limit", "1", "--set", "evaluation.max_steps=2", "--workers", "1", "--json"];
  const out = temporaryFolder();
  const run = await robotEvalHere([
    "run",
    yaml,
    "--agent",
    "random",
    "--out",
    out,
    ...short,
    ...flags,
  ]);
  expect(run.code, run.stderr).toBe(0);
  const { run_dir } = JSON.parse(run.stdout) as RunResults & { run_dir: string };
  const info: RunInfo = JSON.parse(readFileSync(join(run_dir, "run.json"), "utf8"));
  return { ...info, folder: run_dir };
}
