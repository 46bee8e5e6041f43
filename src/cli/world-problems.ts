import type { TaskProblem } from "../evaluator/plan/check-worlds.js";
import { paint, say } from "./output.js";

export function hasErrors(problems: readonly TaskProblem[]): boolean {
  return problems.some(({ level }) => level === "error");
}

/** Prints all problems; the exit code is 2 if episodes cannot run. */
export function tellProblems(problems: readonly TaskProblem[]): void {
  for (const { task, level, message, where, hint } of problems) {
    const mark = paint(level === "error" ? "red" : "yellow", level, process.stderr);
    const details = [where, hint && `hint: ${hint}`].flatMap((line) => (line ? [`  ${line}`] : []));
    say([`${mark}: ${task}: ${message}`, ...details].join("\n"));
  }
  if (hasErrors(problems)) process.exitCode = 2;
}
