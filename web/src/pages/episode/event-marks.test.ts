import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EpisodeEvent } from "../../../../src/server/view/documents.js";
import { marksOf } from "./event-marks.js";

function marks(events: readonly EpisodeEvent[], end = 100, width = 600) {
  const nameOf = ({ kind, detail }: EpisodeEvent) => detail || kind;
  return marksOf({ events, indexOf: (step) => step, end, width, nameOf });
}

const at = (step: number, kind: EpisodeEvent["kind"], detail = "") => ({ step, kind, detail });

describe("event marks", () => {
  it("event marks are placed at the steps of the events", () => {
    expect(marks([at(25, "grasp"), at(100, "end")]).map(({ left }) => left)).toEqual([25, 100]);
  });

  it("event marks merge collisions that are too close to be drawn separately, and keep the others", () => {
    const found = marks([at(10, "collision"), at(11, "collision"), at(80, "collision")]);
    expect(found.map(({ text }) => text)).toEqual(["collision ×2", "collision"]);
  });

  it("event marks move a label to another row if it would overlap, and omit it if no row is free", () => {
    const found = marks([at(50, "stage", "reached"), at(51, "grasp"), at(52, "stage", "lifted")]);
    expect(found.map(({ row }) => row)).toEqual([0, 1, null]);
  });

  it("event marks include every event and stay within the time line", () => {
    const kind = fc.constantFrom<EpisodeEvent["kind"]>(
      "collision",
      "grasp",
      "drop",
      "stage",
      "end",
    );
    const event = fc.record({ step: fc.nat(200), kind, detail: fc.constant("") });
    fc.assert(
      fc.property(fc.array(event), fc.integer({ min: 0, max: 2000 }), (events, width) => {
        const found = marks(events, 200, width);
        expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(events.length);
        for (const { left } of found) {
          expect(left).toBeGreaterThanOrEqual(0);
          expect(left).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
