import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/cli.js";
import { packagesOf, pythonEnvironment, pythonWith } from "../support/python.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = pythonWith(...packagesOf("mujoco-3-14"));

interface Files {
  readonly model: string;
  readonly episodes: { readonly episodes: readonly object[] };
  readonly parity: {
    readonly rollouts: readonly { readonly qpos: readonly (readonly number[])[] }[];
    readonly boundaries: readonly object[];
  };
}

function filesIn(folder: string): Files {
  const world = join(folder, "frozen-panda.worlds/Panda");
  const unpacked = (name: string) =>
    JSON.parse(gunzipSync(readFileSync(`${world}.${name}.json.gz`)).toString());
  return {
    model: readFileSync(`${world}.xml`, "utf8"),
    episodes: unpacked("episodes"),
    parity: unpacked("parity"),
  };
}

describe.skipIf(!python)("the frozen world of test/golden", () => {
  it("the frozen world of test/golden is what the freezer writes with MuJoCo for Python", () => {
    const out = join(temporaryFolder(), "frozen-panda");
    const script = join(root, "python/tests/freeze/panda.py");
    const env = { ...pythonEnvironment(), OMP_NUM_THREADS: "1" };
    const written = spawnSync(python ?? "", [script, out], { env, encoding: "utf8" });
    expect(written.status, written.stderr).toBe(0);
    const [fresh, committed] = [filesIn(out), filesIn(join(root, "test/golden/frozen-panda"))];
    expect(fresh.model).toBe(committed.model);
    expect(fresh.episodes).toEqual(committed.episodes);
    expect(fresh.parity.boundaries).toEqual(committed.parity.boundaries);
    expect(fresh.parity.rollouts).toHaveLength(2);
    for (const [i, { qpos }] of fresh.parity.rollouts.entries()) {
      const expected = committed.parity.rollouts[i]?.qpos.slice(0, 30).flat() ?? [];
      const off = qpos
        .slice(0, 30)
        .flat()
        .map((value, j) => Math.abs(value - (expected[j] ?? 9)));
      expect(Math.max(...off)).toBeLessThan(1e-9);
    }
  });
});
