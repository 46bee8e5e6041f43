// Start times of commands, as ratios to `node -e 0` in the same run. Each measurement is a separate process. The
// commands run alternately, and medians are printed. CPU time (user + system) is printed in addition to wall time,
// because it depends less on other load.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../dist/api/policy/index.js";
import { median, row } from "./measure.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const root = fileURLToPath(new URL("../", import.meta.url));
const main = join(root, "dist", "cli", "main.js");
/**
 * A policy in this process. Its first reset follows the simulator's reset and ends the measurement. An agent of a plugin
 * would add the start of the thread that resolves plugins' modules.
 */
let onReset = () => {};
const policy = await serve(() => ({ reset: () => onReset(), act: () => "stop" }), { port: 0 });

const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));

const benchmark = (name) => join(root, "configs", "benchmarks", `${name}.yaml`);
const untilReset = (name) => [
  ...[main, "run", benchmark(name), "--agent", policy.url, "--out", folder],
];

const program = (name) => fileURLToPath(new URL(name, import.meta.url));

const BARE = "node -e 0";
/** Arguments of node, and the maximum ratio of wall times. Cases without a goal are bounds or parts. */
const CASES = {
  [BARE]: { args: ["-e", "0"] },
  "--version": { args: [main, "--version"], goal: 2 },
  "--help": { args: [main, "--help"], goal: 2 },
  "list tasks": { args: [main, "list", "tasks"], goal: 4 },
  "describe metrics spl": { args: [main, "describe", "metrics", "spl"], goal: 4 },
  "validate vln_challenge": { args: [main, "validate", benchmark("vln_challenge")], goal: 4 },
  "run vln_challenge, until the first reset": { args: untilReset("vln_challenge"), goal: 10 },
  "  the same with --workers 1": { args: [...untilReset("vln_challenge"), "--workers", "1"] },
  "  its first scene alone, in a script": { args: [program("./first-scene-worker.mjs")] },
  "run manipulation_challenge, until the first reset": {
    args: untilReset("manipulation_challenge"),
    goal: 20,
  },
  "  same with --workers 1": { args: [...untilReset("manipulation_challenge"), "--workers", "1"] },
  "  MuJoCo alone, in a script": { args: [program("./first-world-worker.mjs")] },
};

/**
 * Wall and CPU milliseconds of a process, which is killed when the policy is reset. The shell's `times` gives the CPU
 * time of its children.
 */
async function time(args) {
  const script = '"$@" >&2 & echo "pid $!"; wait $!; echo "exit $?"; times';
  const started = performance.now();
  const shell = spawn("sh", ["-c", script, "sh", process.execPath, ...args], { cwd: folder });
  let [stdout, stderr, wallMs] = ["", "", 0];
  shell.stdout.on("data", (data) => {
    stdout += data;
    // Two workers may reset the policy; the first reset counts.
    if (wallMs === 0 && /^exit /m.test(stdout)) wallMs = performance.now() - started;
  });
  shell.stderr.on("data", (data) => {
    stderr += data;
  });
  onReset = () => {
    if (wallMs > 0) return;
    wallMs = performance.now() - started;
    process.kill(Number(/^pid (\d+)$/m.exec(stdout)?.[1]), "SIGKILL");
  };
  await once(shell, "close");
  const code = Number(/^exit (\d+)$/m.exec(stdout)?.[1]);
  if (code !== 0 && code !== 128 + 9)
    throw new Error(`${args.join(" ")} exited with ${code}:\n${stderr}`);
  const ofChildren = stdout.trim().split("\n").at(-1);
  const [user, system] = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => (Number(minutes) * 60 + Number(seconds)) * 1000,
  );
  return { wallMs, cpuMs: user + system };
}

try {
  const times = Object.fromEntries(Object.keys(CASES).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, { args }] of Object.entries(CASES)) times[name].push(await time(args));
  }
  const summary = (name) => ({
    wallMs: median(times[name].map(({ wallMs }) => wallMs)),
    cpuMs: median(times[name].map(({ cpuMs }) => cpuMs)),
  });
  const bare = summary(BARE);
  console.log(`start times of commands, as ratios to ${BARE}; medians of ${ROUNDS} rounds`);
  for (const [name, { goal }] of Object.entries(CASES)) {
    const { wallMs, cpuMs } = summary(name);
    const ms = `${wallMs.toFixed(0).padStart(5)} ms`;
    const ratio = (wallMs / bare.wallMs).toFixed(1).padStart(5);
    const cpu = (cpuMs / bare.cpuMs).toFixed(1).padStart(5);
    const wanted = goal === undefined ? "" : ` (goal ${goal}x)`;
    row(name, name === BARE ? ms : `${ms}  ${ratio}x${wanted.padEnd(11)}  CPU ${cpu}x`);
  }
} finally {
  await policy.close();
  rmSync(folder, { recursive: true, force: true });
}
