import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { headingToQuatXyzw } from "../../../core/math/rotation.js";
import { oldHeadings } from "./old-headings.js";

const facing = (degrees: number, sceneId = "mp3d/hall/hall.glb") =>
  soundEpisode({
    sceneId,
    startState: { position: [0, 0, 0], rotation: headingToQuatXyzw((degrees * Math.PI) / 180) },
  });
const twelve = (degrees: (i: number) => number, scene?: string) =>
  Array.from({ length: 12 }, (_, i) => facing(degrees(i), scene));

describe("old_headings", () => {
  it("old_headings finds headings that are not multiples of 30° and reports them once", () => {
    expect(
      problemsOf(
        oldHeadings(),
        twelve((i) => 20 * i + 7),
      ),
    ).toMatchObject([{ message: expect.stringContaining("12 of 12 start headings") }]);
  });

  it("old_headings accepts version 1-3, whose headings are multiples of 30°", () => {
    expect(
      problemsOf(
        oldHeadings(),
        twelve((i) => 30 * i),
      ),
    ).toEqual([]);
  });

  it("old_headings reports nothing for few episodes, other formats and other scenes", () => {
    const old = twelve((i) => 20 * i + 7);
    expect(problemsOf(oldHeadings(), old.slice(0, 9))).toEqual([]);
    const format = { name: "rxr-vlnce", profile: "vlnce" };
    expect(problemsOf(oldHeadings(), old, { format })).toEqual([]);
    expect(
      problemsOf(
        oldHeadings(),
        twelve((i) => 20 * i + 7, "my/flat.glb"),
      ),
    ).toEqual([]);
  });
});
