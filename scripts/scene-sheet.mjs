// Renders every glTF and OBJ scene below a folder into one picture and lists what each uses, to check files that others
// made: node scripts/scene-sheet.mjs <folder> <sheet.png>. Needs `npm run build`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { Renderer } from "../build/simulator/render/renderer.js";
import { boundsOf } from "../build/simulator/scenes/geometry.js";
import { loadScene } from "../build/simulator/scenes/load.js";
import { sceneCost } from "../build/simulator/scenes/scene-cost.js";

const [SIZE, COLUMNS, HFOV_DEG] = [256, 6, 40];
const [folder, sheet] = process.argv.slice(2);
if (!folder || !sheet) {
  console.error("usage: node scripts/scene-sheet.mjs <folder> <sheet.png>");
  process.exit(2);
}

const pictures = [];
const files = readdirSync(folder, { recursive: true }).filter((name) =>
  /\.(glb|gltf|obj)$/.test(name),
);
for (const file of files.sort()) {
  const started = performance.now();
  try {
    const scene = await loadScene(file, join(folder, file));
    const { triangles, textures, textureBytes } = sceneCost(scene);
    const rgb = picture(scene);
    const ms = Math.round(performance.now() - started);
    const size = `${triangles} triangles, ${textures} textures, ${(textureBytes / 1e6).toFixed(1)} MB`;
    console.log(`${pictures.length + 1}\t${file}\t${features(file)}\tok, ${size}, ${ms} ms`);
    for (const warning of scene.warnings) console.log(`\tnote: ${warning}`);
    pictures.push(rgb);
  } catch (error) {
    console.log(`-\t${file}\t${features(file)}\t${error.code}: ${error.message}`);
  }
}
await writeSheet();

/** Extensions and mesh features that the file declares. */
function features(file) {
  if (file.endsWith(".obj")) return "OBJ";
  const bytes = readFileSync(join(folder, file));
  try {
    const isBinary = bytes.toString("latin1", 0, 4) === "glTF";
    const json = JSON.parse(isBinary ? bytes.subarray(20, 20 + bytes.readUInt32LE(12)) : bytes);
    return [...(json.extensionsUsed ?? []), ...(json.skins ? ["skin"] : [])].join(" ") || "plain";
  } catch {
    return "unreadable";
  }
}

/** A view of the whole scene from the front, a little from the right and from above. */
function picture(scene) {
  const { min, max } = boundsOf(scene.parts);
  const centre = min.map((low, i) => (low + max[i]) / 2);
  const radius = Math.hypot(...max.map((high, i) => high - min[i])) / 2 || 1;
  const distance = radius / Math.sin((HFOV_DEG * Math.PI) / 360);
  const [yaw, pitch] = [0.5, -0.35];
  const [sy, cy] = [Math.sin(yaw / 2), Math.cos(yaw / 2)];
  const [sp, cp] = [Math.sin(pitch / 2), Math.cos(pitch / 2)];
  const back = [Math.sin(yaw) * Math.cos(pitch), -Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
  const camera = {
    width: SIZE,
    height: SIZE,
    hfovDeg: HFOV_DEG,
    position: centre.map((value, i) => value + back[i] * distance),
    rotation: [cy * sp, sy * cp, -sy * sp, cy * cp],
    nearM: distance / 100,
    farM: distance * 10,
  };
  return new Renderer(scene).render(camera, { rgb: true }).rgb;
}

async function writeSheet() {
  if (pictures.length === 0) return;
  const rows = Math.ceil(pictures.length / COLUMNS);
  const raw = { width: SIZE, height: SIZE, channels: 3 };
  const bytes = await sharp({
    create: { width: COLUMNS * SIZE, height: rows * SIZE, channels: 3, background: "white" },
  })
    .composite(
      pictures.map((input, i) => ({
        input,
        raw,
        left: (i % COLUMNS) * SIZE,
        top: Math.floor(i / COLUMNS) * SIZE,
      })),
    )
    .png()
    .toBuffer();
  writeFileSync(sheet, bytes);
  console.log(`wrote ${sheet}`);
}
