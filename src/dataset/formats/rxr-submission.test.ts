import { describe, expect, it } from "vitest";
import { TemporaryFiles } from "../../../test/support/dataset-files.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { readSubmission } from "../submission.js";
import { rxrVlnceFormat } from "./rxr-vlnce.js";

const files = new TemporaryFiles();

const episodes = ["1", "2"].map(
  (episodeId) =>
    new BaseEpisode({
      episodeId,
      taskType: "vln",
      sceneId: "mp3d/abc/abc.glb",
      startState: { position: [0, 0, 0], rotation: [0, 0, 0, 1] },
      goals: { position: [0, 0, -1], radius: 3 },
      instruction: { text: "Go.", instruction_id: `50${episodeId}` },
    }),
);

async function submission(...lines: readonly unknown[]) {
  const path = files.write("p.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
  const reading = await readSubmission({ path, format: rxrVlnceFormat, episodes });
  const found = [];
  for await (const { submission } of reading.trajectories()) found.push(submission);
  return { found, missing: reading.missing.map(({ episodeId }) => episodeId) };
}

const path = [
  [0, 0, 0],
  [0, 0, -0.25],
];

describe("RxR-CE submission", () => {
  it("the RxR-CE submission reader matches a submission by instruction id; it stops at the end of its path", async () => {
    const { found, missing } = await submission({ instruction_id: 502, path });
    expect(missing).toEqual(["1"]);
    expect(found).toEqual([
      {
        episodeId: "2",
        sceneId: "mp3d/abc/abc.glb",
        stopped: true,
        steps: [
          { place: { position: [0, 0, 0] }, action: null },
          { place: { position: [0, 0, -0.25] }, action: "move_forward" },
          { place: { position: [0, 0, -0.25] }, action: "stop" },
        ],
      },
    ]);
  });

  it("the RxR-CE submission reader accepts a path of only the start, for an agent that never moved", async () => {
    const { found } = await submission({ instruction_id: 501, path: [[0, 0, 0]] });
    expect(found[0]?.steps.map(({ action }) => action)).toEqual([null, "stop"]);
  });

  it.each([
    ["an unknown instruction", { instruction_id: 2, path }, "unknown_episode", "no episode 2"],
    ["another start", { instruction_id: 501, path: [[9, 0, 0]] }, "wrong_start", "episode 1"],
    ["no path", { instruction_id: 501 }, "bad_episode", "path: "],
    ["an empty path", { instruction_id: 501, path: [] }, "empty_trajectory", "episode 1"],
    ["half a point", { instruction_id: 501, path: [[0, 0]] }, "bad_episode", "path.0: "],
  ])(
    "the RxR-CE submission reader rejects a submission with %s",
    async (_, line, code, message) => {
      await expect(submission(line)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
        where: expect.stringContaining("p.jsonl"),
      });
    },
  );

  it("the RxR-CE submission reader names the instruction of a path with NaN, and quotes an id above 2^53 as written", async () => {
    const read = (line: string) =>
      readSubmission({ path: files.write("p.jsonl", line), format: rxrVlnceFormat, episodes });
    await expect(read('{"instruction_id": 501, "path": [[0, NaN, 0]]}')).rejects.toMatchObject({
      message: "instruction 501, path.0.1: expected a finite number, got NaN",
    });
    await expect(read('{"instruction_id": 9007199254740993, "path": []}')).rejects.toMatchObject({
      message: expect.stringMatching(/^instruction 9007199254740993, .* got 9007199254740993$/),
    });
  });

  it("the RxR-CE submission reader rejects a submission with a repeated instruction", async () => {
    const twice = submission({ instruction_id: 501, path }, { instruction_id: "501", path });
    await expect(twice).rejects.toMatchObject({ code: "duplicate_prediction" });
  });

  it("the RxR-CE submission reader rejects an unknown instruction id and names known ones", async () => {
    await expect(submission({ instruction_id: 1, path })).rejects.toMatchObject({
      hint: expect.stringContaining("501, 502"),
    });
  });
});
