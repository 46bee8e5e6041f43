import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { MatterportGraphs } from "./matterport-connectivity.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-graphs-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Viewpoint {
  image_id: string;
  pose: number[];
  included: boolean;
  unobstructed: boolean[];
}

function viewpoint(id: string, [x, y, z]: number[], unobstructed: number[]): Viewpoint {
  const pose = [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1].map(Number);
  return { image_id: id, pose, included: true, unobstructed: unobstructed.map(Boolean) };
}

/** Viewpoints a - b - c, and d beside b, which is not included. */
function line(): Viewpoint[] {
  return [
    viewpoint("a", [0, 0, 1.5], [0, 1, 0, 0]),
    viewpoint("b", [0, 2, 1.5], [1, 0, 1, 1]),
    viewpoint("c", [1, 2, 1.5], [0, 1, 0, 0]),
    { ...viewpoint("d", [9, 9, 9], [0, 1, 0, 0]), included: false },
  ];
}

function write(scan: string, viewpoints: unknown): MatterportGraphs {
  writeFileSync(join(folder, `${scan}_connectivity.json`), JSON.stringify(viewpoints));
  return new MatterportGraphs(folder);
}

describe("MatterportGraphs", () => {
  it("MatterportGraphs reads a graph of the included viewpoints, with y up", async () => {
    const graph = await write("line", line()).graph("line");
    expect(graph.nodes).toEqual([
      { id: "a", position: [0, 1.5, 0] },
      { id: "b", position: [0, 1.5, -2] },
      { id: "c", position: [1, 1.5, -2] },
    ]);
    expect(graph.neighbours("b")).toEqual(["a", "c"]);
    expect(graph.distance(graph.place("a"), graph.place("c"))).toBe(3);
  });

  it("MatterportGraphs finds a graph by the name of the scan or of its scene file", async () => {
    const graphs = write("line", line());
    const graph = await graphs.graph("line");
    expect(await graphs.graph("mp3d/line/line.glb")).toBe(graph);
    expect(await graphs.graph("line.basis.glb")).toBe(graph);
  });

  it("MatterportGraphs names the folder and its content if a scan is missing", async () => {
    const graphs = write("line", line());
    for (const scene of ["nowhere", "../line/..", ""]) {
      await expect(graphs.graph(scene)).rejects.toMatchObject({
        code: "missing_scene",
        where: folder,
        hint: expect.stringMatching(/has \d+ graphs/),
      });
    }
    await expect(new MatterportGraphs(join(folder, "no")).graph("line")).rejects.toMatchObject({
      code: "missing_directory",
    });
  });

  it.each([
    ["pose", { pose: [1, 2, 3] }, "pose"],
    ["unobstructed", { unobstructed: [true] }, "viewpoint b, unobstructed: has 1 entries for 4"],
    ["included", { included: "yes" }, "included"],
  ])(
    "MatterportGraphs names file and viewpoint if %s is invalid",
    async (name, change, message) => {
      const viewpoints = line().map((v) => (v.image_id === "b" ? { ...v, ...change } : v));
      await expect(write(`bad-${name}`, viewpoints).graph(`bad-${name}`)).rejects.toMatchObject({
        message: expect.stringContaining(message),
        where: expect.stringContaining(`bad-${name}_connectivity.json, [1]`),
      });
    },
  );

  it("MatterportGraphs rejects an edge that exists in one direction only", async () => {
    const viewpoints = line();
    viewpoints[2] = viewpoint("c", [1, 2, 1.5], [0, 0, 0, 0]);
    await expect(write("oneway", viewpoints).graph("oneway")).rejects.toMatchObject({
      code: "bad_graph",
      message: expect.stringContaining("has an edge to c, which has none back"),
    });
  });
});

describeWithSharedData("published Matterport connectivity", () => {
  it.each([
    ["connectivity", 10],
    ["valan_testdata/r2r/testdata/connections", 4],
  ])("MatterportGraphs reads %s completely", async (path, count) => {
    const graphs = new MatterportGraphs(sharedData(path));
    const scans = await graphs.scans();
    expect(scans).toHaveLength(count);
    for (const scan of scans) expect((await graphs.graph(scan)).size).toBeGreaterThan(0);
  });

  it("published Matterport connectivity leaves out viewpoints that are not included", async () => {
    const graphs = new MatterportGraphs(sharedData("connectivity"));
    expect((await graphs.graph("TbHJrupSAjP")).size).toBe(114);
    expect((await graphs.graph("oLBMNvg9in8")).size).toBe(111);
  });

  it("the published graph has the shortest path known from its pose matrices", async () => {
    const graphs = new MatterportGraphs(sharedData("valan_testdata/r2r/testdata/connections"));
    const graph = await graphs.graph("gZ6f7yhEvPG");
    const ids = graph.nodes.map(({ id }) => id).sort();
    const [first = "", second = ""] = ids;
    // Computed independently. The published value (5.34029839056) uses the panorama positions of the .house
    // file, which differ by millimetres.
    expect(graph.distance(graph.place(first), graph.place(second))).toBeCloseTo(5.346629, 6);
  });
});
