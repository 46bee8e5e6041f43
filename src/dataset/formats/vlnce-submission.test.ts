import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { BaseEpisode } from "../../core/episode/base.js";
import { distance3 } from "../../core/math/vec3.js";
import { readSubmission, submissionRecords } from "../submission.js";
import { r2rVlnceFormat } from "./r2r-vlnce.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-vlnce-submission-"));
afterAll(() => rmSync(folder, { recursive: true }));

const episode = new BaseEpisode({
  episodeId: "37",
  taskType: "vln",
  sceneId: "mp3d/abc/abc.glb",
  startState: { position: [0, 0, 0], rotation: [0, 0, 0, 1] },
  goals: { position: [0, 0, -1], radius: 3 },
});

function state(z: number, heading: number, stop = false) {
  return { position: [0, 0, z], heading, stop };
}

async function submission(states: unknown) {
  const path = join(folder, "predictions.json");
  writeFileSync(path, JSON.stringify({ "37": states }));
  const reading = await readSubmission({ path, format: r2rVlnceFormat, episodes: [episode] });
  for await (const predicted of reading.trajectories()) return predicted.submission;
  throw new Error("no prediction");
}

describe("R2R-CE submission", () => {
  it("the R2R-CE submission reader converts a submission to steps with inferred actions", async () => {
    const { steps, stopped } = await submission([
      state(0, 0),
      state(0, 6.2),
      state(0, 0.2),
      state(-0.25, 0.2),
      state(-0.25, 0.2),
      state(-0.25, 0.2, true),
    ]);
    expect(stopped).toBe(true);
    expect(steps.map(({ action }) => action)).toEqual([
      null,
      "turn_right",
      "turn_left",
      "move_forward",
      "move_forward",
      "stop",
    ]);
  });

  it("the R2R-CE submission reader accepts a submission that does not end with a stop", async () => {
    const { steps, stopped } = await submission([state(0, 0), state(-0.25, 0)]);
    expect(stopped).toBe(false);
    expect(steps.at(-1)?.action).toBe("move_forward");
  });

  it("the R2R-CE submission reader adds distances to the goal only if the distances in the scene are known", async () => {
    const predicted = await submission([state(0, 0), state(-0.25, 0, true)]);
    const [plain] = submissionRecords(episode, predicted);
    expect(plain).toEqual({ step: 0, action: null, state: { position: [0, 0, 0], heading: 0 } });
    const records = submissionRecords(episode, predicted, (a, b) =>
      distance3(a.position, b.position),
    );
    expect(records.map((record) => record.state.distance_to_goal)).toEqual([1, 0.75]);
  });

  it.each([
    ["starts elsewhere", [state(1, 0)], "wrong_start", "state 0"],
    ["is empty", [], "empty_trajectory", "empty"],
    [
      "goes on after stop",
      [state(0, 0), state(0, 0, true), state(1, 0)],
      "step_after_stop",
      "state 1 of 3",
    ],
    ["lacks a position", [state(0, 0), { heading: 0, stop: true }], "bad_episode", "1.position"],
    ["is not a list", "none", "bad_episode", "expected array"],
  ])(
    "the R2R-CE submission reader rejects a submission that %s",
    async (_, states, code, message) => {
      await expect(submission(states)).rejects.toMatchObject({
        code,
        exitCode: 2,
        message: expect.stringContaining(message),
        where: expect.stringContaining('predictions.json, "37"'),
      });
    },
  );

  it("the R2R-CE submission reader rejects a submission that is a list", async () => {
    const path = join(folder, "list.json");
    writeFileSync(path, "[1, 2]");
    const reading = readSubmission({ path, format: r2rVlnceFormat, episodes: [episode] });
    await expect(reading).rejects.toMatchObject({ code: "bad_dataset" });
  });
});
