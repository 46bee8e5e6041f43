// Draws the pictures of docs/navigation.md and docs/scenes.md. Run it after `npm run build`.
import { mkdir, writeFile } from "node:fs/promises";
import { encodeImage } from "../dist/api/codec/image.js";
import { Cameras } from "../dist/simulator/navigation/cameras.js";
import { HABITAT_NAVMESH } from "../dist/simulator/navigation/navmesh/settings.js";
import { navmeshSensor } from "../dist/simulator/navigation/navmesh-config.js";
import { forPeople } from "../dist/simulator/render/false-colour.js";
import { sceneLibrary } from "../dist/simulator/scenes/library.js";

const SIZE = { width: 480, height: 360, hfov: 90, pitch: -8 };

const SHOTS = [
  { file: "navigation/rgb", scene: 4, room: "living_room_1", kind: "rgb" },
  { file: "navigation/depth", scene: 4, room: "living_room_1", kind: "depth" },
  { file: "navigation/semantic", scene: 4, room: "living_room_1", kind: "semantic" },
  { file: "scenes/living_room", scene: 12, room: "living_room_1", kind: "rgb" },
  { file: "scenes/kitchen", scene: 4, room: "kitchen_1", kind: "rgb" },
  { file: "scenes/bedroom", scene: 4, room: "bedroom_2", kind: "rgb" },
  { file: "scenes/bathroom", scene: 4, room: "bathroom_2", kind: "rgb" },
];

/** In the corner of the room from which most of it is seen, looking at its middle. */
function poseIn(scene, name) {
  const { outline } = scene.model.rooms.find((room) => room.name === name);
  const middle = [0, 1].map(
    (axis) => outline.reduce((sum, p) => sum + p[axis], 0) / outline.length,
  );
  let best;
  let farthest = -1;
  for (const [x, z] of outline) {
    const inside = [x + (middle[0] - x) * 0.25, 0, z + (middle[1] - z) * 0.25];
    const position = scene.navMesh.snap(inside);
    if (!position) continue;
    const distance = Math.hypot(position[0] - middle[0], position[2] - middle[1]);
    if (distance > farthest) {
      farthest = distance;
      best = position;
    }
  }
  return { position: best, headingRad: Math.atan2(best[0] - middle[0], best[2] - middle[1]) };
}

const images = new URL("../docs/images/", import.meta.url);
for (const { file, scene: seed, room, kind } of SHOTS) {
  const scene = await sceneLibrary.scene(`apartment/${seed}`, undefined, HABITAT_NAVMESH);
  const picture = {};
  new Cameras([{ name: "it", kind, settings: navmeshSensor.parse(SIZE) }]).addTo(
    picture,
    { renderer: scene.renderer, instances: scene.model.instances },
    { pose: poseIn(scene, room), tiltRad: 0, seed: 0, step: 0 },
  );
  const flat = kind === "semantic";
  const path = new URL(`${file}.${flat ? "png" : "jpg"}`, images);
  await mkdir(new URL(".", path), { recursive: true });
  await writeFile(path, await encodeImage(forPeople(picture.it), flat ? "png" : "jpeg"));
  scene.release();
}
