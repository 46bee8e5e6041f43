import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../../config/package-root.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { type ColorImage, isImage } from "../../core/interfaces/observation.js";
import { loadEpisodes } from "../../dataset/loader.js";
import { createRegistries } from "../../registry/registries.js";
import { VLNTask } from "../../tasks/vln/task.js";
import { generateApartment, redecoratedApartment } from "../scenes/apartment/apartment.js";
import { NavmeshSimulator } from "./navmesh-simulator.js";

const loading = (async () => {
  const path = join(PACKAGE_ROOT, "data/navmesh/vln/val.json.gz");
  for await (const episode of loadEpisodes({ path, formats: createRegistries().formats })) {
    return episode;
  }
  throw new Error("there is no episode");
})();

async function episodeWith(axes: Readonly<Record<string, unknown>>): Promise<BaseEpisode> {
  const dict = (await loading).toDict();
  return BaseEpisode.fromDict({ ...dict, task_config: { randomization: { axes } } });
}

async function firstFrame(axes: Readonly<Record<string, unknown>>) {
  const simulator = new NavmeshSimulator({
    task: new VLNTask({}),
    config: { sensors: { rgb: { width: 32, height: 24 } } },
  });
  const { observation, state } = await simulator.reset(await episodeWith(axes), { seed: 1 });
  const { rgb } = observation;
  simulator.close();
  if (!isImage(rgb) || rgb.kind !== "rgb") throw new Error("there is no image");
  return { rgb, state };
}

function mean({ data }: ColorImage): number {
  return data.reduce((sum, value) => sum + value, 0) / data.length;
}

describe("simulator axes of the navmesh simulator", () => {
  it("simulator axes of the navmesh simulator change the images, and only start_pose the state", async () => {
    const plain = await firstFrame({});
    expect(plain.state).not.toHaveProperty("randomization");
    for (const axis of ["camera_pose", "lighting", "scene_look", "start_pose"]) {
      const value = { value: axis === "scene_look" ? 1 : 0.5, seed: 5 };
      const { rgb, state } = await firstFrame({ [axis]: value });
      expect(rgb.data, axis).not.toEqual(plain.rgb.data);
      expect(state.randomization, axis).toEqual({ axes: { [axis]: value } });
      expect(state.scene_sha256).toBe(plain.state.scene_sha256);
      const moved = JSON.stringify(state.position) !== JSON.stringify(plain.state.position);
      expect(moved, axis).toBe(axis === "start_pose");
    }
  });

  it("simulator axes of the navmesh simulator are the same for the same seed and change nothing at value 0", async () => {
    const plain = await firstFrame({});
    for (const axis of ["camera_pose", "lighting", "scene_look", "start_pose"]) {
      const again = { [axis]: { value: 0.3, seed: 8 } };
      expect(await firstFrame(again)).toEqual(await firstFrame(again));
      const none = await firstFrame({ [axis]: { value: 0, seed: 8 } });
      expect(none.rgb.data, axis).toEqual(plain.rgb.data);
    }
  });

  it("simulator axes of the navmesh simulator move the start by the given distance", async () => {
    const plain = await firstFrame({});
    const { state } = await firstFrame({ start_pose: { value: 0.25, seed: 2 } });
    const [a, b] = [plain.state.position, state.position] as readonly (readonly number[])[];
    const far = Math.hypot((a?.[0] ?? 0) - (b?.[0] ?? 0), (a?.[2] ?? 0) - (b?.[2] ?? 0));
    expect(Math.abs(far - 0.25)).toBeLessThan(0.021);
  });

  it("simulator axes of the navmesh simulator tell the policy the moved start instead of that of the episode", async () => {
    const simulator = new NavmeshSimulator({ task: new VLNTask({}), config: {} });
    const { state } = await simulator.reset(
      await episodeWith({ start_pose: { value: 0.25, seed: 2 } }),
      { seed: 1 },
    );
    expect(simulator.perturbed?.start_state?.position).toEqual(state.position);
    await simulator.reset(await episodeWith({}), { seed: 1 });
    expect(simulator.perturbed).toBeUndefined();
    simulator.close();
  });

  it("simulator axes of the navmesh simulator change the brightness with the light", async () => {
    const plain = await firstFrame({});
    const changes: number[] = [];
    for (const seed of [1, 2, 3]) {
      const { rgb } = await firstFrame({ lighting: { value: 2, seed } });
      changes.push(Math.abs(mean(rgb) - mean(plain.rgb)));
    }
    expect(Math.max(...changes)).toBeGreaterThan(20);
  });

  it("simulator axes of the navmesh simulator reject an axis that does not exist, with a suggestion", async () => {
    await expect(firstFrame({ camera: { value: 1 } })).rejects.toThrow(/camera_pose|valid/);
  });
});

describe("another look of an apartment", () => {
  it("another look of an apartment keeps the plan, the furniture and the walkable surface", () => {
    for (const seed of [1, 2, 3]) {
      const usual = generateApartment(seed);
      const other = redecoratedApartment(seed, { share: 1, seed: 4 });
      expect(other.rooms).toEqual(usual.rooms);
      expect(other.instances).toEqual(usual.instances);
      // The walls may be divided otherwise, into tiles of another height.
      const [wall] = usual.instances.flatMap(({ category }, i) => (category === "wall" ? [i] : []));
      const shapes = ({ parts }: typeof usual) =>
        parts.filter(({ instance }) => instance !== wall).map(({ mesh }) => mesh.positions);
      const size = (arrays: readonly Float32Array[]) => arrays.reduce((n, a) => n + a.length, 0);
      expect(size(shapes(other))).toBe(size(shapes(usual)));
      const names = ({ parts }: typeof usual) => parts.map(({ material }) => material.name);
      expect(names(other)).not.toEqual(names(usual));
    }
  });

  it("another look of an apartment changes more rooms with a greater share, and none at 0", () => {
    const names = (share: number) =>
      redecoratedApartment(5, { share, seed: 1 }).parts.map(({ material }) => material.name);
    const usual = generateApartment(5).parts.map(({ material }) => material.name);
    expect(names(0)).toEqual(usual);
    const changed = [0.3, 0.6, 1].map(
      (share) => names(share).filter((name) => !usual.includes(name)).length,
    );
    expect(changed).toEqual([...changed].sort((a, b) => a - b));
    expect(changed[2]).toBeGreaterThan(0);
  });
});
