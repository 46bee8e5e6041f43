/**
 * The program that stands between the evaluator and a simulator's process: `node -e KEEPER program arguments...`.
 * It is the head of a process group of its own and ends with it. Its standard input is a pipe that only the
 * evaluator holds: when the evaluator ends, in whatever way, the pipe closes, the simulator's input closes with it,
 * and what has not gone by itself a moment later is killed, with all that it started. SIGTERM kills it at once: by
 * its parent's hand, so that it leaves the kernel's table as well. A text, since Node must be
 * able to run it from sources and from what is built.
 */
export const KEEPER = `
const { spawn } = require("node:child_process");
const [program, ...args] = process.argv.slice(1);
const child = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"] });
const endGroup = () => process.kill(0, "SIGKILL");
child.stdin.on("error", () => {});
child.on("error", (error) => {
  process.stderr.write("robot-eval: " + error.code + ": " + error.message + "\\n");
  process.exit(127);
});
child.on("exit", (code, signal) => {
  process.stderr.write("robot-eval: the program ended with " + (signal ?? "code " + code) + "\\n", endGroup);
});
const endChild = () => {
  child.kill("SIGKILL");
  setTimeout(endGroup, 500);
};
process.on("SIGTERM", endChild);
process.stdin.on("end", () => {
  child.stdin.end();
  setTimeout(endChild, 2000);
});
process.stdin.on("error", endGroup);
process.stdin.resume();
`;
