import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "./package-root.js";
import { resolvePath } from "./paths.js";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "robot-eval-paths-")));
  for (const folder of ["p/a/b/c/d", "p/data", "elsewhere/data"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  for (const file of ["p/data/x", "elsewhere/data/y", "p/data/y", "p/a/b/z", "p/z"]) {
    writeFileSync(join(root, file), "");
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const at = (folder: string, path: string) =>
  resolvePath({ baseDir: join(root, folder) }, path, join(root, "elsewhere")).slice(
    root.length + 1,
  );

describe("path in a benchmark", () => {
  it("a path is relative to the working directory if it exists there", () => {
    expect(at("p/a/b", "data/y")).toBe("elsewhere/data/y");
  });

  it("a path is otherwise relative to the file folder, or to the nearest parent that has it", () => {
    expect(at("p/a/b", "data/x")).toBe("p/data/x");
    expect(at("p/a/b/c", "z")).toBe("p/a/b/z");
    expect(at("p", "z")).toBe("p/z");
  });

  it("a path is searched at most three folders up", () => {
    expect(at("p/a/b/c", "data/x")).toBe("p/data/x");
    expect(at("p/a/b/c/d", "data/x")).toBe("elsewhere/data/x");
  });

  it("a path that exists nowhere is the one in the working directory", () => {
    expect(at("p/a/b", "data/none")).toBe("elsewhere/data/none");
  });

  it("a path below data/ falls back to the shipped file, except for the folder data itself", () => {
    const shipped = "data/navmesh/vln/val.json.gz";
    expect(resolvePath({ baseDir: root }, shipped, root)).toBe(join(PACKAGE_ROOT, shipped));
    expect(resolvePath({ baseDir: root }, "data", root)).toBe(join(root, "data"));
  });

  it("a shipped benchmark uses the shipped file, in any working directory", () => {
    const shipped = "data/navmesh/vln/val.json.gz";
    const baseDir = join(PACKAGE_ROOT, "configs/benchmarks");
    mkdirSync(join(root, "own/data/navmesh/vln"), { recursive: true });
    writeFileSync(join(root, "own", shipped), "");
    expect(resolvePath({ baseDir }, shipped, join(root, "own"))).toBe(join(PACKAGE_ROOT, shipped));
    expect(resolvePath({ baseDir: root }, shipped, join(root, "own"))).toBe(
      join(root, "own", shipped),
    );
  });

  it("an absolute path is unchanged", () => {
    expect(resolvePath({ baseDir: root }, join(root, "none"))).toBe(join(root, "none"));
  });
});
