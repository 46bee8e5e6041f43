// Runs a simulator's process for the evaluator: `node supervisor.js program arguments...`. The supervisor leads a
// process group of its own and ends with it.
// - The evaluator holds the other end of standard input. When the evaluator ends, for whatever reason, the pipe
//   closes; the simulator's input is closed too, and after 2 s the simulator and its descendants are killed.
// - SIGTERM kills the simulator at once. Its parent does it, so that the kernel's process table is cleared as well.
// - Windows has neither process groups nor SIGTERM: there `taskkill` ends the tree.
// - On Linux, processes that left the group are found by `ROBOT_EVAL_SIM_ID` in their environment and killed.
// Plain JavaScript, so that Node.js 20 can run it from the sources and from the build.
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const ENDING_MS = 2000;
const KILLING_MS = 500;
const MOST_SEARCHES = 8;
const EXEC_MS = 20;

const [program = "", ...args] = process.argv.slice(2);
const onWindows = process.platform === "win32";
// Before the program is started: SIGTERM would otherwise end the supervisor alone.
process.on("SIGTERM", endChild);
const child = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"], windowsHide: true });

const marker = `ROBOT_EVAL_SIM_ID=${process.env.ROBOT_EVAL_SIM_ID}`;

/**
 * Repeats the search, because processes may start others while it runs, and because the environment of a process is
 * empty for a moment while it executes another program. Two empty searches end it.
 */
function endMarked() {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let wasEmpty = false;
  for (let search = 0; search < MOST_SEARCHES; search++) {
    const found = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isMarked(name));
    if (found.length === 0 && wasEmpty) return;
    wasEmpty = found.length === 0;
    if (wasEmpty) Atomics.wait(pause, 0, 0, EXEC_MS);
    for (const pid of found) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // The process has ended.
      }
    }
  }
}

/** @param {string} pid */
function isMarked(pid) {
  if (Number(pid) === process.pid) return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(marker);
  } catch {
    // The process has ended, or belongs to another account.
    return false;
  }
}

function endGroup() {
  if (process.platform === "linux") endMarked();
  if (onWindows) process.exit(1);
  process.kill(0, "SIGKILL");
}

function endChild() {
  if (!onWindows) child.kill("SIGKILL");
  else spawnSync("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" });
  setTimeout(endGroup, KILLING_MS);
}

child.stdin.on("error", () => {});
child.on("error", (error) => {
  const code = "code" in error ? error.code : error.name;
  process.stderr.write(`robot-eval: ${code}: ${error.message}\n`);
  process.exit(127);
});
child.on("exit", (code, signal) => {
  process.stderr.write(
    `robot-eval: the program ended with ${signal ?? `code ${code}`}\n`,
    endGroup,
  );
});

process.stdin.on("end", () => {
  child.stdin.end();
  setTimeout(endChild, ENDING_MS);
});
process.stdin.on("error", endGroup);
process.stdin.resume();
