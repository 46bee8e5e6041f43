import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { File, ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import { createRegistries } from "../../registry/registries.js";
import { detectFormat } from "../loader.js";
import { readSample } from "../source.js";
import { maniskillFormat } from "./maniskill.js";

const root = mkdtempSync(join(tmpdir(), "robot-eval-maniskill-"));
afterAll(() => rmSync(root, { recursive: true }));
beforeAll(() => ready);

async function load(path: string): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const episode of maniskillFormat.episodes({ path })) episodes.push(episode);
  return episodes;
}

const episode = (id: number, steps: number) => ({
  episode_id: id,
  reset_kwargs: { seed: id },
  control_mode: "pd_joint_pos",
  elapsed_steps: steps,
});

/** A file of recordings with three actions each, and actor states as in ManiSkill 3. */
function recording(name: string, ids: readonly number[], json?: unknown, states = 4): string {
  const path = join(root, `${name}.h5`);
  const file = new File(path, "w");
  for (const id of ids) {
    const group = file.create_group(`traj_${id}`);
    const numbers = (count: number) => Float32Array.from({ length: count }, (_, i) => i / 2);
    group.create_dataset({ name: "actions", data: numbers(6), shape: [3, 2] });
    group.create_dataset({ name: "success", data: new Int8Array([0, 0, 1]), shape: [3] });
    for (const name of ["env_states", "env_states/actors", "obs", "obs/agent", "obs/extra"]) {
      group.create_group(name);
    }
    const shape = [states, 13];
    group.create_dataset({ name: "env_states/actors/cube", data: numbers(states * 13), shape });
    group.create_dataset({ name: "obs/agent/qpos", data: numbers(36), shape: [4, 9] });
    group.create_dataset({ name: "obs/extra/tcp_pose", data: numbers(28), shape: [4, 7] });
  }
  file.close();
  if (json) writeFileSync(join(root, `${name}.json`), JSON.stringify(json));
  return path;
}

const ENV = { env_id: "PickCube-v1", max_episode_steps: 50, env_kwargs: { obs_mode: "state" } };

describe("ManiSkill recordings", () => {
  it("the ManiSkill reader reads recordings with the metadata of the JSON file beside them", async () => {
    const path = recording("pick", [10, 2], {
      env_info: ENV,
      episodes: [episode(10, 3), episode(2, 3)],
    });
    const [first, second] = await load(path);
    expect(second?.episodeId).toBe("traj_10");
    expect(first).toMatchObject({
      episodeId: "traj_2",
      sceneId: "PickCube-v1",
      startState: {
        joint_positions: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4],
        env_states: { actors: { cube: expect.arrayContaining([6]) } },
      },
      taskConfig: {
        num_samples: 3,
        recorded_success: true,
        control_mode: "pd_joint_pos",
        reset_kwargs: { seed: 2 },
        max_episode_steps: 50,
      },
    });
    expect(first?.referenceData?.trajectory).toMatchObject({
      actions: [
        [0, 0.5],
        [1, 1.5],
        [2, 2.5],
      ],
      ee_pose: expect.arrayContaining([[0, 0.5, 1, 1.5, 2, 2.5, 3]]),
    });
    expect(first?.taskConfig).not.toHaveProperty("missing");
  });

  it("the ManiSkill reader reads a folder of recordings as one dataset, with the file name in ids of the same scene", async () => {
    mkdirSync(join(root, "demos"));
    for (const name of ["demos/a", "demos/b"]) {
      recording(name, [0], { env_info: ENV, episodes: [episode(0, 3)] });
    }
    const path = join(root, "demos");
    expect((await detectFormat(path, createRegistries().formats)).name).toBe("maniskill");
    const ids = (await load(path)).map(({ episodeId }) => episodeId);
    expect(ids).toEqual(["a_traj_0", "b_traj_0"]);
  });

  it("the ManiSkill reader rejects a folder that has an HDF5 file of another format", async () => {
    mkdirSync(join(root, "mixed"));
    recording("mixed/a", [0]);
    const path = recording("mixed/b", []);
    await expect(load(join(root, "mixed"))).rejects.toMatchObject({
      code: "empty_dataset",
      where: path,
      message: "the file has no demonstrations: no group traj_<i>",
    });
  });

  it("the ManiSkill reader rejects a recording whose length contradicts the JSON file", async () => {
    const path = recording("long", [0], { env_info: ENV, episodes: [episode(0, 7)] });
    await expect(load(path)).rejects.toMatchObject({
      code: "bad_demo",
      where: path,
      message: "/traj_0: actions has 3 rows, but long.json states elapsed_steps 7",
    });
  });

  it("the ManiSkill reader rejects a recording without one more state than actions", async () => {
    const path = recording("states", [0], undefined, 3);
    await expect(load(path)).rejects.toMatchObject({
      code: "bad_demo",
      message: "/traj_0: env_states/actors/cube has 3 rows, expected 4 for 3 actions",
    });
  });

  it("the ManiSkill reader rejects recordings that do not match the list in the JSON file", async () => {
    const lost = recording("lost", [0], {
      env_info: ENV,
      episodes: [episode(0, 3), episode(1, 3)],
    });
    await expect(load(lost)).rejects.toMatchObject({ code: "missing_trajectory", where: lost });
    const extra = recording("extra", [0, 1], { env_info: ENV, episodes: [episode(0, 3)] });
    await expect(load(extra)).rejects.toMatchObject({ code: "missing_description" });
    const wrong = recording("wrong", [0], { episodes: [{ episode_id: "x" }] });
    await expect(load(wrong)).rejects.toMatchObject({ code: "bad_episode" });
  });
});

describeWithSharedData("ManiSkill's FMB assembly", () => {
  it("the ManiSkill reader reads the published recording without its JSON file, with the values of h5py", async () => {
    const path = sharedData("maniskill_h5/fmb-assembly1.h5");
    expect(maniskillFormat.detect(await readSample(path))).toBe(true);
    const episodes = await load(path);
    expect(episodes).toHaveLength(1);
    const [one] = episodes;
    expect(one).toMatchObject({
      episodeId: "traj_0",
      sceneId: "fmb-assembly1",
      taskConfig: {
        num_samples: 812,
        recorded_success: false,
        missing: expect.stringContaining("fmb-assembly1.json"),
      },
    });
    expect(one?.startState.env_state).toHaveLength(135);
    const actions = one?.referenceData?.trajectory?.actions ?? [];
    const bytes = Buffer.from(new Float64Array(actions.flat()).buffer);
    // Computed with h5py 3 from the actions widened to little-endian float64.
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(
      "d5b2c3ca0f436d89b5fc6357f16fb6b8dfd4ecfaf6c79659adc78d8ecb7daf27",
    );
  });
});
