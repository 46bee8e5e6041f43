import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  makeEpisode,
  measure,
  type Setting,
  type Step,
  taskUnder,
  thenStop,
  walk,
} from "../../../test/support/nav-task.js";
import { DataError } from "../../core/errors.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import type { BaseMetric } from "../../core/metric/base.js";
import { NavGraph } from "../../core/scene/graph.js";
import { Cls } from "./cls.js";
import { Dtw } from "./dtw.js";
import { Ndtw } from "./ndtw.js";
import { Sdtw } from "./sdtw.js";
import { NavigationSuccess } from "./success.js";

const line: Vec3[] = [
  [0, 0, 0],
  [1, 0, 0],
  [2, 0, 0],
  [3, 0, 0],
];
const offset: Vec3[] = line.map(([x]) => [x, 0, 1]);
const all: (new () => BaseMetric)[] = [Dtw, Ndtw, Sdtw, Cls];

/** A setting with Euclidean ground distance, a success distance of 0.2 m and no stop required. */
function along(path: readonly Vec3[], extra: Setting = {}): Setting {
  const goals = path.at(-1);
  return {
    episode: makeEpisode({
      ...(goals ? { goals: { position: [...goals] } } : {}),
      referenceData: { path: path.map(([x, y, z]) => [x, y, z]) },
    }),
    task: taskUnder("design"),
    ...extra,
  };
}

function visiting(path: readonly Vec3[], goal: Vec3 = [3, 0, 0]): Step[] {
  return walk(
    path.map((position) => ({ position })),
    [{ position: goal }],
  );
}

describe("dtw", () => {
  it("dtw adds up the deviation of every aligned pair", () => {
    expect(measure(new Dtw(), visiting(offset), along(line))).toBe(4);
  });

  it("dtw does not count a repeated position twice", () => {
    const waiting = offset.flatMap((p) => [p, p, p]);
    expect(measure(new Dtw(), thenStop(visiting(waiting)), along(line))).toBe(4);
  });

  it("dtw uses the dense path if the profile says so and the dataset has one", () => {
    const episode = makeEpisode({
      referenceData: { path: [[0, 0, 0]], dense_path: offset.map(([x, y, z]) => [x, y, z]) },
    });
    const steps = thenStop(visiting(offset));
    expect(measure(new Dtw(), steps, { episode, task: taskUnder("vlnce") })).toBe(0);
    expect(measure(new Dtw(), steps, { episode, task: taskUnder("habitat") })).toBeGreaterThan(0);
  });
});

describe("ndtw", () => {
  it("ndtw is exp(-DTW / (|R| success_distance))", () => {
    const value = measure(new Ndtw(), visiting(offset), along(line));
    expect(value).toBeCloseTo(Math.exp(-4 / (4 * 0.2)), 12);
  });

  it("ndtw is 1 on the reference path", () => {
    expect(measure(new Ndtw(), visiting(line), along(line))).toBe(1);
  });
});

describe("sdtw", () => {
  it("sdtw equals ndtw with success and is 0 without", () => {
    expect(measure(new Sdtw(), visiting(line), along(line))).toBe(1);
    expect(measure(new Sdtw(), visiting(line.slice(0, 3)), along(line))).toBe(0);
  });

  it("sdtw is 0 when the episode ends exactly at the success distance, unlike in r4r", () => {
    const task = taskUnder("design", { success_distance: 1 });
    expect(measure(new Sdtw(), visiting(line.slice(0, 3)), along(line, { task }))).toBe(0);
  });
});

describe("cls", () => {
  it("cls is 1 on the reference path", () => {
    expect(measure(new Cls(), visiting(line), along(line))).toBe(1);
  });

  it("cls does not depend on the direction of travel, unlike dtw", () => {
    const back = visiting(line.toReversed());
    expect(measure(new Cls(), back, along(line))).toBe(1);
    expect(measure(new Dtw(), back, along(line))).toBeGreaterThan(0);
  });

  it("cls is lower for a path that is too long", () => {
    const twice = [...line, ...line.toReversed().slice(1)];
    // The coverage is complete; 3 m were expected and 6 m travelled.
    expect(measure(new Cls(), visiting(twice), along(line))).toBe(0.5);
  });

  it("cls equals the coverage when both paths are a single point", () => {
    expect(measure(new Cls(), visiting([[0, 0, 0]]), along([[0, 0, 0]]))).toBe(1);
    const value = measure(new Cls(), visiting([[0.2, 0, 0]]), along([[0, 0, 0]]));
    expect(value).toBeCloseTo(Math.exp(-1), 12);
  });

  it("cls is half the coverage for a robot that never moves", () => {
    const coverage = [0, 1, 2, 3].reduce((sum, d) => sum + Math.exp(-d / 0.2), 0) / 4;
    const value = measure(new Cls(), visiting([[0, 0, 0]]), along(line));
    expect(value).toBeCloseTo(coverage / 2, 12);
  });

  it("cls is 0 for a robot that moves when the reference is a single point", () => {
    expect(measure(new Cls(), visiting(line), along([[0, 0, 0]]))).toBe(0);
  });
});

describe("path fidelity on a scene", () => {
  const square = new NavGraph(
    "square",
    [
      { id: "a", position: [0, 0, 0] },
      { id: "b", position: [1, 0, 0] },
      { id: "c", position: [1, 0, 1] },
      { id: "d", position: [0, 0, 1] },
    ],
    [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
  );
  const setting: Setting = {
    task: taskUnder("r2r"),
    episode: makeEpisode({
      referenceData: { path: [[0, 0, 0]], nodes: ["a"] },
      goals: { position: [0, 0, 0], node: "a" },
    }),
    context: { distance: (a, b) => square.distance(a, b) },
  };

  it("path fidelity on a scene measures along the graph: node d is 1 m from a in a straight line, but 3 m along the edges", () => {
    const steps = walk([square.place("d")], [square.place("a")]);
    expect(measure(new Dtw(), steps, setting)).toBe(3);
  });

  it("path fidelity on a scene finds the node of a position that has no node name", () => {
    expect(measure(new Dtw(), visiting([[0, 0, 1]]), setting)).toBe(3);
  });

  it.each(all)("%o throws without the scene instead of using straight lines", (Metric) => {
    const reset = () => new Metric().reset(makeEpisode(), taskUnder("r2r"), {});
    expect(reset).toThrow(DataError);
    expect(reset).toThrow(/profile "r2r"/);
  });
});

describe("path fidelity in general", () => {
  it.each(all)("%o is null without a reference path", (Metric) => {
    expect(measure(new Metric(), visiting(line))).toBeNull();
    expect(measure(new Metric(), visiting(line), along([]))).toBeNull();
    expect(measure(new Metric(), [], along(line))).toBeNull();
  });

  it.each(all)("%o keeps no state from the previous episode", (Metric) => {
    const metric = new Metric();
    measure(metric, visiting(offset), along(offset));
    expect(measure(metric, visiting(line), along(line))).toBe(
      measure(new Metric(), visiting(line), along(line)),
    );
  });

  it("path fidelity stays in the range of each metric, and sdtw never exceeds success or ndtw", () => {
    const coordinate = fc.integer({ min: -3, max: 3 });
    const path = fc.array(fc.tuple(coordinate, coordinate, coordinate), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(path, path, (travelled, reference) => {
        const end = reference.at(-1) ?? [0, 0, 0];
        const setting = along(reference, { task: taskUnder("design", { success_distance: 3 }) });
        const steps = visiting(travelled, end);
        const value = (metric: BaseMetric) => measure(metric, steps, setting) ?? Number.NaN;
        const [ndtw, sdtw, cls] = [value(new Ndtw()), value(new Sdtw()), value(new Cls())];
        for (const share of [ndtw, sdtw, cls]) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1 + 1e-12);
        }
        expect(sdtw).toBeLessThanOrEqual(Math.min(ndtw, value(new NavigationSuccess())));
        expect(value(new Dtw())).toBeGreaterThanOrEqual(
          distance3(travelled[0] ?? end, reference[0] ?? end),
        );
      }),
    );
  });
});
