import { describe, expect, it } from "vitest";
import { dtw, dtwPoints } from "../../src/core/math/dtw.js";
import type { BaseMetric } from "../../src/core/metric/base.js";
import { NavGraph } from "../../src/core/scene/graph.js";
import { Cls } from "../../src/metrics/navigation/cls.js";
import { Dtw } from "../../src/metrics/navigation/dtw.js";
import { Ndtw } from "../../src/metrics/navigation/ndtw.js";
import { Sdtw } from "../../src/metrics/navigation/sdtw.js";
import { makeEpisode, score, taskUnder, walk } from "../support/nav-task.js";

type Cell = readonly [x: number, y: number];

/** A grid of 4 x 3 nodes, 1 m apart, with edges to the four neighbours: networkx' grid_graph([3, 4]). */
const cells: Cell[] = [0, 1, 2, 3].flatMap((x) => [0, 1, 2].map((y): Cell => [x, y]));
const grid = new NavGraph(
  "grid",
  cells.map(([x, y]) => ({ id: `${x},${y}`, position: [x, y, 0] })),
  cells.flatMap(([x, y], i) =>
    cells.flatMap(([u, v], j) =>
      Math.abs(x - u) + Math.abs(y - v) === 1 ? [[i, j] as const] : [],
    ),
  ),
);
const distance = grid.distance.bind(grid);
const place = ([x, y]: Cell) => grid.place(`${x},${y}`);

function onGrid(metric: BaseMetric, prediction: readonly Cell[], reference: readonly Cell[]) {
  const goal = reference.slice(-1).map(place);
  return score(metric, walk(prediction.map(place), goal, distance), {
    task: taskUnder("r2r"),
    episode: makeEpisode({
      referenceData: {
        path: reference.map(([x, y]) => [x, y, 0]),
        nodes: reference.map(([x, y]) => `${x},${y}`),
      },
    }),
    context: { distance },
  });
}

// google-research/google-research r4r/{dtw,cls}.py, doctests (Apache-2.0): numbers only. 3 m threshold.
describe("r4r's doctests", () => {
  const reference: Cell[] = [
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 2],
  ];
  const straight: Cell[] = [
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 0],
  ];

  it("DTW, nDTW and sDTW of a path that leaves the reference match r4r", () => {
    expect(onGrid(new Dtw(), straight, reference)).toBe(3);
    expect(onGrid(new Ndtw(), straight, reference)).toBeCloseTo(0.77880078307140488, 15);
    expect(onGrid(new Sdtw(), straight, reference)).toBeCloseTo(0.77880078307140488, 15);
  });

  it("sDTW of a path that ends 4 m from the goal matches r4r", () => {
    expect(onGrid(new Sdtw(), straight.slice(0, 2), reference)).toBe(0);
  });

  // The doctests pass their variable `reference` first, where the signature has the prediction.
  const prediction: Cell[] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [2, 1],
    [2, 2],
    [3, 2],
  ];

  it("CLS of the reference itself matches r4r", () => {
    expect(onGrid(new Cls(), prediction, prediction)).toBe(1);
  });

  it("CLS of a path next to the reference matches r4r", () => {
    const beside: Cell[] = [
      [0, 0],
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
      [3, 2],
    ];
    expect(onGrid(new Cls(), prediction, beside)).toBeCloseTo(0.81994915125863865, 15);
  });

  it("CLS of a path that is longer than the reference matches r4r", () => {
    const middle: Cell[] = [
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
    ];
    expect(onGrid(new Cls(), prediction, middle)).toBeCloseTo(0.44197196102702557, 15);
  });
});

// slaypni/fastdtw, tests/test_fastdtw.py (MIT): numbers only, of its exact `dtw`.
describe("fastdtw's exact values", () => {
  it("exact DTW reproduces fastdtw in one dimension", () => {
    const [x, y] = [
      [1, 2, 3, 4, 5],
      [2, 3, 4],
    ];
    const apart = (i: number, j: number) => Math.abs((x?.[i] ?? 0) - (y?.[j] ?? 0));
    expect(dtw(5, 3, apart)).toBe(2);
  });

  it("exact DTW reproduces fastdtw in two dimensions", () => {
    const diagonal = [1, 2, 3, 4, 5].map((n) => [n, n]);
    expect(dtwPoints(diagonal, diagonal.slice(1, 4))).toBeCloseTo(2.8284271247461903, 15);
  });
});
