import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { episodesOf, TemporaryFiles } from "../../../test/support/dataset-files.js";
import type { DatasetSource } from "../format.js";
import { rxrVlnceFormat } from "./rxr-vlnce.js";

const files = new TemporaryFiles();
beforeEach(() => {
  files.fresh();
});

const load = (source: DatasetSource) => episodesOf(rxrVlnceFormat, source);

const instruction = {
  instruction_id: "10153",
  instruction_text: "आगे बढ़ो.",
  language: "hi-IN",
  annotator_id: "40",
  edit_distance: 0.25,
  timed_instruction: [{ word: "आगे", start_time: 0, end_time: 0.5 }, { word: "बढ़ो." }],
};
const episode = {
  episode_id: "12",
  trajectory_id: "4",
  scene_id: "mp3d/abc/abc.glb",
  start_position: [1, 0, 2],
  start_rotation: [0, 1, 0, 0],
  info: { geodesic_distance: 10.5 },
  goals: [{ position: [5, 0, 2], radius: 3 }],
  instruction,
  reference_path: [
    [1, 0, 2],
    [5, 0, 2],
  ],
};
const document = (...episodes: unknown[]) => ({ episodes });

describe("RxR-CE file", () => {
  it("the RxR-CE reader reads R2R-CE episodes with RxR instruction metadata and turn angle", async () => {
    const [first] = await load({ path: files.write("val_guide.json.gz", document(episode)) });
    const { instruction_text: text, ...about } = instruction;
    expect(first?.toDict()).toEqual({
      episode_id: "12",
      task_type: "vln",
      scene_id: "mp3d/abc/abc.glb",
      start_state: { position: [1, 0, 2], rotation: [0, 1, 0, 0] },
      goals: { position: [5, 0, 2], radius: 3 },
      instruction: { text, ...about },
      reference_data: { path: episode.reference_path },
      task_config: { trajectory_id: "4", geodesic_distance: 10.5, turn_angle_deg: 30 },
      sim_params: {},
    });
  });

  it.each(["guide", "follower"])(
    "the RxR-CE reader reads the ground truth beside a %s file",
    async (role) => {
      files.write(`val_seen_${role}_gt.json.gz`, {
        "12": { locations: [[1, 0, 2]], actions: [3, 1, 0] },
      });
      const path = files.write(`val_seen_${role}.json.gz`, document(episode));
      const [first] = await load({ path });
      expect(first?.referenceData?.dense_path).toEqual([[1, 0, 2]]);
      expect(first?.taskConfig.gt_actions).toEqual(["turn_right", "move_forward", "stop"]);
    },
  );

  it("the RxR-CE reader ignores the ground truth of the other role", async () => {
    files.write("val_seen_follower_gt.json.gz", { "12": { locations: [[1, 0, 2]], actions: [] } });
    const [first] = await load({ path: files.write("val_seen_guide.json.gz", document(episode)) });
    expect(first?.referenceData?.dense_path).toBeUndefined();
  });

  it("an episode of the test split has neither goals nor path", async () => {
    const { goals: _goals, reference_path: _path, info: _info, ...test } = episode;
    const [first] = await load({ path: files.write("test_challenge_guide.json", document(test)) });
    expect(first).toMatchObject({ goals: {}, referenceData: null });
  });

  it.each([
    ["instruction.language: ", { instruction: { ...instruction, language: 5 } }],
    ["instruction.instruction_id: ", { instruction: { ...instruction, instruction_id: null } }],
    ["instruction.instruction_text: ", { instruction: { ...instruction, instruction_text: [] } }],
    [
      "instruction.timed_instruction.0.word: ",
      { instruction: { ...instruction, timed_instruction: [{ start_time: 0 }] } },
    ],
    ["reference_path.1: ", { reference_path: [[0, 0, 0], [1]] }],
    ["start_rotation: ", { start_rotation: [0, 0, 0] }],
  ])("the RxR-CE reader rejects an invalid %s with episode and field", async (field, change) => {
    const path = files.write(
      "val_guide.json",
      document(episode, { ...episode, episode_id: "13", ...change }),
    );
    await expect(load({ path })).rejects.toMatchObject({
      code: "bad_episode",
      message: expect.stringContaining(`episode 13, ${field}`),
      where: `${path}, episodes[1]`,
    });
  });

  it("the RxR-CE reader never loads part of a truncated file", async () => {
    const plain = Buffer.from(JSON.stringify(document(episode, { ...episode, episode_id: "13" })));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: plain.length - 1 }), async (length) => {
        const path = files.write("cut.json", plain.subarray(0, length));
        await expect(load({ path })).rejects.toMatchObject({ name: "DataError" });
      }),
    );
  });
});
