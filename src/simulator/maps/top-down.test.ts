import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Vec3 } from "../../core/math/vec3.js";
import { INK } from "./palette.js";
import { type TopDownMap, topDownPng, topDownSvg } from "./top-down.js";
import { HOUSE, TWO_ROOMS } from "./two-rooms.fixture.js";

const EMPTY = { vertices: new Float32Array(), polygons: [] };

/** Throws on anything that is not well-formed XML. */
const rendered = (svg: string) =>
  sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true });
const labels = (svg: string) =>
  [...svg.matchAll(/aria-label="([^"]*)"/g)].map(([, words]) => words);
const panels = (svg: string) => svg.split("<svg ").slice(2);

describe("a top-down map", () => {
  const svg = topDownSvg(TWO_ROOMS);

  it("a map labels its title, rooms, furniture and symbols", () => {
    expect(svg).toContain(`<title>${TWO_ROOMS.title}</title>`);
    expect(labels(svg)).toEqual(
      expect.arrayContaining([
        TWO_ROOMS.title,
        "living room 1",
        "bedroom 1",
        "couch",
        "table",
        "bed",
        "1 m",
        "start",
        "goal",
        "within 0.1 m of a view point",
        "reference path",
        "path taken",
        "collision",
        "end",
      ]),
    );
  });

  it("a map marks only the goal object", () => {
    expect(svg.split(`fill="${INK.goalObject}"`)).toHaveLength(2);
    const elsewhere = topDownSvg({ ...TWO_ROOMS, goals: [[6, 0, 3]] });
    expect(elsewhere).not.toContain(`fill="${INK.goalObject}"`);
  });

  it("a map omits overhead and flat objects and labels furniture where nothing covers it", () => {
    const [building, table, ...others] = TWO_ROOMS.model?.instances ?? [];
    if (!building || !table) throw new Error("no table");
    const boxes = (more: readonly object[]) =>
      topDownSvg({
        ...TWO_ROOMS,
        model: {
          rooms: [],
          doors: [],
          instances: [building, table, ...others, ...more.map((each) => ({ ...table, ...each }))],
        },
      });
    const lamp = { category: "lamp", min: [6, 2.2, 3], max: [6.4, 2.5, 3.4] };
    const rug = { category: "rug", min: [1, 0, 1], max: [4, 0.02, 3] };
    expect(boxes([lamp, rug])).toBe(boxes([]));
    const vase = { category: "vase", min: [2.3, 0.75, 1.8], max: [2.7, 1, 2.2] };
    expect(labels(boxes([]))).toContain("table");
    expect(labels(boxes([vase]))).not.toContain("table");
  });

  it("a map has the walkable area in one path and embeds no other document", () => {
    expect(svg.match(new RegExp(`<path [^>]*fill="${INK.walkable}"`, "g"))).toHaveLength(1);
    expect(svg).not.toMatch(/href|url\(|<text|<image|<style| id=/);
  });

  it("the same episode gives the same bytes", () => {
    expect(topDownSvg(structuredClone(TWO_ROOMS))).toBe(svg);
  });

  it("numbers in a map have at most one decimal", () => {
    const scales = svg.replace(/scale\([^)]*\)/g, "");
    expect(scales.replace(/aria-label="[^"]*"|<title>.*<\/title>/g, "")).not.toMatch(/\d\.\d\d/);
  });

  it("a map has the requested width, 800 pixels by default", async () => {
    expect((await rendered(svg)).info.width).toBe(800);
    const small = await rendered(topDownSvg({ ...TWO_ROOMS, widthPx: 320 }));
    expect(small.info.width).toBe(320);
    const absurd = topDownSvg({ ...TWO_ROOMS, widthPx: -5 });
    expect(absurd).toContain('width="160"');
  });

  it("a map has -z upwards and x to the right", () => {
    const up = topDownSvg({
      surface: EMPTY,
      start: { position: [0, 0, 0], headingRad: 0 },
      taken: [{ position: [0, 0, 0] }, { position: [1, 0, -3] }],
    });
    const [, dx, dy] = up.match(/d="M[-\d. ]+l([-\d.]+?) ?(-?[\d.]+)" stroke="#/) ?? [];
    expect(Number(dx)).toBeGreaterThan(0);
    expect(Number(dy)).toBeLessThan(0);
  });

  it("the legend lists only the symbols in use", () => {
    const bare = labels(topDownSvg({ surface: TWO_ROOMS.surface }));
    expect(bare).toEqual(["1 m"]);
  });

  it("a map escapes untrusted text", async () => {
    const title = `<script>alert("x")</script> & \u0007 ]]> 'q'`;
    const hostile = topDownSvg({ ...TWO_ROOMS, title });
    expect(hostile).not.toContain("<script");
    await rendered(hostile);
  });
});

describe("a path on a map", () => {
  it("a map is drawn for a missing path, an empty one and a single point", async () => {
    for (const taken of [undefined, [], [{ position: [1, 0, 1] as const }]]) {
      const { taken: _, ...rest } = TWO_ROOMS;
      const svg = topDownSvg({ ...rest, ...(taken ? { taken } : {}) });
      expect(labels(svg)).not.toContain("path taken");
      await rendered(svg);
    }
  });

  it("the path taken grows darker with time", () => {
    const taken = Array.from({ length: 40 }, (_, i) => ({ position: [i / 5, 0, 2] as const }));
    const svg = topDownSvg({ surface: EMPTY, taken });
    const colors = [...svg.matchAll(/l[^"]*" stroke="#(\w{6})"\/>/g)].map(([, hex]) =>
      Number.parseInt(hex?.slice(0, 2) ?? "", 16),
    );
    expect(colors).toHaveLength(16);
    expect(colors).toEqual(colors.toSorted((a, b) => b - a));
  });

  it("a map has one cross where a robot collides repeatedly", () => {
    const stuck = Array.from({ length: 500 }, () => ({
      position: [1, 0, 1] as const,
      collided: true,
    }));
    expect(topDownSvg({ surface: EMPTY, taken: stuck }).length).toBeLessThan(8000);
  });

  it("a map with hundreds of view points stays small", () => {
    const viewPoints = Array.from({ length: 800 }, (_, i): Vec3 => [5 + (i % 30) / 10, 0, i / 250]);
    expect(topDownSvg({ ...TWO_ROOMS, viewPoints }).length).toBeLessThan(35_000);
  });

  it("a map of any positions never contains NaN", () => {
    const number = fc.oneof(fc.double(), fc.double({ min: -20, max: 20, noNaN: true }));
    const position = fc.tuple(number, number, number);
    const path = fc.array(position, { maxLength: 8 });
    fc.assert(
      fc.property(
        fc.record({
          path,
          goals: path,
          viewPoints: path,
          reference: path,
          number,
          heading: number,
        }),
        ({ path: taken, goals, viewPoints, reference, number: radius, heading: headingRad }) => {
          for (const base of [{ surface: EMPTY }, { surface: HOUSE.surface }, TWO_ROOMS]) {
            const map: TopDownMap = {
              ...base,
              start: { position: taken[0] ?? [0, 0, 0], headingRad },
              taken: taken.map((at) => ({ position: at, headingRad, collided: true })),
              goals,
              viewPoints,
              reference,
              successDistanceM: radius,
              title: "t",
            };
            expect(topDownSvg(map)).not.toMatch(/NaN|Infinity|undefined|\de[-+]/);
          }
        },
      ),
    );
  });
});

describe("a map of several storeys", () => {
  it("a map of several storeys draws a labelled panel for each storey that the episode visits", () => {
    const svg = topDownSvg(HOUSE);
    expect(panels(svg)).toHaveLength(2);
    expect(labels(svg)).toEqual(
      expect.arrayContaining(["storey 1 of 2, floor at 0.0 m", "storey 2 of 2, floor at 2.8 m"]),
    );
  });

  it("a map of several storeys omits storeys that the episode does not visit", () => {
    const { reference: _, taken: __, goals: ___, ...rest } = HOUSE;
    const below = topDownSvg({ ...rest, goals: [[6, 0.4, 2]] });
    expect(panels(below)).toHaveLength(1);
    expect(labels(below)).toContain("storey 1 of 2, floor at 0.0 m");
    const { start: ____, ...nowhere } = rest;
    const above = topDownSvg({ ...nowhere, goals: [[6, 3.9, 2]] });
    expect(labels(above)).toContain("storey 2 of 2, floor at 2.8 m");
    expect(labels(above)).not.toContain("bedroom 1");
  });

  it("a map of several storeys draws stairs and the path on them on both storeys", () => {
    const svg = topDownSvg(HOUSE);
    for (const panel of panels(svg)) {
      expect(panel).toContain(`fill="${INK.stairs}"`);
      expect(panel).toContain(`stroke="${INK.reference}"`);
    }
  });

  it("a map of several storeys draws start and goal once, on their storey", () => {
    const [below = "", above = ""] = panels(topDownSvg(HOUSE)).map(
      (panel) => panel.split("</svg>")[0],
    );
    expect(below).toContain(`fill="${INK.start}"`);
    expect(above).not.toContain(`fill="${INK.start}"`);
    expect(below).not.toContain(`fill="${INK.goal}"`);
    expect(above).toContain(`fill="${INK.goal}"`);
  });
});

describe("a map as PNG", () => {
  it("topDownPng rasterises the SVG at its size", async () => {
    const png = await topDownPng(TWO_ROOMS);
    const { info, data } = await sharp(png)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const svg = topDownSvg(TWO_ROOMS);
    expect(svg).toContain(`width="${info.width}" height="${info.height}"`);
    const colors = new Set<number>();
    for (let i = 0; i < data.length; i += 3) colors.add(data.readUIntBE(i, 3));
    const of = (hex: string) => Number.parseInt(hex.slice(1), 16);
    expect(colors.has(of(INK.walkable)) && colors.has(of(INK.start))).toBe(true);
    expect(colors.size).toBeGreaterThan(50);
  });
});
