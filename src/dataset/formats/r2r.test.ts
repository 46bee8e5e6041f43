import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import { bearing, quatXyzwToHeading } from "../../core/math/rotation.js";
import { type GraphSource, NavGraph } from "../../core/scene/graph.js";
import type { DatasetSource } from "../format.js";
import { readSubmission, submissionRecords } from "../submission.js";
import { MatterportGraphs } from "./matterport-connectivity.js";
import { r2rFormat } from "./r2r.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-r2r-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A graph of four viewpoints in a row along +x: a - b - c - d. */
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

const path = {
  distance: 2,
  scan: "hall",
  path_id: 7,
  path: ["a", "b", "c"],
  heading: Math.PI / 2,
  instructions: ["Go two on.", "Walk to c."],
};

function json(name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

async function load(source: DatasetSource): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const episode of r2rFormat.episodes(source)) episodes.push(episode);
  return episodes;
}

describe("R2R file", () => {
  it("the R2R reader reads one episode per instruction", async () => {
    const episodes = await load({ path: json("two.json", [path]), graphs });
    expect(episodes.map((episode) => episode.toDict())).toMatchObject([
      {
        episode_id: "7_0",
        task_type: "vln",
        scene_id: "hall",
        start_state: { position: [0, 0, 0], node: "a" },
        goals: { position: [2, 0, 0], node: "c", radius: 3 },
        instruction: { text: "Go two on." },
        reference_data: {
          nodes: ["a", "b", "c"],
          path: [
            [0, 0, 0],
            [1, 0, 0],
            [2, 0, 0],
          ],
        },
        task_config: { path_id: "7", distance: 2 },
      },
      { episode_id: "7_1", instruction: { text: "Walk to c." } },
    ]);
  });

  it("the R2R reader reads headings that increase clockwise", async () => {
    const [episode] = await load({ path: json("heading.json", [path]), graphs });
    // A quarter turn clockwise from -z faces +x, where b is.
    const heading = quatXyzwToHeading(episode?.startState.rotation ?? [0, 0, 0, 1]);
    expect(heading).toBeCloseTo(bearing([0, 0, 0], [1, 0, 0]), 12);
  });

  it("an episode of the test split has no goals", async () => {
    const test = { ...path, path: ["a"] };
    const [episode] = await load({ path: json("test.json", [test]), graphs });
    expect(episode).toMatchObject({ goals: {}, referenceData: null, startState: { node: "a" } });
  });

  it.each([
    [
      "a viewpoint that is not in the graph",
      ["a", "x"],
      "unknown_node",
      'path[1]: the graph of hall has no viewpoint "x"',
    ],
    [
      "a jump",
      ["a", "b", "d"],
      "off_graph_step",
      "path[2]: the graph of hall has no edge from b to d",
    ],
    ["no path", [], "bad_episode", "path: "],
  ])("the R2R reader rejects a file with %s", async (_, nodes, code, message) => {
    const file = json("bad.json", [path, { ...path, path_id: 8, path: nodes }]);
    await expect(load({ path: file, graphs })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`path 8, ${message}`),
      where: `${file}, [1]`,
    });
  });

  it("the R2R reader rejects a dataset without navigation graphs", async () => {
    await expect(load({ path: json("plain.json", [path]) })).rejects.toMatchObject({
      code: "missing_graphs",
      hint: expect.stringContaining("--connectivity"),
    });
  });
});

describe("R2R submission", () => {
  const dataset = () => r2rFormat.episodes({ path: json("gt.json", [path]), graphs });
  const pose = (node: string) => [node, 1.5, 0];

  async function records(...trajectory: unknown[]) {
    const file = json("submission.json", [{ instr_id: "7_1", trajectory }]);
    const reading = await readSubmission({
      path: file,
      format: r2rFormat,
      episodes: dataset(),
      graphs,
    });
    const out = [];
    for await (const { episode, submission } of reading.trajectories()) {
      out.push(submissionRecords(episode, submission, (a, b) => graph.distance(a, b)));
    }
    return out;
  }

  it("the R2R submission reader converts a submission to step records that end with a stop", async () => {
    expect(await records(pose("a"), pose("b"), ["b", 2, 0], pose("c"))).toEqual([
      [
        {
          step: 0,
          action: null,
          state: { position: [0, 0, 0], node: "a", heading: -1.5, distance_to_goal: 2 },
        },
        {
          step: 1,
          action: "goto:b",
          state: { position: [1, 0, 0], node: "b", heading: -1.5, distance_to_goal: 1 },
        },
        {
          step: 2,
          action: "goto:c",
          state: { position: [2, 0, 0], node: "c", heading: -1.5, distance_to_goal: 0 },
        },
        {
          step: 3,
          action: "stop",
          state: { position: [2, 0, 0], node: "c", heading: -1.5, distance_to_goal: 0 },
        },
      ],
    ]);
  });

  it.each([
    ["starts elsewhere", [pose("b")], "wrong_start", "trajectory[0]"],
    ["leaves the graph", [pose("a"), pose("b"), pose("z")], "unknown_node", "trajectory[2]"],
    ["jumps", [pose("a"), pose("a"), pose("c")], "off_graph_step", "trajectory[2]"],
    ["is empty", [], "empty_trajectory", "empty"],
  ])(
    "the R2R submission reader rejects a submission that %s, with episode and index",
    async (_, trajectory, code, message) => {
      await expect(records(...trajectory)).rejects.toMatchObject({
        code,
        exitCode: 2,
        message: expect.stringMatching(
          new RegExp(`episode 7_1.*${message.replace(/[[\]]/g, "\\$&")}`),
        ),
        where: expect.stringContaining("submission.json, [0]"),
      });
    },
  );

  it("the R2R submission reader names the episode of a submission that contains NaN", async () => {
    const path = json("nan.json", []);
    writeFileSync(path, '[{"instr_id": "7_1", "trajectory": [["a", NaN, 0]]}]');
    const reading = readSubmission({ path, format: r2rFormat, episodes: dataset(), graphs });
    await expect(reading).rejects.toMatchObject({
      message: expect.stringMatching(/^episode 7_1, trajectory\.0\.1: .*NaN/),
    });
  });

  it("the R2R submission reader rejects a submission with an invalid layout, with entry and field", async () => {
    await expect(records("a")).rejects.toMatchObject({
      code: "bad_episode",
      message: expect.stringContaining("trajectory.0"),
    });
  });
});

describeWithSharedData("published R2R paths", () => {
  it("the published files have three episodes per path", async () => {
    const episodes = await load({
      path: sharedData("valan_testdata/r2r/testdata/R2R_3scans.json"),
      graphs: new MatterportGraphs(sharedData("valan_testdata/r2r/testdata/connections")),
    });
    expect(episodes).toHaveLength(36);
    expect(new Set(episodes.map(({ taskConfig }) => taskConfig.path_id)).size).toBe(12);
    expect(new Set(episodes.map(({ episodeId }) => episodeId)).size).toBe(36);
  });

  it("the published paths have the stated lengths", async () => {
    const graphs = new MatterportGraphs(sharedData("valan_testdata/r2r/testdata/connections"));
    const file = sharedData("valan_testdata/r2r/testdata/R2R_3scans.json");
    for (const { sceneId, startState, goals, taskConfig } of await load({ path: file, graphs })) {
      const scene = await graphs.graph(sceneId);
      const length = scene.distance(
        scene.place(String(startState.node)),
        scene.place(String(goals.node)),
      );
      expect(length).toBeCloseTo(Number(taskConfig.distance), 1);
    }
  });
});
