import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import { linesOf, makeWorld, startRobotEvalHere } from "../support/cli.js";
import { pythonEnvironment, testPython } from "../support/python.js";
import { sampled } from "../support/sampled.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = testPython();

/** The same policy in two languages: its action is a hash of every pixel and number that it received. */
const POLICIES = {
  TypeScript: [process.execPath, join(root, "examples/policy/hash-policy.js")],
  Python: [python ?? "", join(root, "python/examples/hash_policy.py")],
} as const;

const pictures = { width: 48, height: 36 };

/** Navigation and manipulation with every kind of sensor. */
const benchmark = {
  benchmark: { name: "every byte" },
  vln_task: { type: "vln", config: { profile: "vlnce", metrics: ["success", "spl"] } },
  pick_place_task: { type: "pick_place", config: { robot_type: "stretch" } },
  simulator: {
    sensors: {
      ...{ rgb: pictures, depth: pictures, semantic: pictures },
      ...{ rgb_head: pictures, rgb_wrist: pictures, depth_head: pictures },
      ...{ instruction: {}, gps: {}, compass: {} },
      ...{ qpos: {}, qvel: {}, ee_pose: {}, gripper_state: {} },
    },
  },
  dataset: {
    vln: { type: "vln", data_path: join(root, "data/navmesh/vln/val.json.gz") },
    pick_place: {
      type: "pick_place",
      data_path: join(root, "data/manipulation/pick_place/val.json.gz"),
    },
  },
  evaluation: { max_steps: 12 },
};

type Language = keyof typeof POLICIES;

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts a policy and resolves with its address. */
function start(language: Language, ...args: readonly string[]) {
  const [command, script] = POLICIES[language];
  const child = spawn(command, [script, ...args], {
    cwd: root,
    env: pythonEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let said = "";
  return new Promise<string>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      said += String(chunk);
      const found = /(ws:\/\/127\.0\.0\.1:\d+)/.exec(said);
      if (found?.[1]) resolve(found[1]);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("close", () => reject(new Error(`the ${language} policy ended:\n${said}`)));
  });
}

interface RunContent {
  readonly lines: readonly Partial<EpisodeLine>[];
  readonly trajectories: readonly string[];
}

async function evaluateWith(
  language: Language,
  way: "policy listens" | "evaluator listens",
  encoding: string,
): Promise<RunContent> {
  const world = makeWorld();
  const file = world.write("bytes.yaml", stringify(benchmark));
  const run = (agent: string) =>
    startRobotEvalHere([
      "run",
      file,
      "--agent",
      agent,
      "--first",
      "1",
      "--out",
      world.root,
      "--json",
    ]);
  let running: ReturnType<typeof run>;
  if (way === "policy listens") {
    running = run(await start(language, "--port", "0", "--encoding", encoding));
  } else {
    running = run("listen:0");
    const url = await running.heard(/(ws:\/\/127\.0\.0\.1:\d+)/);
    start(language, "--connect", url, "--encoding", encoding).catch(() => {});
  }
  const { code, stdout, stderr } = await running.done;
  expect(code, stderr).toBe(0);
  const { run_dir } = JSON.parse(stdout) as RunResults;
  const lines = await linesOf(run_dir);
  return {
    lines: lines
      .map(({ episode_key, outcome, end_reason, metrics, steps, final_state_hash }) => ({
        ...{ episode_key, outcome, end_reason, metrics, steps, final_state_hash },
      }))
      .sort((a, b) => a.episode_key.localeCompare(b.episode_key)),
    trajectories: lines
      .map(({ trajectory }) =>
        readFileSync(join(run_dir ?? "", trajectory ?? "")).toString("base64"),
      )
      .sort(),
  };
}

describe.skipIf(!python)("the same policy in Python and in TypeScript", () => {
  let expected: RunContent;

  beforeAll(async () => {
    expected = await evaluateWith("TypeScript", "policy listens", "msgpack");
    expect(expected.lines).toHaveLength(2);
    for (const { outcome, steps } of expected.lines) {
      expect(outcome).not.toBe("invalid");
      expect(steps).toBe(12);
    }
  }, 120_000);

  const ways = [
    ["TypeScript", "evaluator listens", "json"],
    ["TypeScript", "policy listens", "json"],
    ["TypeScript", "evaluator listens", "msgpack"],
    ["Python", "policy listens", "json"],
    ["Python", "evaluator listens", "json"],
    ["Python", "evaluator listens", "msgpack"],
    ["Python", "policy listens", "msgpack"],
  ] as const;

  it.each(sampled(ways, 2))(
    "the same policy has bit-identical results: %s, %s, %s",
    async (language, way, encoding) => {
      expect(await evaluateWith(language, way, encoding)).toEqual(expected);
    },
    120_000,
  );
});
