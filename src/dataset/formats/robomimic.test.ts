import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { File, type Group, ready } from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import {
  LIBERO_JOINTS,
  type LiberoDemos,
  writeLiberoDemos,
} from "../../../test/support/libero-demos.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import type { DataError } from "../../core/errors.js";
import { createRegistries } from "../../registry/registries.js";
import type { DatasetSource } from "../format.js";
import { loadEpisodes } from "../loader.js";
import { readSample } from "../source.js";
import { robomimicFormat } from "./robomimic.js";

const root = mkdtempSync(join(tmpdir(), "robot-eval-robomimic-"));
afterAll(() => rmSync(root, { recursive: true }));
beforeAll(() => ready);

async function load(path: string, more: Partial<DatasetSource> = {}): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const episode of robomimicFormat.episodes({ path, ...more })) episodes.push(episode);
  return episodes;
}

function table(group: Group, name: string, rows: readonly (readonly number[])[]): void {
  const data = new Float64Array(rows.flat());
  group.create_dataset({ name, data, shape: [rows.length, rows[0]?.length ?? 0] });
}

const repeat = (n: number, row: readonly number[]) => Array.from({ length: n }, () => row);

/** A file of valid demonstrations, each modified by `change`. */
function demoFile(
  name: string,
  demos: readonly string[],
  attributes: Readonly<Record<string, string>>,
  change: (demo: Group, obs: Group, name: string) => void,
  mask: Readonly<Record<string, string[]>> = {},
): string {
  const path = join(root, name);
  const file = new File(path, "w");
  const data = file.create_group("data");
  for (const [key, value] of Object.entries(attributes)) data.create_attribute(key, value);
  for (const demo of demos) {
    const group = data.create_group(demo);
    table(group, "actions", repeat(4, [0, 1, 2]));
    group.create_attribute("model_file", "<mujoco/>");
    change(group, group.create_group("obs"), demo);
  }
  const masks = Object.entries(mask);
  if (masks.length > 0) file.create_group("mask");
  for (const [key, listed] of masks) {
    const dtype = "S6";
    file.create_dataset({ name: `mask/${key}`, data: listed, shape: [listed.length], dtype });
  }
  file.close();
  return path;
}

const ROBOMIMIC = { env_args: JSON.stringify({ env_name: "Can", type: 1, env_kwargs: {} }) };

describe("robomimic demonstrations", () => {
  it("the robomimic reader reads demonstrations in numeric order, with their filters", async () => {
    const path = demoFile(
      "can.hdf5",
      ["demo_10", "demo_2", "demo_1"],
      ROBOMIMIC,
      (demo, obs) => {
        demo.create_attribute("num_samples", 4);
        table(demo, "states", [
          [0.5, 1],
          [0, 0],
          [0, 0],
          [0, 0],
        ]);
        table(obs, "robot0_joint_pos", [
          [7, 8],
          [0, 0],
          [0, 0],
          [0, 0],
        ]);
        table(obs, "robot0_eef_pos", repeat(4, [1, 2, 3]));
        table(obs, "robot0_eef_quat", repeat(4, [0.6, 0, 0, 0.8]));
        const image = new Uint8Array(4 * 2 * 2 * 3);
        obs.create_dataset({ name: "agentview_image", data: image, shape: [4, 2, 2, 3] });
      },
      { train: ["demo_1", "demo_2"], valid: ["demo_2"] },
    );
    const episodes = await load(path);
    expect(episodes.map(({ episodeId }) => episodeId)).toEqual(["demo_1", "demo_2", "demo_10"]);
    expect(episodes.map(({ taskConfig }) => taskConfig.filters)).toEqual([
      ["train"],
      ["train", "valid"],
      [],
    ]);
    expect(episodes[0]).toMatchObject({
      sceneId: "Can",
      taskType: "manipulation",
      instruction: { text: "" },
      startState: { joint_positions: [7, 8], mujoco_state: [0.5, 1] },
      taskConfig: {
        env_name: "Can",
        num_samples: 4,
        model_file: {
          file: "can.hdf5",
          group: "/data/demo_1",
          length: 9,
          sha256: createHash("sha256").update("<mujoco/>").digest("hex"),
        },
        images: { agentview_image: { shape: [4, 2, 2, 3], upside_down: false } },
      },
    });
    // The file has [x, y, z, w]; episodes have [w, x, y, z].
    const { trajectory } = episodes[0]?.referenceData ?? {};
    expect(trajectory?.ee_pose?.[3]).toEqual([1, 2, 3, 0.8, 0.6, 0, 0]);
    expect(trajectory?.actions).toEqual(repeat(4, [0, 1, 2]));
    expect(trajectory?.qpos?.[0]).toEqual([7, 8]);
  });

  it.each([
    [
      "states",
      (demo: Group) => table(demo, "states", repeat(5, [1])),
      "states has 5 rows, but actions has 4",
    ],
    [
      "obs",
      (_: Group, obs: Group) => table(obs, "x", repeat(3, [1])),
      "obs/x has 3 rows, but actions has 4",
    ],
    [
      "num_samples",
      (demo: Group) => demo.create_attribute("num_samples", 9),
      "num_samples is 9, but actions has 4 rows",
    ],
  ])(
    "the robomimic reader rejects demonstrations with %s of the wrong length, or skips them if onBadEpisode is set",
    async (name, change, reason) => {
      const path = demoFile(
        `wrong-${name}.hdf5`,
        ["demo_0", "demo_1"],
        ROBOMIMIC,
        (demo, obs, own) => {
          if (own === "demo_0") change(demo, obs);
        },
      );
      const where = { code: "bad_demo", where: path };
      await expect(load(path)).rejects.toMatchObject(where);
      const problems: DataError[] = [];
      const rest = await load(path, { onBadEpisode: (problem) => problems.push(problem) });
      expect(rest.map(({ episodeId }) => episodeId)).toEqual(["demo_1"]);
      expect(problems[0]?.message).toBe(`/data/demo_0: ${reason}`);
    },
  );

  it("the robomimic reader rejects unknown names in a mask and invalid JSON", async () => {
    const mask = { train: ["demo_7"] };
    const masked = demoFile("mask.hdf5", ["demo_0"], ROBOMIMIC, () => {}, mask);
    await expect(load(masked)).rejects.toMatchObject({ code: "bad_mask" });
    const broken = demoFile("json.hdf5", ["demo_0"], { env_args: "{" }, () => {});
    await expect(load(broken)).rejects.toMatchObject({
      code: "bad_json",
      where: `${broken}, /data@env_args:1:2`,
    });
  });

  it("the robomimic reader reads a file with changed bytes completely or rejects it", async () => {
    const names = ["demo_0", "demo_1", "demo_2"];
    const whole = readFileSync(
      demoFile("whole.hdf5", names, ROBOMIMIC, (demo) => table(demo, "states", repeat(4, [1]))),
    );
    const path = join(root, "changed.hdf5");
    const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, by] of changes) bytes[at] = (bytes[at] ?? 0) ^ by;
        writeFileSync(path, bytes);
        const outcome: unknown = await load(path).catch((error: unknown) => error);
        if (Array.isArray(outcome)) expect(outcome).toHaveLength(3);
        else
          expect(outcome).toMatchObject({
            name: "DataError",
            where: expect.stringContaining(path),
          });
      }),
      // A fixed seed, because the HDF5 library never returns on some broken files (docs/datasets.md).
      { numRuns: 200, seed: 1 },
    );
  });

  it("the robomimic reader detects the format by the groups in the file", async () => {
    const path = demoFile("known.hdf5", ["demo_0"], ROBOMIMIC, () => {});
    expect(robomimicFormat.detect(await readSample(path))).toBe(true);
    const other = demoFile("other.hdf5", ["episode"], ROBOMIMIC, () => {});
    expect(robomimicFormat.detect(await readSample(other))).toBe(false);
    await expect(load(other)).rejects.toMatchObject({ code: "bad_demo" });
  });
});

describe("LIBERO demonstrations", () => {
  it("LIBERO demonstrations have an instruction, the scene of the evaluation and upside-down images", async () => {
    const path = demoFile(
      "libero.hdf5",
      ["demo_0"],
      {
        problem_info: JSON.stringify({ language_instruction: "turn on the stove" }),
        bddl_file_name: "libero/bddl_files/libero_goal/turn_on_the_stove.bddl",
      },
      (_, obs) => {
        table(obs, "ee_pos", repeat(4, [1, 2, 3]));
        table(obs, "ee_ori", [
          [Math.PI, 0, 0],
          [0, 0, 0],
          [0, 0, Math.PI / 2],
          [1e-14, 0, 0],
        ]);
        obs.create_dataset({
          name: "agentview_rgb",
          data: new Uint8Array(48),
          shape: [4, 2, 2, 3],
        });
      },
    );
    const [episode] = await load(path);
    expect(episode).toMatchObject({
      sceneId: "libero_goal/turn_on_the_stove",
      instruction: { text: "turn on the stove" },
      taskConfig: { images: { agentview_rgb: { upside_down: true } } },
    });
    const poses = episode?.referenceData?.trajectory?.ee_pose ?? [];
    const half = Math.SQRT1_2;
    const expected = [
      [1, 2, 3, 0, 1, 0, 0],
      [1, 2, 3, 1, 0, 0, 0],
      [1, 2, 3, half, 0, 0, half],
      [1, 2, 3, 1, 0, 0, 0],
    ];
    expected.flat().forEach((x, i) => {
      expect(poses.flat()[i]).toBeCloseTo(x, 12);
    });
  });
});

describe("a folder of demonstrations", () => {
  const folder = join(root, "train");
  beforeAll(async () => {
    mkdirSync(folder);
    await writeLiberoDemos(folder, "turn_on_the_stove", { demos: 1 });
    await writeLiberoDemos(folder, "open_the_middle_drawer_of_the_cabinet");
    writeFileSync(join(folder, "._turn_on_the_stove_demo.hdf5"), "a file of macOS");
    writeFileSync(join(folder, "README.md"), "LIBERO");
  });

  it("a folder of demonstrations is detected and read as one dataset, file by file", async () => {
    const { formats } = createRegistries();
    const ids: string[] = [];
    for await (const episode of loadEpisodes({ path: folder, formats })) {
      ids.push(`${episode.sceneId}/${episode.episodeId}`);
    }
    expect(ids).toEqual([
      "libero_goal/open_the_middle_drawer_of_the_cabinet/demo_0",
      "libero_goal/open_the_middle_drawer_of_the_cabinet/demo_1",
      "libero_goal/turn_on_the_stove/demo_0",
    ]);
  });

  it("a folder of demonstrations has the robot that its files name, with the gripper as the last joint", async () => {
    const [episode] = await load(folder);
    expect(episode?.taskConfig.robot_config).toEqual({ robot_type: "panda" });
    expect(episode?.startState.joint_positions).toEqual([...LIBERO_JOINTS, 0.0388]);
    expect(episode?.referenceData?.trajectory?.qpos?.[2]).toEqual([...LIBERO_JOINTS, 0.0388]);
  });

  it.each<[string, LiberoDemos, unknown, readonly number[]]>([
    ["LIBERO's mounts", { robots: ["MountedPanda"] }, { robot_type: "panda" }, [0.0388]],
    ["one name", { robots: "Sawyer", fingers: [] }, { robot_type: "sawyer" }, []],
    ["two robots", { robots: ["Panda", "Panda"] }, undefined, [0.0388]],
    ["a gripper of six joints", { fingers: [0, 0, 0, 0, 0, 0] }, { robot_type: "panda" }, []],
  ])(
    "the robomimic reader reads the robot and the gripper of files with %s",
    async (name, options, robot, gripper) => {
      const path = await writeLiberoDemos(root, `with_${name.replaceAll(/\W/g, "_")}`, options);
      const [episode] = await load(path);
      expect(episode?.taskConfig.robot_config).toEqual(robot);
      expect(episode?.startState.joint_positions).toEqual([...LIBERO_JOINTS, ...gripper]);
    },
  );

  it("the robomimic reader puts the file name into ids where several files record the same scene", async () => {
    const same = join(root, "same");
    mkdirSync(same);
    for (const name of ["ph", "mh"]) demoFile(`same/${name}.hdf5`, ["demo_0"], ROBOMIMIC, () => {});
    const other = { env_args: JSON.stringify({ env_name: "Lift" }) };
    demoFile("same/lift.hdf5", ["demo_0"], other, () => {});
    const episodes = await load(same);
    expect(episodes.map(({ sceneId, episodeId }) => [sceneId, episodeId])).toEqual([
      ["Lift", "demo_0"],
      ["Can", "mh_demo_0"],
      ["Can", "ph_demo_0"],
    ]);
  });

  it("a folder of demonstrations is rejected with the name of the damaged file, or if it has no HDF5 files", async () => {
    const damaged = join(root, "damaged");
    mkdirSync(damaged);
    await expect(load(damaged)).rejects.toMatchObject({ code: "empty_dataset", where: damaged });
    await writeLiberoDemos(damaged, "a");
    const path = join(damaged, "b.hdf5");
    writeFileSync(path, "not HDF5");
    await expect(load(damaged)).rejects.toMatchObject({ code: "bad_hdf5", where: path });
  });
});

/** Computed with h5py 3: SHA-256 of the actions as row-major little-endian float64, and of the MJCF. */
const LIFT = [
  [
    "demo_1",
    482,
    "dba02b758e786f6e4fc9629bfb0ab5f89854de58a1725968fc1a36c4ce9e89b5",
    "76fd09bd148daed541251e69c13ca79a444ed9e7706e345ce34283fcf678f20c",
  ],
  [
    "demo_2",
    510,
    "83367bc84749a75f5395f01deae2ae4b81d77e0bf2deac7ba7a01a1b306959ad",
    "864b57e57c5c3200f70e6d5f8b9d82e4db1e70cbc67634058ec5348b61f95e3e",
  ],
  [
    "demo_3",
    392,
    "6c0fd8dc047c7edb215599b4fc57f997c4a9ea3911a3ec0421747277d100732f",
    "5d952e247a09c3ed682b9f27f05167b8ddec4325b9f236ff3e8fe6dc2e81ff26",
  ],
] as const;

describeWithSharedData("robosuite's Lift", () => {
  const lift = () => sharedData("robosuite_hdf5/lift_demo.hdf5");

  it("the Lift file of robosuite has three demonstrations with the values of h5py", async () => {
    const episodes = await load(lift());
    expect(
      episodes.map(({ episodeId, referenceData, taskConfig }) => {
        const actions = referenceData?.trajectory?.actions ?? [];
        const bytes = Buffer.from(new Float64Array(actions.flat()).buffer);
        const hash = createHash("sha256").update(bytes).digest("hex");
        const model = taskConfig.model_file as { sha256: string };
        return [episodeId, actions.length, hash, model.sha256];
      }),
    ).toEqual(LIFT);
    expect(episodes[0]?.sceneId).toBe("Lift");
    expect(episodes[0]?.taskConfig.robot_config).toEqual({ robot_type: "panda" });
    // Time, then the positions and velocities of Panda's 7 + 2 joints and of the cube.
    expect(episodes[0]?.startState.mujoco_state).toHaveLength(1 + (9 + 7) + (9 + 6));
  });

  it("the robomimic reader never reads part of a truncated file", async () => {
    const whole = readFileSync(lift());
    const cut = join(root, "cut.hdf5");
    for (let length = 5; length < whole.length; length += 39_119) {
      writeFileSync(cut, whole.subarray(0, length));
      await expect(load(cut)).rejects.toMatchObject({ code: "bad_hdf5", where: cut });
    }
  });
});
