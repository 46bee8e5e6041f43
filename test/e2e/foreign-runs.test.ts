import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.js";
import { EXPORT_FORMATS } from "../../src/runs/export/export.js";
import { bundled, forged, partNamed } from "../support/bundle.js";
import { evaluate, makeWorld, robotEvalHere, temporaryFolder, type World } from "../support/cli.js";
import {
  ATTACKS,
  fileWithSecret,
  hostileRun,
  makeOutside,
  type Outside,
  SECRET,
  SPECIAL_FILES,
} from "../support/hostile-run.js";
import { sampled } from "../support/sampled.js";

/** Paths for a command's arguments. */
interface Given {
  readonly run: string;
  /** A run made by this account. */
  readonly own: string;
  readonly world: World;
  /** Folder for the command's output. */
  readonly out: string;
}

/**
 * Every command that takes a run, with arguments; for every other command the reason why it takes none. A new
 * command must be added here.
 */
const CALLS: Readonly<Record<string, ((given: Given) => readonly (readonly string[])[]) | string>> =
  {
    run: ({ run, world, out }) => [
      [world.yaml, "--agent", `replay:${run}`, "--out", out, "--workers", "1"],
    ],
    resume: ({ run }) => [[run, "--retry-invalid", "--workers", "1"]],
    score: ({ run, out }) => [[run, "--out", out]],
    merge: ({ run, out }) => [[run, "--out", out, "--partial"]],
    compare: ({ run, own }) => [
      [own, run],
      [run, own],
    ],
    table: ({ run, own, out }) => [
      [own, run],
      [run, "--to", "latex", "--out", join(out, "table.tex")],
    ],
    stress: "takes a benchmark, which the user names",
    duel: "takes a benchmark, which the user names",
    view: ({ run, out }) => [[run, "--export", join(out, "pages"), "--plugins"]],
    replay: ({ run }) => [[run, "--workers", "1"]],
    audit: ({ run }) => [
      [run, "--workers", "1"],
      [run, "--initial-only"],
    ],
    export: ({ run, out }) => [
      ...EXPORT_FORMATS.map(({ name }) => [
        run,
        "--to",
        name,
        "--out",
        join(out, `export-${name}`),
        "--fps",
        "1",
      ]),
      [run, "--to", "lerobot", "--images", "--out", join(out, "images")],
    ],
    report: ({ run, out }) => [
      [run, "--out", join(out, "report.html")],
      [run, "--to", "junit", "--out", join(out, "junit.xml")],
      [run, "--to", "github", "--out", join(out, "summary.md")],
    ],
    bundle: ({ run, out }) => [
      [run, "--out", join(out, "a.tgz"), "--videos"],
      [run, "--out", join(out, "b.tgz"), "--no-scenes"],
    ],
    verify: ({ run }) => [[run]],
    map: ({ run, out }) => [[run], [run, "--out", join(out, "maps")]],
    film: ({ run, out }) => [[run], [run, "--out", join(out, "films")]],
    describe: ({ run }) => [["run", run]],
    worker: "takes runs from a database, whose users are trusted",
    status: "reads a database",
    pull: "takes a run's id, and writes what a database holds",
    control: "takes a run's id, and changes a database",
    serve: "takes a challenge of the organiser's own",
    challenge: "takes a challenge of the organiser's own",
    probe: "takes an agent, which the user names",
    validate: "takes a benchmark, which the user names",
    parity: "takes a benchmark, which the user names",
    generate: "generates episodes in scenes that the user names",
    collect: "takes a benchmark, which the user names",
    convert: "takes a dataset",
    lint: "takes a dataset",
    scene: "takes a scene that the user names",
    list: "takes only the name of a registry",
    init: "creates a new folder from templates",
    completion:
      "reads only the names of run directories, and prints those that a shell takes as one word",
    python: "reads no user data",
    doctor: "reads no user data",
  };

let world: World;
let own: string;
let outside: Outside;

beforeAll(async () => {
  world = makeWorld();
  own = (await evaluate(world)).run_dir ?? "";
  outside = await makeOutside();
});
afterAll(() => outside.close());

it("the table of commands that read a run lists every command of the program", () => {
  expect(Object.keys(CALLS).sort()).toEqual(Object.keys(COMMANDS).sort());
});

/** Runs a command; it must not start a program, connect, change files outside the run or output the secret. */
async function expectHarmless(args: readonly string[], out: string): Promise<void> {
  const before = outside.state();
  const { code, stdout, stderr } = await robotEvalHere(args);
  const what = `robot-eval ${args.join(" ")}\n${stdout}${stderr}`;
  expect(existsSync(outside.marker), what).toBe(false);
  expect(outside.connections(), what).toBe(0);
  expect(outside.state(), what).toBe(before);
  expect(stdout + stderr, what).not.toContain(SECRET);
  expect(fileWithSecret(out), what).toBeUndefined();
  expect([0, 2, 3, 4], what).toContain(code);
}

// Windows has no pipes, sockets or devices in folders.
const special = process.platform === "win32" ? [] : Object.keys(SPECIAL_FILES);

const attacked = [...Object.keys(ATTACKS), ...special].flatMap((attack) =>
  Object.entries(CALLS).flatMap(([name, calls]) =>
    typeof calls === "string" ? [] : [{ attack, name, calls }],
  ),
);

it.each(sampled(attacked, 180))(
  "a run with $attack makes $name start, connect, write and reveal nothing",
  async ({ attack, name, calls }) => {
    const out = temporaryFolder();
    const run = hostileRun(own, attack, outside);
    for (const args of sampled(calls({ run, own, world, out }), 1)) {
      await expectHarmless([name, ...args], out);
    }
  },
);

describe.each(["a simulator's program", "a simulator's address", "a plugin", "folders elsewhere"])(
  "a bundle with %s",
  (attack) => {
    it.each([[[]], [["--benchmark"]]])(
      "a bundle with an attack makes verify %s start, connect, write and reveal nothing",
      async (flags) => {
        const run = hostileRun(own, attack, outside);
        const { file } = await bundled(own);
        const lies = await forged(file, (parts, manifest) => {
          manifest.plugins = [];
          for (const name of ["run.json", "benchmark.yaml"]) {
            partNamed(parts, `run/${name}`).bytes = readFileSync(join(run, name));
          }
        });
        const out = temporaryFolder();
        await expectHarmless(
          ["verify", lies, "--workers", "1", ...flags.flatMap((flag) => [flag, world.yaml])],
          out,
        );
      },
    );
  },
);

describe("a run made on this machine", () => {
  it("a run made on this machine needs no permission flags until its configuration is changed", async () => {
    for (const [name, ...rest] of [["replay"], ["audit"], ["score", "--out", temporaryFolder()]]) {
      expect((await robotEvalHere([name ?? "", own, ...rest])).code, name).toBe(0);
    }
    const edited = hostileRun(own, "a policy's address", outside);
    const refused = await robotEvalHere(["audit", edited]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("--benchmark");
    expect(refused.stderr).toContain(`--agent ws://127.0.0.1:${outside.port}`);
    const allowed = ["--benchmark", world.yaml, "--agent", "shortest-path"];
    expect(await robotEvalHere(["audit", edited, ...allowed])).toMatchObject({ code: 0 });
  });

  it("a run is treated as foreign by an account with another key", async () => {
    vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
    try {
      const refused = await robotEvalHere(["audit", own]);
      expect(refused.stderr).toContain("the run was not made by this account");
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

it("a simulator program is started only when the user names it", async () => {
  const run = hostileRun(own, "a simulator's program", outside);
  const refused = await robotEvalHere(["replay", run, "--workers", "1"]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("--simulator '[");
  const named = join(temporaryFolder(), "named");
  const program = JSON.stringify([
    ...[process.execPath, "-e", `require("node:fs").writeFileSync(${JSON.stringify(named)}, "")`],
  ]);
  await robotEvalHere(["replay", run, "--workers", "1", "--simulator", program]);
  expect(existsSync(named)).toBe(true);
  expect(existsSync(outside.marker)).toBe(false);
});
