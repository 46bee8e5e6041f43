import { expect, it } from "vitest";
import { checkText } from "./scene-check-text.js";

it("the text of a scene check has one row per scene and the reasons of those that fail", () => {
  const text = checkText({
    loaded: 1,
    failed: 1,
    peak_memory_bytes: 250e6,
    skipped: ["cup.glb"],
    scenes: [
      {
        scene: "a.glb",
        loads: true,
        triangles: 1200,
        instances: 3,
        categories: 2,
        textures: 4,
        texture_bytes: 16_777_216,
        memory_bytes: 18_000_000,
        navmesh: "file",
        walkable_m2: 70.44,
        islands: 3,
        floors: 2,
        seconds: 1.25,
        warnings: ["2 textures were reduced"],
      },
      {
        scene: "b.glb",
        loads: false,
        code: "bad_gltf",
        message: "not a readable glTF scene",
        where: "/data/b.glb",
        hint: "export it again",
        seconds: 0.04,
      },
    ],
  });
  expect(text.split("\n")).toEqual([
    "scene  result    triangles  textures  texture MB  memory MB  navmesh  islands  floors    m2    s",
    "a.glb  loads          1200         4        16.8       18.0  file           3       2  70.4  1.3",
    "b.glb  bad_gltf          –         –           –          –  –              –       –     –  0.0",
    "1 of 2 scenes load, 1 fail; peak memory 250 MB",
    "1 have notes: see --json, or robot-eval scene <scene>",
    "1 files are objects or parts of robots, not scenes",
    "b.glb: not a readable glTF scene (bad_gltf)",
    "  export it again",
  ]);
});
