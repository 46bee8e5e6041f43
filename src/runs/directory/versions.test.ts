import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PACKAGE_VERSION, versions } from "./versions.js";

const installed = (library: string): unknown =>
  JSON.parse(
    readFileSync(new URL(`../../../node_modules/${library}/package.json`, import.meta.url), "utf8"),
  ).version;

describe("recorded versions", () => {
  it("the recorded versions include this package, Node.js, the machine and the simulation libraries", () => {
    expect(versions()).toEqual({
      robot_eval: PACKAGE_VERSION,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      mujoco: installed("@mujoco/mujoco"),
      recast_navigation: installed("@recast-navigation/wasm"),
    });
  });

  it("the recorded version of MuJoCo is that of the engine which the run chose", () => {
    expect(versions("mujoco-3.3")).toEqual({ ...versions(), mujoco: "3.3.8" });
    expect(versions("mujoco-3.14")).toEqual(versions());
  });
});
