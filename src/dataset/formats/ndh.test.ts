import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import { type GraphSource, NavGraph } from "../../core/scene/graph.js";
import type { DatasetSource } from "../format.js";
import { readSubmission, submissionRecords } from "../submission.js";
import { MatterportGraphs } from "./matterport-connectivity.js";
import { ndhFormat } from "./ndh.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-ndh-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A graph of four viewpoints in a row: a - b - c - d. */
const graph = new NavGraph(
  "hall",
  [..."abcd"].map((id, i) => ({ id, position: [i, 0, 0] as const })),
  [
    [0, 1],
    [1, 2],
    [2, 3],
  ],
);
const graphs: GraphSource = { graph: async () => graph };

const instance = {
  inst_idx: 5,
  scan: "hall",
  target: "fireplace",
  dialog_history: [
    { nav_idx: 0, role: "navigator", message: "Which room? " },
    { nav_idx: 0, role: "oracle", message: "The one with the rug." },
  ],
  start_pano: { pano: "a", heading: 0, elevation: 17 },
  player_path: ["a", "b", "c", "d"],
  planner_path: ["a", "b", "c"],
  end_panos: ["c", "d"],
};

async function load(source: DatasetSource): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const episode of ndhFormat.episodes(source)) episodes.push(episode);
  return episodes;
}

async function loadOne(change: object): Promise<BaseEpisode | undefined> {
  const path = join(folder, "ndh.json");
  writeFileSync(path, JSON.stringify([{ ...instance, ...change }]));
  return (await load({ path, graphs }))[0];
}

describe("NDH instance", () => {
  it("an instance uses the player path if it passes the planner goal", async () => {
    expect((await loadOne({}))?.toDict()).toMatchObject({
      episode_id: "5",
      scene_id: "hall",
      start_state: { position: [0, 0, 0], rotation: [0, 0, 0, 1], node: "a" },
      goals: { position: [3, 0, 0], node: "d", radius: 3, progress_nodes: ["c", "d"] },
      reference_data: { nodes: ["a", "b", "c", "d"] },
    });
  });

  it("an instance uses the planner path if the player missed its goal", async () => {
    const episode = await loadOne({ player_path: ["a", "b"] });
    expect(episode).toMatchObject({
      goals: { node: "c" },
      referenceData: { nodes: ["a", "b", "c"] },
    });
  });

  it("a player who starts at the goal does not count as passing it", async () => {
    const episode = await loadOne({ planner_path: ["a"], player_path: ["a", "b"] });
    expect(episode).toMatchObject({ goals: { node: "a" }, referenceData: { nodes: ["a"] } });
  });

  it("an instance keeps the dialogue as text and as data", async () => {
    const episode = await loadOne({});
    expect(episode?.instruction).toEqual({
      text: "Target: fireplace\nNavigator: Which room?\nOracle: The one with the rug.",
      target: "fireplace",
      dialog_history: instance.dialog_history,
    });
  });

  it("an instance of the test split has only a start", async () => {
    const hidden = { player_path: undefined, planner_path: undefined, end_panos: undefined };
    expect(await loadOne(hidden)).toMatchObject({
      startState: { node: "a" },
      goals: {},
      referenceData: null,
    });
  });

  it.each([
    ["end_panos", { end_panos: ["c", "q"] }, "unknown_node", "episode 5, end_panos[1]"],
    ["start_pano", { start_pano: { pano: "q" } }, "unknown_node", "episode 5, start_pano.pano"],
    ["player_path", { player_path: ["a", "c"] }, "off_graph_step", "episode 5, player_path[1]"],
    ["scan", { scan: 3 }, "bad_episode", "episode 5, scan"],
    ["every path", { start_pano: undefined, planner_path: [] }, "bad_episode", "neither"],
  ])("the NDH reader rejects an instance with an invalid %s", async (_, change, code, message) => {
    await expect(loadOne(change)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      where: expect.stringContaining("ndh.json, [0]"),
    });
  });
});

describeWithSharedData("the published NDH data", () => {
  it("the NDH reader reproduces the published scores of a submission", async () => {
    const connectivity = new MatterportGraphs(sharedData("connectivity"));
    const source = { path: sharedData("ndh/val_unseen.json"), graphs: connectivity };
    const episodes = await load(source);
    expect(episodes).toHaveLength(907);
    const reading = await readSubmission({
      path: sharedData(
        "ndh/val-seq2seq-all-trusted_path-40-sample-imagenet_val_unseen_iter_100.json",
      ),
      format: ndhFormat,
      episodes,
      graphs: connectivity,
    });
    expect(reading.missing).toEqual([]);

    let n = 0;
    const origin: Vec3 = [0, 0, 0];
    const sum = { length: 0, error: 0, oracle: 0, success: 0, spl: 0, progress: 0 };
    for await (const { episode, submission } of reading.trajectories()) {
      const scene = await connectivity.graph(episode.sceneId);
      const records = submissionRecords(episode, submission, (a, b) => scene.distance(a, b));
      const positions = records.map(({ state }) => state.position ?? origin);
      const distances = records.map(({ state }) => state.distance_to_goal ?? Number.NaN);
      let length = 0;
      for (const [i, position] of positions.slice(1).entries()) {
        length += distance3(positions[i] ?? position, position);
      }
      const [d0 = Number.NaN] = distances;
      const error = distances.at(-1) ?? Number.NaN;
      const success = error < 3 ? 1 : 0;
      const ends = (episode.goals.progress_nodes as string[]).map((node) => scene.place(node));
      const toEnds = (node: string | undefined) =>
        Math.min(...ends.map((end) => scene.distance(scene.place(String(node)), end)));
      n++;
      sum.length += length;
      sum.error += error;
      sum.oracle += Math.min(...distances) < 3 ? 1 : 0;
      sum.success += success;
      sum.spl += d0 === 0 ? (length === 0 ? 1 : 0) : (success * d0) / Math.max(d0, length);
      sum.progress += toEnds(records[0]?.state.node) - toEnds(records.at(-1)?.state.node);
    }
    expect(n).toBe(907);
    // From the authors' log: val_unseen, iteration 100.
    expect(sum.length / n).toBeCloseTo(8.9306352492505, 10);
    expect(sum.error / n).toBeCloseTo(11.008166007522911, 10);
    expect(sum.oracle / n).toBeCloseTo(0.3153252480705623, 12);
    expect(sum.success / n).toBeCloseTo(0.1422271223814774, 12);
    expect(sum.spl / n).toBeCloseTo(0.12502117475034094, 12);
    expect(sum.progress / n).toBeCloseTo(0.3964895357572018, 10);
  });
});
