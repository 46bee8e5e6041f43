import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The lint's opinion of a file that would stand at `path`. */
function lint(path: string, code: string): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["node_modules/@biomejs/biome/bin/biome", "lint", `--stdin-file-path=${path}`],
    { cwd: root, input: code, encoding: "utf8" },
  );
  return stdout + stderr;
}

const RULE = "noRestrictedImports";

describe("the layers of the house", () => {
  it.each([
    ["src/core/probe.ts", "../stats/wilson.js"],
    ["src/core/math/probe.ts", "node:fs"],
    ["src/stats/probe.ts", "../metrics/navigation/spl.js"],
    ["src/stats/probe.ts", "../config/load.js"],
    ["src/metrics/navigation/probe.ts", "../../dataset/loader.js"],
    ["src/dataset/formats/probe.ts", "../../simulator/navigation/graph.js"],
    ["src/simulator/navigation/probe.ts", "../../agents/random.js"],
    ["src/agents/probe.ts", "../registry/registries.js"],
    ["src/registry/probe.ts", "../runs/summary.js"],
    ["src/runs/probe.ts", "../evaluator/evaluator.js"],
    ["src/evaluator/probe.ts", "../compat/index.js"],
    ["src/compat/probe.ts", "../cli/output.js"],
  ])("%s may not import %s", (path, target) => {
    expect(lint(path, `import { x } from "${target}";\nexport const y = x;\n`)).toContain(RULE);
  });

  it.each([
    ["src/metrics/navigation/probe.ts", "../../core/metric/base.js"],
    ["src/tasks/manipulation/probe.ts", "../../robots/catalog.js"],
    ["src/evaluator/probe.ts", "../runs/summary.js"],
    ["src/cli/probe.ts", "../evaluator/evaluator.js"],
  ])("%s may import %s", (path, target) => {
    expect(lint(path, `import { x } from "${target}";\nexport const y = x;\n`)).not.toContain(RULE);
  });

  it("keeps chance and the clock out of core", () => {
    const files = readdirSync(`${root}src/core`, { recursive: true, encoding: "utf8" });
    for (const file of files) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
      expect(readFileSync(`${root}src/core/${file}`, "utf8"), file).not.toMatch(
        /Math\.random|Date\.now/,
      );
    }
  });
});
