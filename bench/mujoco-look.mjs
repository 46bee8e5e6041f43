// How close our images of other projects' MuJoCo models are to those of MuJoCo's OpenGL renderer, and how long both take:
// 256x256, 4 samples per pixel, shadows and reflections, CPU milliseconds. The peer is MuJoCo's CPU renderer (OSMesa), which
// draws in one thread, as ours does; the summary has the ratio of wall times too.
//
// BENCH_MENAGERIE: a checkout of github.com/google-deepmind/mujoco_menagerie, whose scenes are compared too.
// BENCH_LOOK: a folder of mujoco_look_peer.py to compare with, instead of installing and running the peer.
// BENCH_SHEET: a WebP file to write theirs, ours and their difference to.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ReferenceWorld } from "../build/simulator/manipulation/parity/compare.js";
import { contactSheet } from "./contact-sheet.mjs";
import { median, pythonWith, row, skip } from "./measure.mjs";

/** Our frames are timed for as long as the peer's. */
const TIMED_MS = 500;
const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const MODELS = [
  ...["Lift", "Stack", "Door", "PickPlace", "NutAssembly"].map((task) => `robosuite:${task}`),
  ...["FetchPickAndPlace-v4", "HandManipulateBlock-v1", "FrankaKitchen-v1"].map(
    (name) => `gymnasium:${name}`,
  ),
];
const MENAGERIE_SCENES = [
  "franka_emika_panda/scene.xml",
  "kuka_iiwa_14/scene.xml",
  "aloha/scene.xml",
  "shadow_hand/scene_right.xml",
  "unitree_g1/scene.xml",
  "google_robot/scene.xml",
  "robotiq_2f85/scene.xml",
];

console.log("Images of MuJoCo models against MuJoCo's own renderer (OSMesa), 256x256");
if (process.env.BENCH_LOOK) {
  await compareAll(process.env.BENCH_LOOK);
} else {
  const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
  try {
    const why = drawTheirs(folder);
    if (why) skip("MuJoCo's renderer", why);
    else await compareAll(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets the peer write its frames; returns why it could not. */
function drawTheirs(folder) {
  const packages = readFileSync(at("mujoco_look_requirements.txt"), "utf8").trim().split("\n");
  const python = pythonWith(packages);
  if (!python) return "Python or PyPI cannot be reached";
  const { BENCH_MENAGERIE: menagerie } = process.env;
  const scenes = menagerie ? MENAGERIE_SCENES.map((path) => join(menagerie, path)) : [];
  const missing = scenes.find((path) => !existsSync(path));
  if (missing) return `BENCH_MENAGERIE has no ${missing}`;
  const args = [at("mujoco_look_peer.py"), folder, ...MODELS, ...scenes];
  const { status, stderr } = spawnSync(python, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status === 0) return undefined;
  return /osmesa/i.test(stderr)
    ? "the library OSMesa is missing; on Debian: apt-get install libosmesa6"
    : stderr.trim().split("\n").at(-1);
}

async function compareAll(folder) {
  const all = [];
  console.log(
    `  ${"model, camera".padEnd(58)}  PSNR    SSIM  segments  depth p50, p99 (m)      ours  OSMesa`,
  );
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "state.json")));
  for (const name of names.sort()) {
    const world = await ReferenceWorld.open(join(folder, name));
    for (const camera of world.state.cameras) {
      const parity = await world.compare(camera.name);
      const { cpu, wall } = times(() => world.draw(camera.name));
      const theirs = { theirMs: camera.ms, theirWallMs: camera.wall_ms };
      all.push({ model: name, ...parity, size: world.state, ms: cpu, wallMs: wall, ...theirs });
      row(`${name}, ${camera.name}`, line(all.at(-1)));
    }
    world.dispose();
  }
  summary(all);
  if (process.env.BENCH_SHEET) await contactSheet(process.env.BENCH_SHEET, all);
}

/** Median milliseconds of a call: of the CPU, which other load on the machine hardly affects, and of the wall clock. */
function times(work) {
  work();
  const [cpu, wall] = [[], []];
  while (cpu.length < 3 || cpu.reduce((sum, ms) => sum + ms, 0) < TIMED_MS) {
    const [before, started] = [process.cpuUsage(), performance.now()];
    work();
    wall.push(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  }
  return { cpu: median(cpu), wall: median(wall) };
}

function line({ psnrDb, ssim, segmentation, depth, ms, theirMs }) {
  return [
    psnrDb.toFixed(1).padStart(5),
    ssim.toFixed(4),
    `${(100 * segmentation).toFixed(2)} %`,
    `${depth.medianM.toExponential(1)}, ${depth.p99M.toExponential(1)}`,
    `${ms.toFixed(1)} ms`.padStart(8),
    `${theirMs.toFixed(0)} ms`.padStart(7),
  ].join("  ");
}

function summary(all) {
  const values = (key) => all.map((frame) => frame[key]);
  const mean = (key) => values(key).reduce((sum, value) => sum + value, 0) / all.length;
  const least = (key) => Math.min(...values(key));
  row("mean PSNR and SSIM (goal: 30 dB, 0.97)", both(mean("psnrDb"), mean("ssim")));
  row("least PSNR and SSIM (goal: 26 dB, 0.94)", both(least("psnrDb"), least("ssim")));
  row(
    "least segmentation agreement (goal: 99.5 %)",
    `${(100 * least("segmentation")).toFixed(2)} %`,
  );
  row("least agreement of bodies", `${(100 * least("bodies")).toFixed(2)} %`);
  const ratios = all.map(({ ms, theirMs }) => theirMs / ms).sort((a, b) => a - b);
  row(
    "OSMesa's CPU time over ours, least and median",
    `${ratios[0].toFixed(1)}x, ${ratios[ratios.length >> 1].toFixed(1)}x`,
  );
  for (const { model, ms, theirMs, wallMs, theirWallMs } of all) {
    if (model !== "robosuite-Lift") continue;
    row(
      "the same of this image of Lift, CPU and wall time (goal: at least 4)",
      `${(theirMs / ms).toFixed(1)}x, ${(theirWallMs / wallMs).toFixed(1)}x`,
    );
  }
}

function both(psnrDb, ssim) {
  return `${psnrDb.toFixed(1)} dB, ${ssim.toFixed(3)}`;
}
