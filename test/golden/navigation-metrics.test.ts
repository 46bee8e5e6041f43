import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromMatterport, type Vec3 } from "../../src/core/math/vec3.js";
import { aggregate, type BaseMetric } from "../../src/core/metric/base.js";
import { NavGraph } from "../../src/core/scene/graph.js";
import { Cls } from "../../src/metrics/navigation/cls.js";
import { Dtw } from "../../src/metrics/navigation/dtw.js";
import { GoalProgress } from "../../src/metrics/navigation/goal-progress.js";
import { NavigationError } from "../../src/metrics/navigation/navigation-error.js";
import { Ndtw } from "../../src/metrics/navigation/ndtw.js";
import { OracleSuccess } from "../../src/metrics/navigation/oracle-success.js";
import { PathLength } from "../../src/metrics/navigation/path-length.js";
import { Sdtw } from "../../src/metrics/navigation/sdtw.js";
import { Spl } from "../../src/metrics/navigation/spl.js";
import { NavigationSuccess } from "../../src/metrics/navigation/success.js";
import { describeWithSharedData, sharedData } from "../shared-data.js";
import { makeEpisode, score, taskUnder, walk } from "../support/nav-task.js";

/** One entry of a Matterport connectivity file. */
interface Viewpoint {
  readonly image_id: string;
  readonly pose: readonly number[];
  readonly included: boolean;
  readonly unobstructed: readonly boolean[];
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(sharedData(path), "utf8"));

/** Builds the graph: edges connect included, unobstructed viewpoints; `locate` gives the positions. */
function graphOf(path: string, locate: (viewpoint: Viewpoint) => Vec3): NavGraph {
  const viewpoints = readJson(path) as Viewpoint[];
  const edges = viewpoints.flatMap((a, i) =>
    viewpoints.flatMap((b, j) =>
      a.included && b.included && a.unobstructed[j] ? [[i, j] as const] : [],
    ),
  );
  const nodes = viewpoints.map((v) => ({ id: v.image_id, position: locate(v) }));
  return new NavGraph(path, nodes, edges);
}

function atPose({ pose }: Viewpoint): Vec3 {
  return fromMatterport(pose[3] ?? 0, pose[7] ?? 0, pose[11] ?? 0);
}

// google-research/valan r2r/eval_metric_test.py and r2r/testdata (Apache-2.0), scan gZ6f7yhEvPG: numbers
// only. Nodes are numbered from 1 in the order of their ids. DTW and nDTW are derived from the same data.
const VALAN_POSITIONS: readonly (readonly [number, number, number])[] = [
  [-0.0949841, 1.31374, 1.38966],
  [-2.76614, 1.53869, 1.40043],
  [1.00069, 1.15931, 1.38346],
  [0.00767929, -0.000936846, 1.39059],
  [-2.80303, -1.40095, 1.39357],
  [-2.37361, -0.0533646, 1.4007],
  [-0.188547, -1.71404, 1.38882],
  [1.11828, -1.1107, 1.38216],
];
const VALAN_EDGES: readonly (readonly [number, number])[] = [
  [1, 3],
  [1, 4],
  [1, 8],
  [2, 5],
  [2, 6],
  [3, 4],
  [3, 7],
  [3, 8],
  [4, 6],
  [4, 7],
  [4, 8],
  [5, 6],
  [5, 7],
  [7, 8],
];

function expectValanNumbers(graph: NavGraph): void {
  const ids = graph.nodes.map((node) => node.id).sort();
  const place = (number: number) => graph.place(ids[number - 1] ?? "");
  const distance = graph.distance.bind(graph);
  const reference = [1, 4, 6, 2].map(place);
  const value = (metric: BaseMetric, path: readonly number[]) =>
    score(metric, walk(path.map(place), [place(2)], distance), {
      task: taskUnder("r2r"),
      episode: makeEpisode({
        referenceData: {
          path: reference.map(({ position: [x, y, z] }) => [x, y, z]),
          nodes: reference.map(({ node }) => node ?? ""),
        },
      }),
      context: { distance },
    });

  const path = [1, 3, 7, 5, 2];
  expect(distance(place(1), place(2))).toBeCloseTo(5.34029839056, 10);
  expect(value(new NavigationSuccess(), path)).toBe(1);
  expect(value(new PathLength(), path)).toBeCloseTo(9.789302946173642, 12);
  expect(value(new Spl(), path)).toBeCloseTo(0.5455238661961479, 12);
  expect(value(new NavigationError(), [1, 3, 7, 5])).toBeCloseTo(2.939879463736566, 12);
  expect(value(new Cls(), path)).toBeCloseTo(0.36422316181585335, 12);
  expect(value(new Dtw(), path)).toBeCloseTo(4.2451954672230965, 12);
  expect(value(new Ndtw(), path)).toBeCloseTo(0.7020390224713315, 12);
  expect(value(new Sdtw(), path)).toBeCloseTo(0.7020390224713315, 12);
}

describe("valan's test vectors", () => {
  it("metrics reproduce the vectors of valan on the graph with the given distances", () => {
    const nodes = VALAN_POSITIONS.map((xyz, i) => ({
      id: String(i + 1),
      position: fromMatterport(...xyz),
    }));
    const edges = VALAN_EDGES.map(([a, b]) => [a - 1, b - 1] as const);
    expectValanNumbers(new NavGraph("gZ6f7yhEvPG", nodes, edges));
  });
});

describeWithSharedData("valan's published graph", () => {
  const folder = "valan_testdata/r2r/testdata";
  const connectivity = `${folder}/connections/gZ6f7yhEvPG_connectivity.json`;

  it("metrics reproduce the vectors of valan with the positions of the house file", () => {
    const house = new Map<string, Vec3>();
    for (const line of readFileSync(sharedData(`${folder}/gZ6f7yhEvPG.house`), "utf8").split(
      "\n",
    )) {
      const [kind, id, , , , x, y, z] = line.split(/\s+/);
      if (kind === "P" && id) house.set(id, fromMatterport(Number(x), Number(y), Number(z)));
    }
    expect(house.size).toBe(8);
    expectValanNumbers(graphOf(connectivity, ({ image_id }) => house.get(image_id) ?? [0, 0, 0]));
  });

  it("the poses of the connectivity file give different lengths", () => {
    const graph = graphOf(connectivity, atPose);
    const ids = graph.nodes.map((node) => node.id).sort();
    const places = [1, 3, 7, 5, 2].map((number) => graph.place(ids[number - 1] ?? ""));
    const steps = walk(places, places.slice(-1), graph.distance.bind(graph));
    expect(steps[0]?.state.distance_to_goal).toBeCloseTo(5.346629, 6);
    expect(score(new PathLength(), steps)).toBeCloseTo(9.829699, 6);
  });
});

// weituo12321/PREVALENT_R2R (MIT): NDH val_unseen, one agent's trajectories at iteration 100 and the
// authors' log of their scores.
describeWithSharedData("the NDH authors' log", () => {
  interface Instance {
    readonly inst_idx: number;
    readonly scan: string;
    readonly planner_path: readonly string[];
    readonly player_path: readonly string[];
    readonly end_panos: readonly string[];
  }
  interface Prediction {
    readonly inst_idx: number;
    readonly trajectory: readonly (readonly [string, number, number])[];
  }

  const graphs = new Map<string, NavGraph>();
  function graphFor(scan: string): NavGraph {
    const graph = graphs.get(scan) ?? graphOf(`connectivity/${scan}_connectivity.json`, atPose);
    graphs.set(scan, graph);
    return graph;
  }

  /** The planner's goal, or the player's end position if the player passed the goal. */
  function trustedGoal({ planner_path, player_path }: Instance): string {
    const planned = planner_path.at(-1) ?? "";
    return player_path.slice(1).includes(planned) ? (player_path.at(-1) ?? "") : planned;
  }

  it("the mean over all 907 episodes reproduces the published NDH log", () => {
    const instances = new Map(
      (readJson("ndh/val_unseen.json") as Instance[]).map((one) => [one.inst_idx, one]),
    );
    const predictions = readJson(
      "ndh/val-seq2seq-all-trusted_path-40-sample-imagenet_val_unseen_iter_100.json",
    ) as Prediction[];
    const published = [
      [PathLength, 8.9306352492505],
      [NavigationError, 11.008166007522911],
      [OracleSuccess, 0.3153252480705623],
      [NavigationSuccess, 0.1422271223814774],
      [Spl, 0.12502117475034094],
      [GoalProgress, 0.3964895357572018],
    ] as const;

    for (const [Metric, expected] of published) {
      const values = predictions.map(({ inst_idx, trajectory }) => {
        const instance = instances.get(inst_idx);
        if (!instance) throw new Error(`no NDH instance ${inst_idx}`);
        const graph = graphFor(instance.scan);
        const distance = graph.distance.bind(graph);
        const goal = graph.place(trustedGoal(instance));
        const places = trajectory.map(([node]) => graph.place(node));
        return score(new Metric(), walk(places, [goal], distance), {
          task: taskUnder("ndh"),
          episode: makeEpisode({ goals: { progress_nodes: [...instance.end_panos] } }),
          context: { distance },
        });
      });
      const { mean, count } = aggregate(values.filter((value) => value !== null));
      expect(count).toBe(907);
      expect(mean, new Metric().metricName).toBeCloseTo(expected, 10);
    }
  });
});
