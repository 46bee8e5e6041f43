import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../test/support/tiny-world.js";
import { ConfigError } from "../core/errors.js";
import { loadPlugin } from "./plugins.js";
import { createRegistries } from "./registries.js";

/** A plugin that registers an agent without importing the package. */
const AGENT = `export default (registries) => {
  registries.agents.register("idle", { description: "waits", create: () => ({}) });
};`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const dir = tempDir();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

async function load(name: string, baseDir: string) {
  const registries = createRegistries();
  await loadPlugin(name, registries, baseDir, "benchmark.yaml:9:5");
  return registries;
}

async function refusal(name: string, baseDir: string): Promise<ConfigError> {
  try {
    await load(name, baseDir);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("the plugin was loaded");
}

describe("plugin", () => {
  it("a plugin next to the benchmark is found and adds to the given registries", async () => {
    const dir = folderWith({ "plugins/idle.mjs": AGENT });
    expect((await load("./plugins/idle.mjs", dir)).agents.has("idle")).toBe(true);
    expect((await load(join(dir, "plugins/idle.mjs"), "/")).agents.has("idle")).toBe(true);
    expect(createRegistries().agents.has("idle")).toBe(false);
  });

  it("an asynchronous plugin is awaited", async () => {
    const slow = AGENT.replace("(registries) => {", "async (registries) => { await null;");
    expect((await load("./p.mjs", folderWith({ "p.mjs": slow }))).agents.has("idle")).toBe(true);
  });

  it.each([
    ["main", { name: "robot-eval-idle", type: "module", main: "index.js" }],
    ["exports", { name: "robot-eval-idle", type: "module", exports: "./index.js" }],
    [
      "exports for import alone",
      { name: "robot-eval-idle", type: "module", exports: { import: "./index.js" } },
    ],
  ])("a package installed next to the benchmark is found by its %s", async (_how, manifest) => {
    const dir = folderWith({
      "node_modules/robot-eval-idle/package.json": JSON.stringify(manifest),
      "node_modules/robot-eval-idle/index.js": AGENT,
    });
    expect((await load("robot-eval-idle", dir)).agents.has("idle")).toBe(true);
  });
});

/** A robot descriptor that does not import the package. */
const ROBOT = `export default {
  robotType: "lever",
  description: "one joint",
  joints: [{ name: "lever", unit: "rad", limits: [-1, 1] }],
  dofs: [{ name: "lever", joints: ["lever"], limits: [-1, 1] }],
  gripperDof: 0,
};`;

describe("robot plugin", () => {
  it("a robot plugin registers a robot whose module exports its descriptor", async () => {
    const { robots, tasks } = await load("./lever.mjs", folderWith({ "lever.mjs": ROBOT }));
    expect(robots.get("lever").description).toBe("one joint");
    const task = tasks.get("pick_place", { robot_type: "lever" });
    expect(task.actionSpace.shape).toEqual([1]);
    expect(task.actionSpace.limits(0)).toEqual([-1, 1]);
  });

  it("the descriptor of a plugin robot is checked before any episode", async () => {
    const wrong = ROBOT.replace("[-1, 1]", "[1, -1]");
    const error = await refusal("./lever.mjs", folderWith({ "lever.mjs": wrong }));
    expect(error).toMatchObject({ code: "bad_robot", where: "benchmark.yaml:9:5" });
    expect(error.message).toContain("joints.0.limits: expected [low, high] with low < high");
  });

  it("a plugin robot whose name is already registered is rejected", async () => {
    const error = await refusal(
      "./p.mjs",
      folderWith({ "p.mjs": ROBOT.replace("lever", "panda") }),
    );
    expect(error.message).toContain('the robot "panda" is already registered');
  });
});

describe("invalid plugin", () => {
  it("a missing plugin is reported with its path and the line of the benchmark", async () => {
    const dir = tempDir();
    const error = await refusal("./none.mjs", dir);
    expect(error.code).toBe("missing_plugin");
    expect(error.where).toBe("benchmark.yaml:9:5");
    expect(error.message).toContain(join(dir, "none.mjs"));
  });

  it("a package that is not installed is reported with the command to install it", async () => {
    const error = await refusal("robot-eval-nothing", tempDir());
    expect(error.code).toBe("missing_plugin");
    expect(error.hint).toBe(
      "run npm install robot-eval-nothing, or write a file: ./robot-eval-nothing.js",
    );
  });

  it("an error shows how to write the path of a plugin file that looks like a package name", async () => {
    const error = await refusal("mine/plugin.mjs", folderWith({ "p.mjs": "" }));
    expect(error.hint).toBe("for a file, write ./mine/plugin.mjs");
  });

  it("the error of a plugin that does not load is reported", async () => {
    const error = await refusal(
      "./p.mjs",
      folderWith({ "p.mjs": 'throw new Error("no licence")' }),
    );
    expect(error).toMatchObject({ code: "bad_plugin", where: "benchmark.yaml:9:5" });
    expect(error.message).toContain("no licence");
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("a plugin that exports nothing to call is reported with the expected form", async () => {
    const error = await refusal("./p.mjs", folderWith({ "p.mjs": "export const a = 1;" }));
    expect(error.code).toBe("bad_plugin");
    expect(error.hint).toContain("export default (registries) =>");
  });

  it("a plugin that fails when called is reported with the line of the benchmark", async () => {
    const text = 'export default () => { throw new Error("no GPU"); };';
    const error = await refusal("./p.mjs", folderWith({ "p.mjs": text }));
    expect(error).toMatchObject({ code: "bad_plugin", where: "benchmark.yaml:9:5" });
    expect(error.message).toContain("./p.mjs");
    expect(error.message).toContain("no GPU");
  });

  it("a plugin that registers a name twice is reported with the line of the benchmark", async () => {
    const error = await refusal(
      "./p.mjs",
      folderWith({ "p.mjs": AGENT.replace("idle", "random") }),
    );
    expect(error.where).toBe("benchmark.yaml:9:5");
    expect(error.message).toContain('the agent "random" is already registered');
  });
});
