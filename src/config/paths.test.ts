import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

describe("a path in a benchmark", () => {
  it("is relative to the working directory when it exists there", () => {
    expect(at("p/a/b", "data/y")).toBe("elsewhere/data/y");
  });

  it("is else relative to the file's folder, or the nearest folder above that has it", () => {
    expect(at("p/a/b", "data/x")).toBe("p/data/x");
    expect(at("p/a/b/c", "z")).toBe("p/a/b/z");
    expect(at("p", "z")).toBe("p/z");
  });

  it("is looked for three folders up and no further", () => {
    expect(at("p/a/b/c", "data/x")).toBe("p/data/x");
    expect(at("p/a/b/c/d", "data/x")).toBe("elsewhere/data/x");
  });

  it("that exists nowhere is the one in the working directory", () => {
    expect(at("p/a/b", "data/none")).toBe("elsewhere/data/none");
  });

  it("that is absolute is left alone", () => {
    expect(resolvePath({ baseDir: root }, join(root, "none"))).toBe(join(root, "none"));
  });
});
