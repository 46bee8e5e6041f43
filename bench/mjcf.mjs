// Robots of MuJoCo Menagerie: time from `robot-eval run` to the first step of the agent, which has then read an image of
// 640 x 480, without a cache of compiled models (cold) and with one (warm). The peer is a Python process that loads the
// same file with native mujoco and draws one image with OSMesa (without OSMesa, it only loads).
//
//   MENAGERIE=<checkout of github.com/google-deepmind/mujoco_menagerie> npm run bench mjcf
//
// Each measurement is a process of its own; the smallest of BENCH_ROUNDS is printed, because other load only adds.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pythonWith, row, skip } from "./measure.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const { MENAGERIE } = process.env;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const main = here("../dist/cli/main.js");

const ROBOTS = {
  panda: "franka_emika_panda/panda.xml",
  stretch: "hello_robot_stretch_3/stretch.xml",
  ur5e: "universal_robots_ur5e/ur5e.xml",
  shadow: "shadow_hand/right_hand.xml",
};

const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));

/** A benchmark with one episode: touch a cup on a table. */
function benchmark(robot) {
  const episode = {
    ...{ episode_id: "0", task_type: "manipulation", scene_id: "table", start_state: {} },
    goals: {
      target_object: { name: "cup_red" },
      success_criteria: { rule: { reached: { object: "cup_red" } } },
    },
    instruction: { text: "Touch the cup." },
    task_config: {
      table: { position: [0.9, 0.2, 0.3], size: [0.4, 0.4, 0.04] },
      scene_objects: [{ name: "cup_red", position: [0.9, 0.2] }],
    },
  };
  writeFileSync(join(folder, "episodes.jsonl"), `${JSON.stringify(episode)}\n`);
  const file = join(folder, `${robot}.json`);
  const config = {
    benchmark: { name: robot },
    plugins: [here("./menagerie-worker.mjs")],
    manipulation_task: {
      type: "manipulation",
      config: { robot_type: `menagerie_${robot}`, metrics: ["manip_success"] },
    },
    dataset: { manipulation: { type: "manipulation", data_path: "episodes.jsonl" } },
    agent: "first-act",
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** Wall and CPU seconds of a process. The shell's `times` gives the CPU time of its children. */
function time(command, env) {
  const started = performance.now();
  const { stdout, stderr } = spawnSync(
    "sh",
    ["-c", '"$@" >&2; echo "exit $?"; times', "sh", ...command],
    { cwd: folder, encoding: "utf8", env: { ...process.env, ...env } },
  );
  const wall = (performance.now() - started) / 1000;
  if (!stdout.startsWith("exit 0\n") && !/first act, [1-9]\d* bytes/.test(stderr))
    throw new Error(`${command.join(" ")} failed:\n${stderr}`);
  const ofChildren = stdout.trim().split("\n").at(-1);
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return { wall, cpu: seconds[0] + seconds[1] };
}

function best(times) {
  return {
    wall: Math.min(...times.map(({ wall }) => wall)),
    cpu: Math.min(...times.map(({ cpu }) => cpu)),
  };
}

const text = ({ wall, cpu }) => `${wall.toFixed(2)} s, CPU ${cpu.toFixed(2)} s`;
const ratio = (ours, peer) =>
  `${(ours.wall / peer.wall).toFixed(2)}x, CPU ${(ours.cpu / peer.cpu).toFixed(2)}x`;

function measure(robot, python) {
  const model = join(MENAGERIE, ROBOTS[robot]);
  const command = [process.execPath, main, "run", benchmark(robot), "--out", join(folder, "runs")];
  const peer = (what) =>
    time([python, here("./mjcf_peer.py"), model, what], { MUJOCO_GL: "osmesa" });
  const caches = Array.from({ length: ROUNDS }, (_, i) => join(folder, `cache-${robot}-${i}`));
  const [cold, warm, loads, draws] = [[], [], [], []];
  for (const cache of caches) {
    cold.push(time(command, { XDG_CACHE_HOME: cache }));
    warm.push(time(command, { XDG_CACHE_HOME: cache }));
    if (!python) continue;
    loads.push(peer("load"));
    try {
      draws.push(peer("draw"));
    } catch {
      // Without OSMesa.
    }
  }
  console.log(`  ${robot}`);
  row("  cold", text(best(cold)));
  row("  warm", text(best(warm)));
  for (const [name, times] of [
    ["loads", loads],
    ["loads and draws", draws],
  ]) {
    if (times.length === 0) continue;
    row(`  Python ${name}`, text(best(times)));
    row("    cold, ratio (goal: at most 2.5)", ratio(best(cold), best(times)));
    row("    warm, ratio (goal: at most 1)", ratio(best(warm), best(times)));
  }
}

if (!MENAGERIE || !existsSync(MENAGERIE)) {
  skip("mjcf", "set MENAGERIE to a checkout of github.com/google-deepmind/mujoco_menagerie");
} else {
  console.log(`robots of MuJoCo Menagerie, until the first step; best of ${ROUNDS} processes`);
  const python = process.env.ROBOT_EVAL_PYTHON ?? pythonWith(["mujoco==3.14.0"]);
  if (!python) skip("Python's mujoco", "Python or PyPI cannot be reached");
  try {
    for (const [robot, file] of Object.entries(ROBOTS)) {
      if (existsSync(join(MENAGERIE, file))) measure(robot, python);
      else skip(robot, `MENAGERIE has no ${file}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
