import { readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { evaluate, makeWorld, type World } from "../../../test/support/cli.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { RunDirectory } from "../directory/run-directory.js";
import { withConfigMac } from "../directory/run-key.js";
import { type ActingPart, type RunPermissions, recordedBenchmark } from "./recorded-benchmark.js";

const EVERYTHING = ["plugins", "simulator", "scenes", "graphs", "dataset", "agent"] as const;

let world: World;
let run: RunDirectory;
let info: RunInfo;

beforeAll(async () => {
  world = makeWorld();
  run = await RunDirectory.open((await evaluate(world)).run_dir ?? "");
  info = await run.info();
});

/** A run whose configuration contains everything that could run code or open connections. */
function acting(): RunInfo {
  const { config_mac: _, ...rest } = info;
  return {
    ...rest,
    agent: "ws://policy:1",
    config: {
      ...info.config,
      plugins: ["/p.mjs"],
      simulator: {
        ...{
          backend: "remote",
          command: ["sim", "a b"],
          env: { A: "1" },
          cwd: "/c",
          log_dir: "/l",
        },
        ...{ scenes: "/s", connectivity: "/g" },
      },
      dataset: { vln: { type: "vln", data_path: "/d", gt_path: "/t", scenes: "/v" } },
      cluster: { trajectories_dir: "/shared" },
    },
  };
}

const allowed = (of: RunInfo, uses: readonly ActingPart[], given?: RunPermissions) =>
  recordedBenchmark(run, of, uses, given);

describe("the sensors of a recorded configuration", () => {
  const simulator = { backend: "abstract", sensors: { rgb: { width: 64 } } };
  const recorded = (sensors?: RunInfo["sensors"]): RunInfo => {
    const { sensors: _, ...rest } = info;
    return { ...rest, config: { ...info.config, simulator }, ...(sensors ? { sensors } : {}) };
  };

  it("the sensors of a recorded configuration are exactly the named ones in a run that does not record what its policy received", () => {
    const loaded = allowed(recorded(), []);
    expect(loaded.config.simulator.sensors).toEqual({ rgb: { width: 64 }, "*": false });
    expect(loaded.recorded).toBe("early");
  });

  it("the sensors of a recorded configuration are as in the benchmark in a run that records what its policy received", () => {
    const sensors = { vln: ["rgb", "gps"] };
    const loaded = allowed(recorded(sensors), []);
    expect(loaded.config.simulator).toEqual(simulator);
    expect(loaded.recorded).toBe("current");
  });
});

describe("the configuration of a run from elsewhere", () => {
  it("a foreign configuration is stripped of everything that runs code or opens connections", () => {
    const { config, within } = allowed(acting(), []);
    expect(config.plugins).toEqual([]);
    expect(config.agent).toBeUndefined();
    expect(config.simulator).toEqual({ backend: "remote" });
    expect(config.cluster?.trajectories_dir).toBeUndefined();
    expect(config.dataset.vln).toEqual({
      type: "vln",
      data_path: join(run.path, "run.json", "dataset"),
      scenes: run.path,
    });
    expect(within).toBe(run.path);
  });

  it("a foreign configuration resolves packages from the working directory, not from the folder of the recorded benchmark", () => {
    expect(allowed(acting(), []).baseDir).toBe(process.cwd());
  });

  it("relative paths that the reader names are taken from the working directory", () => {
    const { config } = allowed(acting(), ["plugins", "scenes", "graphs"], {
      ...{ plugins: ["./mine.mjs", "package"], scenes: "mine/scenes", connectivity: "mine/graphs" },
    });
    expect(config.plugins).toEqual([resolve("mine.mjs"), "package"]);
    expect(config.dataset.vln).toMatchObject({
      ...{ scenes: resolve("mine/scenes"), connectivity: resolve("mine/graphs") },
    });
  });

  it("a foreign configuration may act through the agent that the benchmark of the reader names", () => {
    const yaml = world.write(
      "agent.yaml",
      `${readFileSync(world.yaml, "utf8")}agent: ws://mine:1\n`,
    );
    const act = (agent: string) => {
      const { config_mac: _, ...foreign } = { ...info, agent };
      return allowed(foreign, ["agent"], { benchmark: yaml }).config.agent;
    };
    expect(act("ws://mine:1")).toBe("ws://mine:1");
    expect(() => act("ws://other:1")).toThrow("act through the agent");
  });

  it("a foreign configuration is rejected with a hint that lists every flag that would allow it", () => {
    let error: unknown;
    try {
      allowed(acting(), EVERYTHING);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "foreign_run", exitCode: 2 });
    const { message, hint } = error as { message: string; hint: string };
    for (const text of ["start the program sim a b", "the plugin /p.mjs", "read /d", "read /g"]) {
      expect(message).toContain(text);
    }
    expect(hint).toContain(`--simulator '["sim","a b"]'`);
    expect(hint).toContain("--plugin /p.mjs");
    expect(hint).toContain("--agent ws://policy:1");
    expect(hint).toContain("--connectivity /g");
    expect(hint).toContain("--benchmark");
  });

  it("a foreign configuration uses the values that the user gives, and no other part of its simulator", () => {
    const { config } = allowed(acting(), ["plugins", "simulator", "scenes", "graphs", "agent"], {
      ...{ plugins: ["/mine.mjs"], simulator: "ws://mine:1", agent: "random" },
      ...{ scenes: "/mine/scenes", connectivity: "/mine/graphs" },
    });
    expect(config).toMatchObject({ plugins: ["/mine.mjs"], agent: "random" });
    expect(config.simulator).toEqual({ backend: "remote", url: "ws://mine:1" });
    expect(config.dataset.vln).toMatchObject({
      ...{ scenes: "/mine/scenes", connectivity: "/mine/graphs" },
    });
  });

  it("a foreign configuration uses the folders, plugins and simulator of a benchmark that the user gives", () => {
    const { config_mac: _, ...foreign } = info;
    const { config, within } = allowed(foreign, EVERYTHING, { benchmark: world.yaml });
    expect(config.dataset.vln?.data_path).toBe(join(world.root, "episodes/vln.json"));
    expect(within).toBe(run.path);
    // The benchmark names no simulator program, so the run's program needs explicit permission.
    expect(() => allowed(acting(), ["simulator"], { benchmark: world.yaml })).toThrow("start the");
  });

  it.each([
    "replay:/run",
    "replay:1",
    "ws:1",
    "noisy:0.2:replay:/run",
    "listen://0.0.0.0:1",
    "openpi+ws://h:1",
    "vln=random,other=ws://h:1",
    "unknown",
    "",
  ])("a foreign configuration does not start the agent %s", (agent) => {
    const { config_mac: _, ...foreign } = { ...info, agent };
    expect(() => allowed(foreign, ["agent"])).toThrow("act through the agent");
  });

  it.each(["random", "noisy:0.2:forward", "vln=shortest-path,pick_place=expert"])(
    "a foreign configuration may use the agent %s, which opens no connections or files",
    (agent) => {
      const { config_mac: _, ...foreign } = { ...info, agent };
      expect(allowed(foreign, ["agent"]).config.agent).toBe(agent);
    },
  );
});

describe("the configuration of a run made on this machine", () => {
  it("a configuration made on this machine is used as it was recorded", () => {
    const own = withConfigMac(acting());
    const { config, within, baseDir } = allowed(own, EVERYTHING);
    expect(config.plugins).toEqual(["/p.mjs"]);
    expect(config.agent).toBe("ws://policy:1");
    expect(config.simulator).toMatchObject({ command: ["sim", "a b"], env: { A: "1" }, cwd: "/c" });
    expect(config.dataset.vln).toMatchObject({ data_path: "/d", gt_path: "/t", scenes: "/v" });
    expect(within).toBeUndefined();
    // Not the run's folder, which may contain packages from elsewhere.
    expect(baseDir).toBe(world.root);
  });

  it.each<[string, (own: RunInfo) => RunInfo]>([
    ["its agent", (own) => ({ ...own, agent: "ws://other:1" })],
    ["its settings", (own) => ({ ...own, config: { ...own.config, plugins: ["/q.mjs"] } })],
    ["its benchmark's path", (own) => ({ ...own, benchmark: { ...own.benchmark, file: "/x/y" } })],
    ["its mark", (own) => ({ ...own, config_mac: "0".repeat(64) })],
    ["the length of its mark", (own) => ({ ...own, config_mac: "0" })],
  ])("a configuration counts as foreign after %s was changed", (_, change) => {
    expect(() => allowed(change(withConfigMac(acting())), EVERYTHING)).toThrow(
      "was not made by this account",
    );
  });

  it("a configuration in a bundle counts as foreign", () => {
    const own = withConfigMac(acting());
    const bundle = { folder: run.path, places: { vln: { scenes: "in/it" } } };
    expect(() => allowed(own, EVERYTHING, { bundle })).toThrow("was not made by this account");
    const { config, within } = allowed(own, ["scenes", "graphs"], { bundle });
    expect(config.dataset.vln).toMatchObject({ scenes: join(run.path, "in/it") });
    expect(config.dataset.vln).not.toHaveProperty("connectivity");
    expect(config.simulator).not.toHaveProperty("scenes");
    expect(within).toBe(run.path);
  });

  describe("in a bundle", () => {
    const places = { vln: { scenes: "scenes", connectivity: "graphs" } };
    const inBundle = (
      given: RunPermissions,
      own: NonNullable<RunPermissions["bundle"]>["places"] = places,
    ) =>
      allowed(withConfigMac(acting()), ["scenes", "graphs"], {
        bundle: { folder: world.root, places: own },
        ...given,
      });

    it("a configuration in a bundle reads files in the folder of the bundle only", () => {
      const { config, within } = inBundle({});
      expect(within).toBe(realpathSync(world.root));
      expect(config.dataset.vln).toMatchObject({
        ...{ scenes: join(world.root, "scenes"), connectivity: join(world.root, "graphs") },
      });
    });

    it("a configuration in a bundle replaces the folders of the bundle by those that the reader names", () => {
      const { config } = inBundle({ scenes: "/mine/scenes", connectivity: "/mine/graphs" });
      expect(config.dataset.vln).toMatchObject({
        ...{ scenes: "/mine/scenes", connectivity: "/mine/graphs" },
      });
    });

    it("a configuration in a bundle uses no folder of the reader for a task without files in the bundle", () => {
      const { config } = inBundle({ scenes: "/mine/scenes", connectivity: "/mine/graphs" }, {});
      expect(config.dataset.vln).toMatchObject({ scenes: world.root });
      expect(config.dataset.vln).not.toHaveProperty("connectivity");
    });

    it("a configuration in a bundle ignores the folders of the simulator in the benchmark of the reader", () => {
      const text = `${readFileSync(world.yaml, "utf8")}simulator: { scenes: /mine }\n`;
      const { config } = inBundle({ benchmark: world.write("scenes.yaml", text) });
      expect(config.simulator).not.toHaveProperty("scenes");
    });
  });

  it("a recorded configuration keeps the path of the dataset for a command that reads graphs, which may be beside the episodes", () => {
    const { config } = allowed(withConfigMac(acting()), ["graphs"]);
    expect(config.dataset.vln?.data_path).toBe("/d");
  });

  it("a run keeps its mark when a database reorders its keys", () => {
    const own = withConfigMac(acting());
    const turned = Object.fromEntries(Object.entries(own.config).reverse());
    expect(() => allowed({ ...own, config: turned }, EVERYTHING)).not.toThrow();
  });
});
