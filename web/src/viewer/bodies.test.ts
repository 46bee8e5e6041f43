import { Group } from "three";
import { describe, expect, it } from "vitest";
import { BadTrackError, Bodies, decodeTrack, extentOfBodies, movingBodies } from "./bodies.js";

/** Position and rotation of each body at each step. */
function trackOf(bodies: readonly string[], steps: readonly (readonly number[])[]) {
  const numbers = new Float32Array(steps.flat());
  const poses = Buffer.from(numbers.buffer).toString("base64");
  return { bodies, steps: steps.length, poses };
}

const STILL = [0, 0, 0, 0, 0, 0, 1];
const ASIDE = [1, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2];
const document = trackOf(
  ["table", "world/cup"],
  [
    [...STILL, ...STILL],
    [...STILL, ...ASIDE],
  ],
);

describe("a pose track", () => {
  it("a pose track moves the nodes with the names of its bodies, and interpolates between steps", () => {
    const [root, cup] = [new Group(), new Group()];
    // The glTF loader's sanitised form of `world/cup`.
    cup.name = "worldcup";
    cup.userData.name = "world/cup";
    root.add(cup);
    const bodies = new Bodies(root, decodeTrack(document));
    bodies.setCursor(0.5);
    expect(cup.position.x).toBeCloseTo(0.5, 6);
    expect(2 * Math.atan2(cup.quaternion.z, cup.quaternion.w)).toBeCloseTo(Math.PI / 4, 5);
    bodies.setCursor(99);
    expect(cup.position.x).toBe(1);
  });

  it("a pose track finds the bodies that move", () => {
    expect(movingBodies([decodeTrack(document)])).toEqual(new Set(["world/cup"]));
  });

  it("a pose track gives the extent of the motion of the bodies, with y up", () => {
    const { min, max } = extentOfBodies([decodeTrack(document)], new Set(["world/cup"]));
    expect(min.toArray().map((value) => value.toFixed(1))).toEqual(["-0.2", "-0.2", "-0.2"]);
    expect(max.toArray().map((value) => value.toFixed(1))).toEqual(["1.2", "0.2", "0.2"]);
  });

  it("a pose track is rejected if it is truncated", () => {
    const cut = { ...document, poses: document.poses.slice(0, 40) };
    expect(() => decodeTrack(cut)).toThrow(BadTrackError);
  });
});
