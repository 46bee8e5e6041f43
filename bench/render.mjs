// RGB-D frames per second in a furnished apartment on one core, while the camera moves through the doors and turns. The
// peer is MuJoCo's CPU renderer (OSMesa) with the same triangles, textures and cameras; it has no vertex colours, so it
// omits the ambient occlusion. The share of depth values that agree with ours shows that it renders the same scene.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { Renderer } from "../build/simulator/render/renderer.js";
import { generateApartment } from "../build/simulator/scenes/apartment/apartment.js";
import { pythonWith, row, skip } from "./measure.mjs";

const SEEDS = [1, 2, 3];
const [WIDTH, HEIGHT, HFOV_DEG] = [640, 480, 79];
/** MuJoCo is slow, so it renders a subset of the cameras of the first apartment. */
const PEER_FRAMES = 30;
const COMPARED = [0, 10, 20];

console.log(`RGB-D at ${WIDTH}x${HEIGHT}, hfov ${HFOV_DEG} degrees, one core`);
for (const seed of SEEDS) {
  const scene = generateApartment(seed);
  const cameras = walk(scene);
  const { median, p95 } = timeFrames(new Renderer(scene), cameras);
  const size = `${trianglesOf(scene)} triangles, ${scene.rooms.length} rooms`;
  row(
    `apartment/${seed}, ${size}, ${cameras.length} frames`,
    `${(1000 / median).toFixed(0)} frames/s`,
  );
  row("  a frame, median and 95th percentile", `${median.toFixed(1)} and ${p95.toFixed(1)} ms`);
}
row("goal", "at least 100 frames/s");
await againstMuJoCo();

async function againstMuJoCo() {
  const python = pythonWith(["mujoco==3.14.0"]);
  if (!python) return skip("MuJoCo's renderer", "Python or PyPI cannot be reached");
  const scene = generateApartment(SEEDS[0]);
  const all = walk(scene);
  const cameras = all.filter((_, i) => i % Math.ceil(all.length / PEER_FRAMES) === 0);
  const renderer = new Renderer(scene);
  timeFrames(renderer, all);
  console.log(`  apartment/${SEEDS[0]}, ${cameras.length} of its frames, median`);
  const input = await forPeer(scene, cameras);
  for (const { name, ...settings } of [
    { name: "default: a lamp with shadows, 4 samples per pixel", lamp: true, samples: 4 },
    { name: "headlight only (no shadows), 4 samples", lamp: false, samples: 4 },
    { name: "headlight only, 1 sample, as in our renderer", lamp: false, samples: 0 },
  ]) {
    const before = timeFrames(renderer, cameras).median;
    const { result: peer, why } = runPeer(python, { ...input, ...settings });
    if (!peer) return skip("MuJoCo's renderer", why);
    // Measured before and after the peer, so that other load affects both.
    const ours = (before + timeFrames(renderer, cameras).median) / 2;
    const theirs = peer.rgb_ms + peer.depth_ms;
    console.log(`  MuJoCo ${peer.version}, ${name}`);
    row("  its RGB and its depth", `${peer.rgb_ms.toFixed(1)} + ${peer.depth_ms.toFixed(1)} ms`);
    row("  robot-eval, both in one pass", `${ours.toFixed(1)} ms`);
    row("  ratio (goal: at least 10)", `${(theirs / ours).toFixed(1)}x`);
    row("  pixels whose depths agree within 1 %", agreement(renderer, cameras, peer).join(", "));
  }
}

function runPeer(python, input) {
  const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
  try {
    const script = fileURLToPath(new URL("mujoco_render_peer.py", import.meta.url));
    const out = join(folder, "result.json");
    const { stderr, status } = spawnSync(python, [script, out], {
      input: JSON.stringify(input),
      encoding: "utf8",
    });
    if (status === 0) return { result: JSON.parse(readFileSync(out, "utf8")) };
    const why = /osmesa/i.test(stderr)
      ? "the library OSMesa is missing; on Debian: apt-get install libosmesa6"
      : stderr.trim().split("\n").at(-1);
    return { why };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function agreement(renderer, cameras, peer) {
  return COMPARED.map((frame, i) => {
    const { depth } = renderer.render(cameras[frame], { depth: true });
    const bytes = Buffer.from(peer.depths[i], "base64");
    const other = new Float32Array(bytes.buffer, bytes.byteOffset, depth.length);
    const same = depth.filter((d, p) => d === 0 || Math.abs(d - other[p]) < 0.01 * d);
    return `${((100 * same.length) / depth.length).toFixed(1)} %`;
  });
}

function timeFrames(renderer, cameras) {
  const outputs = { rgb: true, depth: true };
  for (const camera of cameras) renderer.render(camera, outputs);
  const times = [];
  for (let round = 0; round < 2; round++) {
    for (const camera of cameras) {
      const started = performance.now();
      renderer.render(camera, outputs);
      times.push(performance.now() - started);
    }
  }
  times.sort((a, b) => a - b);
  return { median: times[times.length >> 1], p95: times[Math.floor(times.length * 0.95)] };
}

/** Cameras on a path through every door, from the centre of one room to the next, turning to both sides. */
function walk({ rooms, doors }) {
  const middles = new Map(rooms.map((room) => [room.name, middleOf(room)]));
  const cameras = [];
  for (const door of doors) {
    const [from, to] = door.rooms.map((name) => middles.get(name));
    if (!from || !to) continue;
    for (let i = 0; i < 16; i++) {
      const [a, b] = i < 8 ? [from, door.position] : [door.position, to];
      const t = (i % 8) / 8;
      const heading = Math.atan2(a[0] - b[0], a[2] - b[2]) + 1.2 * Math.sin(i);
      cameras.push({
        width: WIDTH,
        height: HEIGHT,
        hfovDeg: HFOV_DEG,
        position: [a[0] + t * (b[0] - a[0]), a[1] + 1.25, a[2] + t * (b[2] - a[2])],
        rotation: [0, Math.sin(heading / 2), 0, Math.cos(heading / 2)],
      });
    }
  }
  return cameras;
}

function middleOf({ outline, floorM }) {
  const middle = (values) => (Math.min(...values) + Math.max(...values)) / 2;
  return [middle(outline.map(([x]) => x)), floorM, middle(outline.map(([, z]) => z))];
}

function trianglesOf({ parts }) {
  return parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
}

async function forPeer({ parts }, cameras) {
  const textures = [...new Set(parts.flatMap(({ material }) => material.texture ?? []))];
  const pngs = textures.map(({ data, width, height }) =>
    sharp(data, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .png()
      .toBuffer(),
  );
  const fovy = 2 * Math.atan((Math.tan((HFOV_DEG * Math.PI) / 360) * HEIGHT) / WIDTH);
  return {
    width: WIDTH,
    height: HEIGHT,
    compare: COMPARED,
    textures: (await Promise.all(pngs)).map((png) => png.toString("base64")),
    parts: parts.map(({ mesh, material, transform }) => ({
      vertices: [...mesh.positions].map((v, i) =>
        transform ? moved(transform, mesh.positions, i) : v,
      ),
      faces: [...mesh.indices],
      uvs: mesh.uvs && material.texture ? [...mesh.uvs].map((v, i) => (i % 2 ? 1 - v : v)) : [],
      texture: material.texture ? textures.indexOf(material.texture) : null,
      color: material.color,
    })),
    cameras: cameras.map(({ position, rotation: [x, y, z, w] }) => ({
      position,
      quat_wxyz: [w, x, y, z],
      fovy: (fovy * 180) / Math.PI,
    })),
  };
}

function moved(m, positions, i) {
  const [at, axis] = [i - (i % 3), i % 3];
  const [x, y, z] = positions.subarray(at, at + 3);
  return m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
}
