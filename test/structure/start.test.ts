import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const main = join(dist, "cli", "main.js");

/** The static imports of a built file. */
function importsOf(file: string): string[] {
  const imports = readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\b(?:[^"'();]*\bfrom)? ?"([^"]+)";$/gm,
  );
  return [...imports].map(([, name = ""]) => name);
}

/** A built file and all project files that it imports statically. */
function filesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const own = importsOf(file).filter((name) => name.startsWith("."));
  return [file, ...own.flatMap((name) => filesOf(join(dirname(file), name), seen))];
}

/** The packages that these files import. */
function packagesOf(file: string): string[] {
  const names = filesOf(file).flatMap(importsOf);
  const packages = names.filter((name) => !name.startsWith(".") && !name.startsWith("node:"));
  return [...new Set(packages)].toSorted();
}

/** The file that `importer` imports dynamically: a command or its implementation. */
function fileOf(name: string, importer = main): string {
  const pattern = new RegExp(`import\\("([^"]*/${name}-[A-Z0-9]+\\.js)"\\)`);
  for (const file of filesOf(importer)) {
    const [, path] = pattern.exec(readFileSync(file, "utf8")) ?? [];
    if (path !== undefined) return join(dirname(file), path);
  }
  throw new Error(`${importer} does not import ${name}`);
}

describe("the start of a command", () => {
  it("the start of a command loads no package for --version and --help", () => {
    expect(packagesOf(main)).toEqual([]);
  });

  it.each(["list", "describe", "validate", "run"])(
    "the start of a command loads no package for %s",
    (command) => {
      expect(packagesOf(fileOf(command))).toEqual([]);
    },
  );

  it("the start of a command loads no simulator, codec, socket or database to run a benchmark", () => {
    expect(packagesOf(fileOf("run-benchmark", fileOf("run")))).toEqual([]);
  });

  it("the start of a command loads Recast and no other package to generate the first apartment", () => {
    const worker = join(dist, "evaluator", "execute", "worker-main.js");
    const recast = ["recast-navigation", "recast-navigation/generators"];
    expect(packagesOf(worker)).toEqual([]);
    expect(packagesOf(fileOf("navmesh-simulator", worker))).toEqual(recast);
  });

  it("the start of a command starts a worker thread of run before the modules of a run are loaded", () => {
    const text = (file: string) => readFileSync(file, "utf8");
    const loaded = filesOf(fileOf("run"));
    expect(loaded.some((file) => text(file).includes("EarlyThread = class"))).toBe(true);
    expect(loaded.filter((file) => text(file).includes("UnifiedRobotEvaluator"))).toEqual([]);
  });
});
