import { describe, expect, it } from "vitest";
import { camera, part, rendererOf, wall } from "../../../test/support/render-scene.js";
import { ConfigError } from "../../core/errors.js";
import { type Camera, viewOf } from "./camera.js";

describe("a camera", () => {
  const renderer = rendererOf(part(wall(1)));
  const bad: [Partial<Camera>, RegExp][] = [
    [{ width: 0 }, /width cannot be 0; valid is a whole number of pixels from 1 to 4096/],
    [{ width: 640.5 }, /width cannot be 640.5/],
    [{ height: -3 }, /height cannot be -3/],
    [{ height: 4097 }, /height cannot be 4097/],
    [{ height: Number.NaN }, /height cannot be NaN/],
    [{ hfovDeg: 0 }, /hfovDeg cannot be 0; valid is an angle above 0 and below 180/],
    [{ hfovDeg: 180 }, /hfovDeg cannot be 180/],
    [{ hfovDeg: Number.NaN }, /hfovDeg cannot be NaN/],
    [{ position: [0, Number.NaN, 0] }, /position cannot be/],
    [{ position: [0, Number.POSITIVE_INFINITY, 0] }, /position cannot be/],
    [{ rotation: [0, 0, 0, 0] }, /rotation cannot be \[0,0,0,0\]; valid is a quaternion/],
    [{ rotation: [0, 0, Number.NaN, 1] }, /rotation cannot be/],
    [{ nearM: 0 }, /nearM cannot be 0/],
    [{ nearM: 2, farM: 1 }, /farM cannot be 1; valid is a distance above nearM, 2 m/],
  ];
  it.each(bad)("a camera with %o is rejected with the valid values", (changes, message) => {
    const attempt = () => renderer.render(camera(changes), { rgb: true });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.objectContaining({ code: "bad_camera" }));
  });

  it("cameras may be 1 to 4096 pixels wide", () => {
    const frame = renderer.render(camera({ width: 4096, height: 1 }), { depth: true });
    expect(frame.depth?.length).toBe(4096);
    expect(renderer.render(camera({ width: 1, height: 1 }), { ids: true }).ids?.[0]).toBe(1);
  });

  it("a camera looks along -z with y up and accepts quaternions of any length", () => {
    const { right, up, ahead } = viewOf(camera());
    expect([right, up, ahead].map((v) => v.map((c) => c + 0))).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, -1],
    ]);
    // A quarter turn to the left: ahead becomes -x.
    const left = viewOf(camera({ rotation: [0, 3, 0, 3] }));
    expect(left.ahead.map((c) => Math.round(c * 1e9) / 1e9 + 0)).toEqual([-1, 0, 0]);
    expect(left.right.map((c) => Math.round(c * 1e9) / 1e9 + 0)).toEqual([0, 0, -1]);
  });
});
