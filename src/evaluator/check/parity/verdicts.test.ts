import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../../test/support/cli.js";
import { rememberedVerdict, rememberVerdict } from "./verdicts.js";

const WORLD = "a".repeat(64);
const PARITY = {
  task: "lift",
  world: "Lift",
  world_sha256: WORLD,
  frozen_engine: "3.14.0",
  engine: "3.14.0",
  rollouts: [],
  max_qpos_error: Number.POSITIVE_INFINITY,
  max_ee_error_m: 0,
  compared_steps: 3,
  chaotic_steps: 2,
  compared_positions: 0.7,
  max_chaotic_qpos_error: 0.1,
  failed_rollouts: 1,
  success_agreement: 1,
  boundaries: { states: 0, inside: 0, different: [] },
  frames: null,
  passed: false,
};

afterEach(() => vi.unstubAllEnvs());

describe("a remembered verdict", () => {
  it("a remembered verdict belongs to one world and one version of the engine", async () => {
    vi.stubEnv("XDG_CACHE_HOME", temporaryFolder());
    expect(rememberedVerdict(WORLD, "3.14.0")).toBeUndefined();
    await rememberVerdict(PARITY, new Date(0));
    expect(rememberedVerdict(WORLD, "3.14.0")).toMatchObject({
      world: "Lift",
      passed: false,
      max_qpos_error: null,
      checked_at: "1970-01-01T00:00:00.000Z",
    });
    expect(rememberedVerdict(WORLD, "3.13.0")).toBeUndefined();
    expect(rememberedVerdict("b".repeat(64), "3.14.0")).toBeUndefined();
  });

  it("a remembered verdict counts as missing if other criteria were applied", async () => {
    const cache = temporaryFolder();
    vi.stubEnv("XDG_CACHE_HOME", cache);
    await rememberVerdict(PARITY, new Date(0));
    const file = join(cache, "robot-eval", "parity", `${WORLD}-mujoco-3.14.0.json`);
    const verdict = readFileSync(file, "utf8");
    writeFileSync(file, verdict.replace("verdict/3", "verdict/2"));
    expect(rememberedVerdict(WORLD, "3.14.0")).toBeUndefined();
  });

  it("a remembered verdict counts as missing if its file is damaged", () => {
    const cache = temporaryFolder();
    vi.stubEnv("XDG_CACHE_HOME", cache);
    const folder = join(cache, "robot-eval", "parity");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, `${WORLD}-mujoco-3.14.0.json`), '{"passed": true');
    expect(rememberedVerdict(WORLD, "3.14.0")).toBeUndefined();
  });
});
