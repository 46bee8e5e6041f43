import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Which of these imports the project's lint rules forbid; in a copy, so that no probe touches src. */
function forbidden(probes: readonly (readonly [path: string, target: string])[]): boolean[] {
  const folder = mkdtempSync(join(tmpdir(), "robot-eval-layers-"));
  try {
    for (const file of ["biome.json", ".gitignore"]) cpSync(join(root, file), join(folder, file));
    probes.forEach(([path, target], i) => {
      const file = join(folder, path, `probe${i}.ts`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `import { x } from "${target}";\n\nexport const y = x;\n`);
    });
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
    const { stdout } = spawnSync(process.execPath, [biome, "lint", "--reporter=json", "."], {
      cwd: folder,
      encoding: "utf8",
    });
    return probes.map(([path], i) => stdout.includes(`${path}/probe${i}.ts`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("the layers of the house", () => {
  it("keep lower rooms from importing higher ones, and siblings from each other", () => {
    const probes = [
      ["src/core", "../stats/wilson.js"],
      ["src/core/math", "node:fs"],
      ["src/stats", "../metrics/navigation/spl.js"],
      ["src/stats", "../config/load.js"],
      ["src/metrics/navigation", "../../dataset/loader.js"],
      ["src/dataset/formats", "../../simulator/navigation/graph.js"],
      ["src/simulator/navigation", "../../agents/random.js"],
      ["src/simulator/navigation", "../../api/codec/frame.js"],
      ["src/simulator/remote", "../../agents/random.js"],
      ["src/agents", "../registry/registries.js"],
      ["src/registry", "../runs/summary.js"],
      ["src/runs", "../evaluator/evaluator.js"],
      ["src/evaluator", "../compat/index.js"],
      ["src/compat", "../cli/output.js"],
      ["src/evaluator", "../generate/generate.js"],
      ["src/generate", "../compat/index.js"],
    ] as const;
    const found = forbidden(probes);
    expect(probes.filter((_, i) => !found[i])).toEqual([]);
  });

  it("let higher rooms import lower ones", () => {
    const probes = [
      ["src/metrics/navigation", "../../core/metric/base.js"],
      ["src/tasks/manipulation", "../../robots/catalog.js"],
      ["src/simulator/remote", "../../api/codec/frame.js"],
      ["src/evaluator", "../runs/summary.js"],
      ["src/generate", "../evaluator/evaluator.js"],
      ["src/cli", "../evaluator/evaluator.js"],
    ] as const;
    expect(forbidden(probes)).toEqual(probes.map(() => false));
  });

  it("keep chance and the clock out of core", () => {
    const files = readdirSync(join(root, "src/core"), { recursive: true, encoding: "utf8" });
    for (const file of files) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
      const text = readFileSync(join(root, "src/core", file), "utf8");
      expect(text, file).not.toMatch(/Math\.random|Date\.now/);
    }
  });
});
