import { describe, expect, it } from "vitest";
import { chosenSensors } from "./sensors.js";

const VLN = { rgb: { width: 640 }, depth: {}, instruction: {}, gps: { dim: 3 }, compass: {} };
const HAND = { rgb_head: {}, rgb_wrist: {}, qpos: { dim: 7 }, ee_pose: {} };

describe("chosenSensors", () => {
  it("chosenSensors replaces the cameras by the named ones and keeps the other sensors", () => {
    expect(chosenSensors({ rgb: { width: 64 } }, VLN)).toEqual({
      rgb: { width: 64 },
      instruction: {},
      gps: { dim: 3 },
      compass: {},
    });
    expect(Object.keys(chosenSensors({ rgb: {}, depth: {} }, HAND))).toEqual([
      ...["rgb", "depth", "qpos", "ee_pose"],
    ]);
  });

  it("chosenSensors uses the settings of a named sensor that is no camera, without adding cameras", () => {
    expect(chosenSensors({ gps: { noise: 0.1 } }, VLN)).toEqual({
      gps: { noise: 0.1 },
      instruction: {},
      compass: {},
    });
  });

  it("chosenSensors takes a sensor with the type of a camera for a camera, and a goal image for none", () => {
    const usual = { front: { type: "rgb" }, imagegoal: { width: 640, height: 480 } };
    expect(Object.keys(chosenSensors({ rgb: {} }, usual))).toEqual(["rgb", "imagegoal"]);
  });

  it("chosenSensors keeps all sensors except the switched-off ones if none is named", () => {
    expect(Object.keys(chosenSensors({ gps: false, depth: false }, VLN))).toEqual([
      ...["rgb", "instruction", "compass"],
    ]);
  });

  it("chosenSensors has no cameras if the benchmark lists no sensor", () => {
    expect(Object.keys(chosenSensors({}, VLN))).toEqual(["instruction", "gps", "compass"]);
  });

  it("chosenSensors has exactly the named sensors if all others are switched off", () => {
    expect(chosenSensors({ rgb: {}, "*": false }, VLN)).toEqual({ rgb: {} });
    expect(chosenSensors({ "*": false }, VLN)).toEqual({});
  });
});
