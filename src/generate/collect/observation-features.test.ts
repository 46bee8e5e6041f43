import { describe, expect, it } from "vitest";
import type { ColorImage, DepthImage } from "../../core/interfaces/observation.js";
import { type FeatureOptions, observationFeatures } from "./observation-features.js";

const color: ColorImage = { kind: "rgb", width: 1, height: 1, data: new Uint8Array(3) };
const depth: DepthImage = { kind: "depth", width: 1, height: 1, data: new Float32Array(1) };

function see(observation: Readonly<Record<string, unknown>>, more: Partial<FeatureOptions> = {}) {
  const options = { sensors: {}, depth: false, goalImage: false, ...more };
  const { images, state, names } = observationFeatures(observation, options);
  return { images: [...images.keys()], state, names };
}

describe("observationFeatures", () => {
  it("observationFeatures keeps images by camera, and concatenates numbers in the order of the sensors", () => {
    const observation = {
      compass: [0.5],
      instruction: { text: "go" },
      gps: [1, 2, 3],
      qpos: new Float32Array([4, 5]),
      objectgoal: "chair",
      heading: 6,
      rgb: color,
    };
    expect(see(observation)).toEqual({
      images: ["observation.images.rgb"],
      state: [0.5, 1, 2, 3, 4, 5, 6],
      names: ["compass", "gps_x", "gps_y", "gps_z", "qpos_0", "qpos_1", "heading"],
    });
  });

  it("observationFeatures keeps depth and the goal image only if requested", () => {
    const observation = { rgb: color, depth, imagegoal: color, left: depth };
    const sensors = { left: { type: "depth" } };
    expect(see(observation, { sensors }).images).toEqual(["observation.images.rgb"]);
    expect(see(observation, { sensors, depth: true, goalImage: true }).images).toEqual([
      "observation.images.rgb",
      "observation.depth.depth",
      "observation.images.goal",
      "observation.depth.left",
    ]);
  });

  it("observationFeatures recognises cameras with custom names by their type or content", () => {
    const observation = { front: color, wrist: color, scan: depth };
    expect(see(observation, { sensors: { front: { type: "rgb" } } }).images).toEqual([
      "observation.images.front",
      "observation.images.wrist",
    ]);
  });

  it("observationFeatures does not render an image that is not kept", () => {
    const drawn = () => {
      throw new Error("drawn");
    };
    const observation = Object.defineProperties(
      { gps: [1, 2, 3] },
      {
        depth: { enumerable: true, get: drawn },
        semantic: { enumerable: true, get: drawn },
        labels: { enumerable: true, get: drawn },
        imagegoal: { enumerable: true, get: drawn },
      },
    );
    const sensors = { labels: { type: "semantic" } };
    expect(see(observation, { sensors }).state).toEqual([1, 2, 3]);
  });
});
