import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { checkImports } from "./check-imports.js";
import { LAYERS } from "./layers.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

const sources = ["src", "web/src"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name.replaceAll("\\", "/")}`,
    ),
  )
  .filter((path) => /\.(tsx?|js)$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

const importing = (path: string, target: string) =>
  checkImports([{ path, text: `import { x } from "${target}";\n` }]);

describe("the import rules", () => {
  it("the import rules hold in src and web/src", () => {
    expect(sources.length).toBeGreaterThan(1000);
    expect(checkImports(sources)).toEqual([]);
  });

  it("the import rules name every folder of src", () => {
    expect(readdirSync(join(root, "src")).sort()).toEqual(LAYERS.flat().sort());
  });
});

describe("the import check", () => {
  it.each([
    ["src/core/a.ts", "../stats/wilson.js", "src/stats/wilson.js, core may not import stats"],
    ["src/core/math/a.ts", "node:fs", "node:fs, core may import no package but zod"],
    ["src/core/math/a.ts", "lodash", "lodash, core may import no package but zod"],
    ["src/stats/a.ts", "../config/load.js", "src/config/load.js, stats may not import config"],
    [
      "src/metrics/n/a.ts",
      "../../dataset/b.js",
      "src/dataset/b.js, metrics may not import dataset",
    ],
    ["src/simulator/n/a.ts", "../../api/b.js", "src/api/b.js, simulator may not import api"],
    [
      "src/simulator/remote/a.ts",
      "../../agents/b.js",
      "src/agents/b.js, simulator may not import agents",
    ],
    ["src/agents/a.ts", "../registry/b.js", "src/registry/b.js, agents may not import registry"],
    ["src/runs/a.ts", "../evaluator/b.js", "src/evaluator/b.js, runs may not import evaluator"],
    [
      "src/generate/a.ts",
      "../compat/index.js",
      "src/compat/index.js, generate may not import compat",
    ],
    ["src/cluster/a.ts", "../server/b.js", "src/server/b.js, cluster may not import server"],
    ["src/evaluator/a.ts", "../index.js", "src/index.js, evaluator may not import index.ts"],
    [
      "src/other/a.ts",
      "../core/b.js",
      "src/core/b.js, other has no layer in test/structure/layers.ts",
    ],
  ])("the import check reports that %s must not import %s", (path, target, problem) => {
    expect(importing(path, target)).toEqual([`${path}:1 imports ${problem}`]);
  });

  it.each([
    ["src/core/a.ts", "zod"],
    ["src/metrics/navigation/a.ts", "../../core/metric/base.js"],
    ["src/tasks/manipulation/a.ts", "../../robots/catalog.js"],
    ["src/simulator/remote/a.ts", "../../api/codec/frame.js"],
    ["src/server/a.ts", "../cluster/worker.js"],
    ["src/server/a.ts", "node:fs"],
    ["src/cli/a.ts", "../evaluator/evaluator.js"],
    ["src/index.ts", "./server/serve.js"],
    ["web/src/a.ts", "react"],
  ])("the import check allows %s to import %s", (path, target) => {
    expect(importing(path, target)).toEqual([]);
  });

  it("the import check reports exports, dynamic imports and type imports with their lines", () => {
    const text = [
      'import type { A } from "../runs/a.js";',
      'export { b } from "../runs/b.js";',
      'export * from "../runs/c.js";',
      'const d = await import("../runs/d.js");',
      'type E = import("../runs/e.js").E;',
      '// import "../runs/f.js"',
    ].join("\n");
    expect(checkImports([{ path: "src/agents/a.ts", text }])).toEqual(
      ["a", "b", "c", "d", "e"].map(
        (name, i) =>
          `src/agents/a.ts:${i + 1} imports src/runs/${name}.js, agents may not import runs`,
      ),
    );
  });

  it("the import check reports file, clock and randomness access in core, but not properties of the same name", () => {
    const text = [
      "const a = Math.random();",
      "const b = Date.now() + performance.now();",
      "const c = { process: 1, d: step.process };",
      "interface F { Date: string; fetch?: number }",
      "setTimeout(() => (a ? process : b), 5);",
    ].join("\n");
    const path = "src/core/a.ts";
    const found = checkImports([{ path, text }]);
    expect(found.sort()).toEqual(
      ["1 uses Math.random", "2 uses Date", "2 uses performance", "5 uses process"]
        .concat("5 uses setTimeout")
        .map((use) => `${path}:${use}, core may not`),
    );
    expect(checkImports([{ path: "src/stats/a.ts", text }])).toEqual([]);
  });

  it("the import check allows web to import only document types", () => {
    const from = "../../src/server/view/documents.js";
    const of = (text: string) => checkImports([{ path: "web/src/a.tsx", text }]);
    expect(of(`import type { RunDocument } from "${from}";`)).toEqual([]);
    expect(of(`import { RunDocument } from "${from}";`)).toHaveLength(1);
    expect(of('import type { X } from "../../src/server/view/library.js";')).toEqual([
      expect.stringContaining("web/src/a.tsx:1 imports src/server/view/library.js, web may import"),
    ]);
  });

  it("the import check reports import cycles of any length between folders of the simulator", () => {
    const file = (path: string, target: string) => ({
      path: `src/simulator/${path}`,
      text: `import { x } from "${target}";\n`,
    });
    const open = [
      file("scenes/a.ts", "../navmesh/b.js"),
      file("render/a.ts", "../scenes/b.js"),
      file("navmesh/a.ts", "./b.js"),
      file("index.ts", "./scenes/a.js"),
    ];
    expect(checkImports(open)).toEqual([]);
    expect(checkImports([...open, file("navmesh/c.ts", "../render/b.js")])).toEqual([
      "src/simulator/scenes/a.ts:1 imports src/simulator/navmesh/b.js, a circle: scenes -> navmesh -> render -> scenes",
      "src/simulator/render/a.ts:1 imports src/simulator/scenes/b.js, a circle: render -> scenes -> navmesh -> render",
      "src/simulator/navmesh/c.ts:1 imports src/simulator/render/b.js, a circle: navmesh -> render -> scenes -> navmesh",
    ]);
  });
});
