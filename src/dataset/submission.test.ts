import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { BaseEpisode } from "../core/episode/base.js";
import { type GraphSource, NavGraph } from "../core/scene/graph.js";
import type { DatasetFormat, Prediction } from "./format.js";
import { nativeFormat } from "./formats/native.js";
import { ndhFormat } from "./formats/ndh.js";
import { missingPredictions, readSubmission, submissionRecords } from "./submission.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-submission-"));
afterAll(() => rmSync(folder, { recursive: true }));

const graph = new NavGraph(
  "hall",
  [
    { id: "a", position: [0, 0, 0] },
    { id: "b", position: [1, 0, 0] },
  ],
  [[0, 1]],
);
const graphs: GraphSource = { graph: async () => graph };

function episode(episodeId: string, sceneId = "hall"): BaseEpisode {
  const startState = { node: "a", position: [0, 0, 0] as [number, number, number] };
  return new BaseEpisode({ episodeId, taskType: "vln", sceneId, startState });
}

const episodes = ["1", "2", "3"].map((id) => episode(id));
const stay = (inst_idx: number) => ({ inst_idx, trajectory: [["a", 0, 0]] });

function read(entries: unknown) {
  const path = join(folder, "submission.json");
  writeFileSync(path, JSON.stringify(entries));
  return readSubmission({ path, format: ndhFormat, episodes, graphs });
}

describe("readSubmission", () => {
  it("readSubmission yields trajectories in the order of the dataset", async () => {
    const reading = await read([stay(3), stay(1), stay(2)]);
    const ids: string[] = [];
    for await (const { submission } of reading.trajectories()) ids.push(submission.episodeId);
    expect(ids).toEqual(["1", "2", "3"]);
    expect(reading).toMatchObject({ total: 3, missing: [] });
  });

  it("readSubmission lists episodes without a prediction and leaves their treatment to the scorer", async () => {
    const reading = await read([stay(2)]);
    expect(reading.missing.map(({ episodeId }) => episodeId)).toEqual(["1", "3"]);
    expect(missingPredictions(reading)).toMatchObject({
      code: "missing_predictions",
      exitCode: 2,
      message: "2 of 3 episodes have no prediction: 1, 3",
    });
  });

  it("readSubmission accepts an empty submission with all episodes missing", async () => {
    expect((await read([])).missing).toHaveLength(3);
  });

  it("readSubmission rejects a prediction for an unknown episode", async () => {
    await expect(read([stay(1), stay(9)])).rejects.toMatchObject({
      code: "unknown_episode",
      exitCode: 2,
      message: "the dataset has no episode 9",
      where: expect.stringContaining("submission.json, [1]"),
      hint: expect.stringContaining("ids like 1, 2, 3"),
    });
  });

  it("readSubmission rejects a second prediction for an episode", async () => {
    await expect(read([stay(1), stay(2), stay(1)])).rejects.toMatchObject({
      code: "duplicate_prediction",
      exitCode: 2,
      where: expect.stringContaining("submission.json, [2]"),
    });
  });

  it("readSubmission rejects a format without submissions", async () => {
    const path = join(folder, "any.json");
    const reading = readSubmission({ path, format: nativeFormat, episodes });
    await expect(reading).rejects.toMatchObject({ code: "no_submissions" });
  });
});

describe("readSubmission with ids that repeat across scenes", () => {
  const twins = [episode("0", "hall"), episode("0", "attic")];

  function formatOf(predictions: readonly Prediction[]): DatasetFormat {
    return {
      ...nativeFormat,
      submission: {
        detect: () => false,
        async *predictions() {
          yield* predictions;
        },
        trajectory: async (_, { episodeId, sceneId }) => ({
          episodeId,
          sceneId,
          steps: [],
          stopped: false,
        }),
      },
    };
  }

  it("readSubmission distinguishes episodes by scene", async () => {
    const format = formatOf([{ episodeId: "0", sceneId: "attic", raw: null, where: "x" }]);
    const reading = await readSubmission({ path: "x", format, episodes: twins });
    expect(reading.missing).toEqual([twins[0]]);
  });

  it("readSubmission rejects an ambiguous id without a scene", async () => {
    const format = formatOf([{ episodeId: "0", raw: null, where: "x" }]);
    await expect(readSubmission({ path: "x", format, episodes: twins })).rejects.toMatchObject({
      code: "ambiguous_episode",
    });
  });
});

describe("submissionRecords", () => {
  it("submissionRecords omits the distance to a withheld goal", async () => {
    const reading = await read([stay(1)]);
    for await (const { episode, submission } of reading.trajectories()) {
      const records = submissionRecords(episode, submission, (a, b) => graph.distance(a, b));
      expect(records.map(({ action }) => action)).toEqual([null, "stop"]);
      for (const { state } of records) expect(state).not.toHaveProperty("distance_to_goal");
    }
  });
});
