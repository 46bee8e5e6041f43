import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../../config/load.js";
import type { ColorImage } from "../../../core/interfaces/observation.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { BaseSimulator, SimulatorFactory } from "../../../core/interfaces/simulator.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import { createRegistries } from "../../../registry/registries.js";
import { TaskSession } from "../../execute/task-session.js";
import { prepareRun, type TaskPlan } from "../../plan/prepare.js";
import { firstRun } from "../../plan/queue.js";
import { filmConfig } from "./cameras.js";
import { Encoders } from "./choose-encoder.js";
import type { Film, Filming } from "./film.js";
import { Filmmaker, type Rollout } from "./filmmaker.js";

const SMOKE = fileURLToPath(
  new URL("../../../../configs/benchmarks/unified_smoke.yaml", import.meta.url),
);
const GRAPH = SMOKE.replace("unified_smoke", "vln_graph");
const folder = mkdtempSync(join(tmpdir(), "robot-eval-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noFfmpeg = new Encoders("/nowhere/ffmpeg");

interface Wish {
  readonly file?: string;
  readonly task: string;
  readonly agent: string;
  readonly set?: readonly string[];
  readonly simulator?: SimulatorFactory;
}

/** An episode that was run, and its task. */
async function rollout({ file = SMOKE, task, agent, set = [], simulator }: Wish) {
  const loaded = loadConfig(file, { set });
  const options = { agent, limit: 1, filter: `task=${task}` };
  const { tasks, registries } = await prepareRun(loaded, {
    registries: createRegistries(),
    ...options,
  });
  const [found] = tasks;
  const episode = found?.episodes[0];
  if (!found || !episode) throw new Error(`no episodes of ${task}`);
  const plan: TaskPlan = simulator ? { ...found, simulator, simulatorName: "own" } : found;
  const session = await TaskSession.open(plan, {
    registries,
    siblings: 1,
    episodesOf: () => Promise.resolve([episode]),
  });
  const records: StepRecord[] = [];
  const line = await session.run(firstRun(task, episode), {
    seed: 1,
    onRecord: (record) => records.push(record),
    now: () => 0,
  });
  await session.close();
  return { plan, rollout: { episode, line, records } };
}

function filmIn(filming: Filming): Film {
  if ("problem" in filming) throw new Error(filming.problem);
  return filming;
}

async function film(wish: Wish): Promise<Film & { readonly line: EpisodeLine }> {
  const { plan, rollout: made } = await rollout(wish);
  return { ...filmIn(await new Filmmaker(plan, noFfmpeg).film(made)), line: made.line };
}

async function page(bytes: Uint8Array, number: number): Promise<Buffer> {
  return sharp(bytes, { page: number }).removeAlpha().raw().toBuffer();
}

/** Share of pixels between two columns that differ by more than what compression does. */
function difference(a: Buffer, b: Buffer, width: number, [left, right]: [number, number]): number {
  let [differing, all] = [0, 0];
  for (let i = 0; i < a.length; i += 3) {
    const x = (i / 3) % width;
    if (x < left || x >= right) continue;
    all++;
    if (Math.abs((a[i] ?? 0) - (b[i] ?? 0)) > 24) differing++;
  }
  return differing / all;
}

describe("the film of a navigation episode", () => {
  it("the film of a navigation episode shows the camera image and a map", async () => {
    const set = ["evaluation.max_steps=20"];
    const { bytes, extension, line } = await film({ task: "vln", agent: "shortest-path", set });
    expect(extension).toBe("webp");
    const { width = 0, pages = 0, height = 0, delay } = await sharp(bytes).metadata();
    expect(pages).toBe(line.steps + 1);
    expect(delay?.at(-1)).toBe(2000);
    expect(width).toBeGreaterThan(500);
    expect(height).toBeGreaterThan(240);
    const [first, last] = [await page(bytes, 0), await page(bytes, pages - 1)];
    expect(difference(first, last, width, [0, 320])).toBeGreaterThan(0.2);
    const moved = difference(first, last, width, [322, width]);
    expect(moved).toBeGreaterThan(0.001);
    expect(moved).toBeLessThan(0.2);
  });

  it("the film of a navigation episode uses the camera of the benchmark at the size of the film", async () => {
    const set = [
      "simulator.sensors={eye: {type: rgb, width: 960, height: 480, hfov: 60}, gps: {}}",
    ];
    const { plan } = await rollout({ task: "vln", agent: "forward", set });
    expect(filmConfig(plan).sensors).toEqual({
      eye: { type: "rgb", width: 480, height: 240, hfov: 60 },
    });
    const blind = await rollout({
      ...{ task: "vln", agent: "forward", set: ["simulator.sensors={gps: {}}"] },
    });
    expect(filmConfig(blind.plan).sensors).toMatchObject({ rgb: { width: 320, height: 240 } });
  });

  it("the film of a navigation episode shows only the map on a graph", async () => {
    const { bytes, line } = await film({ file: GRAPH, task: "vln", agent: "shortest-path" });
    const { pages = 0, width = 0, delay } = await sharp(bytes).metadata();
    expect(pages).toBe(line.steps + 1);
    expect(delay?.[0]).toBe(500);
    const [first, last] = [await page(bytes, 0), await page(bytes, pages - 1)];
    expect(difference(first, last, width, [0, width])).toBeGreaterThan(0.005);
  });
});

describe("the film of a manipulation episode", () => {
  it("the film of a manipulation episode shows both cameras in real time", async () => {
    const set = ["evaluation.max_steps=40"];
    const { bytes, line } = await film({ task: "pick_place", agent: "random", set });
    expect(line.steps).toBe(40);
    const { pages = 0, width = 0, height = 0, delay } = await sharp(bytes).metadata();
    expect([pages, delay?.[0], width]).toEqual([21, 100, 642]);
    expect(height % 2).toBe(0);
    const [first, last] = [await page(bytes, 0), await page(bytes, pages - 1)];
    expect(difference(first, last, width, [0, 320])).toBeGreaterThan(0.05);
    expect(difference(first, last, width, [322, 642])).toBeGreaterThan(0.05);
  });
});

/** A world without positions, with the given camera. */
function world(look: () => unknown): SimulatorFactory {
  return {
    description: "",
    families: ["navigation"],
    sensors: [],
    create({ task }): BaseSimulator {
      let steps = 0;
      const frame = () => ({
        observation: {
          get view() {
            return look();
          },
        },
        state: { distance_to_goal: 1, steps },
      });
      return {
        actionSpace: task.actionSpace,
        reset: frame,
        step: () => {
          steps++;
          return frame();
        },
        close: () => {},
      };
    },
  };
}

const GREY: ColorImage = {
  kind: "rgb",
  width: 80,
  height: 60,
  data: new Uint8Array(14400).fill(90),
};

async function filming(simulator: SimulatorFactory, encoders = noFfmpeg, other?: Partial<Rollout>) {
  const set = ["evaluation.max_steps=6"];
  const made = await rollout({ task: "objectnav", agent: "random", simulator, set });
  const filmmaker = new Filmmaker(made.plan, encoders);
  return { filmmaker, shoot: () => filmmaker.film({ ...made.rollout, ...other }) };
}

describe("a plugin's simulator", () => {
  it("a film shows the colour images of a plugin simulator, enlarged if small", async () => {
    const { shoot } = await filming(world(() => GREY));
    const { width, height } = await sharp(filmIn(await shoot()).bytes).metadata();
    expect(width).toBe(320);
    expect(height).toBeGreaterThanOrEqual(240);
  });

  it("a simulator without images is reported once as one that cannot be filmed", async () => {
    let made = 0;
    const blind = world(() => "nothing");
    const counted: SimulatorFactory = {
      ...blind,
      create: (options) => {
        made++;
        return blind.create(options);
      },
    };
    const { shoot } = await filming(counted);
    const expected = {
      problem: expect.stringContaining("objectnav: no films are made, the own simulator gives no"),
      isLasting: true,
    };
    expect(await shoot()).toEqual(expected);
    expect(await shoot()).toEqual(expected);
    expect(made).toBe(2);
  });

  it("an episode keeps its result if its simulator fails while filming", async () => {
    const { shoot } = await filming(
      world(() => {
        throw new Error("the lens is broken");
      }),
    );
    expect(await shoot()).toEqual({
      problem: expect.stringContaining("the lens is broken"),
      isLasting: false,
    });
  });

  it("no film is made if the simulator replays differently", async () => {
    const records = [
      { step: 0, action: null, state: {} },
      { step: 1, action: "turn_left", state: { steps: 7 } },
    ];
    const { shoot } = await filming(
      world(() => GREY),
      noFfmpeg,
      { records },
    );
    expect(await shoot()).toMatchObject({
      problem: expect.stringContaining("differs from the recorded one"),
    });
  });
});

describe("an ffmpeg that fails", () => {
  it.skipIf(process.platform === "win32")(
    "an ffmpeg that fails is replaced by WebP for later films",
    async () => {
      const program = join(folder, "ffmpeg");
      const log = join(folder, "calls");
      writeFileSync(
        program,
        `#!/bin/sh\necho call >> ${log}\ncase "$*" in *-encoders*) echo libx264;; *) exit 3;; esac\n`,
      );
      chmodSync(program, 0o755);
      const { shoot } = await filming(
        world(() => GREY),
        new Encoders(program),
      );
      const first = filmIn(await shoot());
      expect(first.extension).toBe("webp");
      expect(first.note).toMatch(/ffmpeg made no film: .*; films are animated WebP instead/);
      expect(filmIn(await shoot()).extension).toBe("webp");
    },
  );
});
