import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { EpisodeLine } from "../../src/core/interfaces/result.js";
import { loadEpisodes } from "../../src/dataset/loader.js";
import { createRegistries } from "../../src/registry/registries.js";
import type { SceneModel, ScenePart } from "../../src/simulator/scenes/model.js";
import { linesOf, makeWorld } from "../support/cli.js";
import { ROOT, runHere } from "../support/manipulation.js";

/*
 * What must make an episode fail or invalid: fingers without friction, and walls in the doorways.
 */

const building = vi.hoisted(() => ({ isWalledUp: false }));
vi.mock("../../src/simulator/scenes/apartment/apartment.js", async (original) => {
  const real = await original<typeof import("../../src/simulator/scenes/apartment/apartment.js")>();
  const generateApartment = (seed: number) => {
    const model = real.generateApartment(seed);
    return building.isWalledUp ? walledUp(model) : model;
  };
  return { ...real, generateApartment };
});
afterEach(() => {
  building.isWalledUp = false;
});

const EPISODE = "6";
/** The expert picks the object in step 549. */
const MAX_STEPS = 700;

/** Runs the expert in a shipped episode. */
async function lineOf(id: string, physics: object = {}): Promise<EpisodeLine | undefined> {
  const world = makeWorld();
  const { formats } = createRegistries();
  const path = join(ROOT, "data/rearrange/val.json.gz");
  for await (const episode of loadEpisodes({ path, formats })) {
    if (episode.episodeId !== id) continue;
    const { task_config, ...rest } = episode.toDict() as { task_config: object };
    const episodes = [{ ...rest, task_config: { ...task_config, physics } }];
    world.write("one.json", { format: "robot-eval-episodes/1", episodes });
  }
  const benchmark = world.write("one.yaml", {
    benchmark: { name: "one" },
    rearrange_task: { type: "rearrange", config: { max_steps: MAX_STEPS } },
    dataset: { rearrange: { type: "rearrange", data_path: "one.json" } },
    simulator: { sensors: { gps: {} } },
    evaluation: { timeout: 600 },
  });
  const { run_dir } = await runHere(benchmark, "--agent", "expert", "--fail-on-invalid", "1");
  return (await linesOf(run_dir))[0];
}

/** A wall across every door. */
function walledUp(model: SceneModel): SceneModel {
  const usual = model.parts.find(({ instance }) => instance === 0);
  if (!usual) throw new Error("the apartment has no building");
  const walls = model.doors.map(({ position: [x, , z], widthM }): ScenePart => {
    const half = widthM / 2 + 0.2;
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [
      x + (i & 1 ? half : -half),
      i & 2 ? 2 : 0,
      z + (i & 4 ? half : -half),
    ]);
    const sides = [
      ...[0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 2, 6, 0, 6, 4],
      ...[1, 5, 7, 1, 7, 3, 2, 3, 7, 2, 7, 6, 0, 4, 5, 0, 5, 1],
    ];
    const mesh = { positions: new Float32Array(corners), indices: new Uint32Array(sides) };
    return { mesh, material: usual.material, instance: 0 };
  });
  return { ...model, parts: [...model.parts, ...walls] };
}

describe("the expert in a rearrange episode", () => {
  it("the expert in a rearrange episode picks the object with usual fingers, and never with a finger friction of 0.02", async () => {
    expect(await lineOf(EPISODE)).toMatchObject({
      outcome: "failure",
      metrics: { stage_find_object: 1, stage_pick: 1, stage_place: 0 },
    });
    const slippery = await lineOf(EPISODE, { finger_friction: 0.02 });
    expect(slippery).toMatchObject({
      outcome: "failure",
      metrics: { stage_find_object: 1, stage_pick: 0, partial_success: 0.25 },
      explanation: expect.stringContaining("found the purple book in step"),
    });
  });

  it("a rearrange episode is invalid, not failed, if walls in the doorways cut off the goal", async () => {
    building.isWalledUp = true;
    const line = await lineOf("1");
    expect(line).toMatchObject({
      outcome: "invalid",
      fault: "data",
      end_reason: "unreachable_goal",
      error: { code: "unreachable_goal" },
      explanation: expect.stringContaining("no way through apartment/100 leads from the start"),
    });
    expect(line?.metrics.manip_success ?? null).toBeNull();
  });
});
