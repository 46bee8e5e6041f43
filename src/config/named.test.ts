import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/cli.js";
import { ConfigError } from "../core/errors.js";
import { loadConfig } from "./load.js";
import { benchmarkNames, findBenchmark } from "./named.js";
import { PACKAGE_ROOT } from "./package-root.js";

const shipped = (name: string) => join(PACKAGE_ROOT, "configs/benchmarks", `${name}.yaml`);

describe("benchmark name", () => {
  it("every benchmark name is the name of a file in configs/benchmarks", () => {
    const files = readdirSync(join(PACKAGE_ROOT, "configs/benchmarks"));
    expect(benchmarkNames().map((name) => `${name}.yaml`)).toEqual(
      files.filter((file) => file.endsWith(".yaml")).sort(),
    );
  });

  it("a benchmark name finds the shipped file", () => {
    expect(findBenchmark("vln_challenge")).toEqual({ file: shipped("vln_challenge") });
    expect(loadConfig("vln_challenge").config.benchmark.name).toBe("VLN Challenge");
  });

  it("a benchmark name takes precedence over a file or folder of the same name, and a note reports it", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "vln_challenge"));
    const found = findBenchmark("vln_challenge", join(folder, "vln_challenge"));
    expect(found.file).toBe(shipped("vln_challenge"));
    expect(found.note).toContain("write ./vln_challenge");
  });

  it("an unknown name is reported with the nearest name and all others", () => {
    expect(() => findBenchmark("vln_chalenge")).toThrow(
      expect.objectContaining({
        code: "unknown_benchmark",
        exitCode: 2,
        message: 'unknown benchmark "vln_chalenge"',
        hint: expect.stringMatching(/^did you mean "vln_challenge"\? valid: .*unified_smoke/),
      }),
    );
    expect(() => loadConfig("nothing_like_it")).toThrow(ConfigError);
  });
});

describe("benchmark path", () => {
  it("loadConfig uses a benchmark path unchanged, with or without an extension", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine"), "");
    expect(findBenchmark("mine", join(folder, "mine")).file).toBe(join(folder, "mine"));
    for (const path of ["./vln_challenge", "vln_challenge.yaml", "a/vln_challenge"]) {
      expect(findBenchmark(path)).toEqual({ file: path });
    }
  });

  it("a path that does not exist gets the shipped benchmark of that name as a suggestion", () => {
    expect(() => loadConfig("configs/benchmark/vln_challenge.yaml")).toThrow(
      expect.objectContaining({
        code: "config_not_found",
        hint: "a benchmark of this name comes with robot-eval: write vln_challenge",
      }),
    );
  });
});
