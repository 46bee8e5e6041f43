// A program for bench/scene-load.mjs, in a process of its own because memory is measured: loads `scan.glb` of the given
// folder and renders it, then 20 copies of it in turn.
import { linkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SceneFolder } from "../build/dataset/scenes.js";
import { sceneLibrary } from "../build/simulator/navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../build/simulator/navmesh/settings.js";
import { mebibytes, median, row } from "./measure.mjs";

const SCENES = 20;
const CAMERA = { width: 640, height: 480, hfovDeg: 79 };

const [folder] = process.argv.slice(2);
await measure();

async function measure() {
  const before = process.memoryUsage().rss;
  const { scene, ms } = await timed("scan.glb");
  const { triangles, textures, textureBytes, geometryBytes } = scene.cost;
  console.log(
    `a scan: ${triangles} triangles, ${textures} textures, decoded ${mebibytes(textureBytes)} and ${mebibytes(geometryBytes)} of geometry`,
  );
  row("load and build the navmesh", `${(ms / 1000).toFixed(1)} s`);
  writeFileSync(join(folder, "scan.navmesh"), scene.navMesh.save());
  const started = performance.now();
  walk(scene, 1);
  row(
    "prepare the renderer and render a first frame",
    `${(performance.now() - started).toFixed(0)} ms`,
  );
  const frames = walk(scene, 200);
  row(
    `RGB-D at ${CAMERA.width}x${CAMERA.height}`,
    `${(1000 / median(frames)).toFixed(0)} frames/s`,
  );
  row(
    "memory of the process: before, with the scene",
    `${mebibytes(before)}, ${mebibytes(process.memoryUsage().rss)}`,
  );
  scene.release();

  const times = [];
  const memory = [];
  for (let i = 0; i < SCENES; i++) {
    linkSync(join(folder, "scan.glb"), join(folder, `scan_${i}.glb`));
    linkSync(join(folder, "scan.navmesh"), join(folder, `scan_${i}.navmesh`));
    const next = await timed(`scan_${i}.glb`);
    walk(next.scene, 2);
    next.scene.release();
    times.push(next.ms);
    memory.push(process.memoryUsage().rss);
  }
  row("load with a .navmesh beside it, median", `${(median(times) / 1000).toFixed(1)} s`);
  row(
    "memory after scenes 5, 10, 15 and 20",
    [4, 9, 14, 19].map((i) => mebibytes(memory[i])).join(", "),
  );
}

async function timed(id) {
  const started = performance.now();
  const scene = await sceneLibrary.scene(id, new SceneFolder(folder), HABITAT_NAVMESH);
  return { scene, ms: performance.now() - started };
}

/** Milliseconds of each frame, while the camera turns in one room after the other. */
function walk(scene, count) {
  return Array.from({ length: count }, (_, i) => {
    const heading = i * 0.3;
    const started = performance.now();
    const position = [3 + 6 * (i % 8), 1.25, 3];
    const rotation = [0, Math.sin(heading / 2), 0, Math.cos(heading / 2)];
    scene.renderer.render({ ...CAMERA, position, rotation }, { rgb: true, depth: true });
    return performance.now() - started;
  });
}
