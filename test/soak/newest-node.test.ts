import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/cli.js";
import { nodeOf } from "../support/node-versions.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const SMOKE = "configs/benchmarks/unified_smoke.yaml";

/** One episode of `rearrange`; ten take longer than all others together. */
const FEW_REARRANGE = ["--set", "dataset.rearrange.first=1"];

/** The oldest version that `engines` in package.json allows, and the newest release. */
const oldest = nodeOf("20");
const newest = nodeOf("latest");

/** Warnings of Node: `(node:123) [DEP0040] DeprecationWarning: ...` */
const WARNING = /^\(node:\d+\)|Warning:/m;

function run(node: string | undefined, args: readonly string[]) {
  if (node === undefined) throw new Error("this Node version is not installed");
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(node, args, {
    cwd: root,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return { status, stdout, stderr };
}

function robotEval(node: string | undefined, ...args: readonly string[]) {
  const { status, stdout, stderr } = run(node, ["dist/cli/main.js", ...args, "--json"]);
  if (status !== 0) throw new Error(`exit code ${status}\n${stderr}`);
  expect(stderr).not.toMatch(WARNING);
  return JSON.parse(stdout);
}

describe.skipIf(!oldest || !newest)("the newest Node version", { timeout: 1_200_000 }, () => {
  it("the newest Node is another version than the oldest supported one", () => {
    const versions = [oldest, newest].map((node) => run(node, ["--version"]).stdout);
    expect(versions[0]).toMatch(/^v20\./);
    expect(versions[0]).not.toBe(versions[1]);
  });

  it("the newest and the oldest Node give equal results and replay the runs of each other bit-exactly", () => {
    const [old, young] = [oldest, newest].map((node) =>
      robotEval(node, "run", SMOKE, ...FEW_REARRANGE, "--out", temporaryFolder()),
    );
    expect(young.aggregated_metrics).toEqual(old.aggregated_metrics);
    expect(young.per_task).toEqual(old.per_task);
    expect(young.episodes).toMatchObject({ total: 61, invalid: 0 });
    for (const [node, { run_dir }] of [
      [newest, old],
      [oldest, young],
    ]) {
      expect(robotEval(node, "replay", run_dir)).toMatchObject({ equal: 61, different: [] });
    }
  });

  it("the newest Node passes the tests of the protocol and of the public API", () => {
    const vitest = "node_modules/vitest/vitest.mjs";
    const { status, stdout, stderr } = run(newest, [vitest, "run", "src/api", "test/design"]);
    expect(status, stdout + stderr).toBe(0);
    expect(stderr).not.toMatch(WARNING);
  });
});
