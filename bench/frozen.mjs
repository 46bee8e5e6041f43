// The control step of a frozen Lift of robosuite in milliseconds of CPU time, without cameras and with two of 256x256,
// compared with
//
// - the bound: MuJoCo alone in a loop, with the same trajectory
// - robosuite's own loop in Python, with the same actions and the success check; each process starts elsewhere
//
// and the throughput of two processes compared with one. All are measured alternately in blocks, so that other load
// affects all of them, and medians are reported.
//
// BENCH_FROZEN: the folder that `python -m robot_eval_client.freeze robosuite Lift` wrote.
// ROBOT_EVAL_PYTHON: a Python with robosuite, for the peer. Its cameras need OSMesa (apt install libosmesa6).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { barePhysics, firstEpisode, simulatorOf, timed } from "./frozen-loop.mjs";
import { median, row, skip } from "./measure.mjs";
import { loopOf, robosuiteLoop } from "./robosuite-loop.mjs";

const STEPS = 120;
const STEPS_WITH_CAMERAS = 30;
const BLOCKS = 8;
/** V8 compiles for thousands of steps; an evaluation has tens of thousands. */
const WARM_UP = 20;
const CAMERAS = ["agentview", "robot0_eye_in_hand"];
const python = process.env.ROBOT_EVAL_PYTHON ?? "python3";
const ENV = {
  ...{ OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1", MKL_NUM_THREADS: "1" },
  ...{ BENCH_SHIMS: "1", BENCH_SIZE: "256x256" },
  ...{ MUJOCO_GL: "osmesa", PYOPENGL_PLATFORM: "osmesa" },
  PYTHONPATH: fileURLToPath(new URL("../python/src", import.meta.url)),
};
const LOOP = fileURLToPath(new URL("frozen-loop.mjs", import.meta.url));

const folder = process.env.BENCH_FROZEN;
if (folder) await compare(join(folder, "benchmark.yaml"));
else skip("frozen", "set BENCH_FROZEN to a folder of robot_eval_client.freeze with Lift");

async function compare(file) {
  const hasPeer = spawnSync(python, ["-c", "import robosuite"], { stdio: "ignore" }).status === 0;
  if (!hasPeer) skip("peer", `${python} has no robosuite`);
  const first = await firstEpisode(file);
  await withoutCameras(first, hasPeer);
  await withCameras(first, hasPeer);
  await twoProcesses(file);
}

async function withoutCameras(first, hasPeer) {
  const ours = simulatorOf(first);
  const bound = await barePhysics(first, STEPS);
  const loops = { bound: restarting(bound, STEPS), ours: restarting(ours, STEPS) };
  const cold = await alternately(STEPS, loops);
  await alternately(STEPS, loops, WARM_UP - BLOCKS);
  const peer = hasPeer ? robosuiteLoop(python, ENV) : undefined;
  const times = await alternately(STEPS, { ...loops, ...(peer ? { peer: peer.block } : {}) });
  if (!bound.isSame()) throw new Error("the bound has another trajectory than the controllers");
  peer?.close();
  bound.close();
  ours.close();
  console.log(
    `A control step of Lift, CPU time, medians of ${BLOCKS} blocks of ${STEPS} steps after ${WARM_UP * STEPS} steps`,
  );
  row("physics alone (the bound)", ms(times.bound));
  row("control, observations, success", ms(times.ours));
  row("over the bound (goal: at most 1.25)", over(times.ours, times.bound));
  row("in the first steps of the process", over(cold.ours, cold.bound));
  reportPeer(times, "faster than robosuite (goal: at least 2)");
}

async function withCameras(first, hasPeer) {
  const ours = simulatorOf(
    first,
    CAMERAS.map((name) => `${name}_image`),
  );
  const peer = hasPeer ? robosuiteLoop(python, ENV, CAMERAS) : undefined;
  const times = await alternately(STEPS_WITH_CAMERAS, {
    ours: restarting(ours, STEPS_WITH_CAMERAS),
    ...(peer ? { peer: peer.block } : {}),
  });
  peer?.close();
  ours.close();
  console.log(
    `With two cameras of 256x256, blocks of ${STEPS_WITH_CAMERAS} steps; OSMesa for robosuite`,
  );
  row("control, observations, success", `${ms(times.ours)}; wall time ${ms(times.ours, "wall")}`);
  reportPeer(times, "faster than robosuite (goal: at least 4)");
}

/** Wall time, because this is about cores: on a machine that is busy with other work, it says little. */
async function twoProcesses(file) {
  const [one, other] = [LOOP, LOOP].map((loop) => loopOf(process.execPath, [loop, file], {}));
  const times = await alternately(STEPS, {
    one: one.block,
    two: async (steps) => {
      const [a, b] = await Promise.all([one.block(steps), other.block(steps)]);
      return { wall: Math.max(a.wall, b.wall) / 2, cpu: (a.cpu + b.cpu) / 2 };
    },
  });
  one.close();
  other.close();
  console.log(`Two processes, blocks of ${STEPS} steps each`);
  row("wall time of a step, one process", ms(times.one, "wall"));
  row("wall time of a step, two processes", ms(times.two, "wall"));
  row("steps per second (goal: at least 1.8)", over(times.one, times.two, "wall"));
}

/** Blocks of each loop in turn; the first of each warms up. */
async function alternately(steps, loops, blocks = BLOCKS) {
  const times = Object.fromEntries(Object.keys(loops).map((name) => [name, []]));
  for (let i = 0; i <= blocks; i++) {
    for (const [name, block] of Object.entries(loops)) {
      const found = await block(steps);
      if (i > 0) times[name].push(found);
    }
  }
  return times;
}

function restarting(loop, steps) {
  return async () => {
    await loop.reset();
    return timed(steps, loop.step);
  };
}

function middle(times, kind) {
  return median(times.map((time) => time[kind]));
}

function ms(times, kind = "cpu") {
  return `${middle(times, kind).toFixed(2)} ms`;
}

function over(times, base, kind = "cpu") {
  return `${(middle(times, kind) / middle(base, kind)).toFixed(2)} times`;
}

function reportPeer({ ours, peer }, label) {
  if (!peer) return;
  row("robosuite in Python", `${ms(peer)}; wall time ${ms(peer, "wall")}`);
  row(label, over(peer, ours));
}
