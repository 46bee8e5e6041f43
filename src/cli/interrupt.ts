import { say } from "./output.js";

/**
 * Ctrl-C, the signals of service managers, and on Windows Ctrl-Break and closing the console window, after which the
 * system allows about ten seconds. Elsewhere SIGHUP keeps its default: a run that it ends can be resumed.
 */
export const STOPPING: readonly NodeJS.Signals[] =
  process.platform === "win32" ? ["SIGINT", "SIGBREAK", "SIGHUP"] : ["SIGINT", "SIGTERM"];

/**
 * Does some work that Ctrl-C can stop: the first one aborts the signal for an orderly stop, the second exits at once.
 *
 * @param words describes the orderly stop to the user
 * @param isUnderWay false while nothing needs an orderly stop: then the first Ctrl-C exits at once
 */
export async function withInterrupt<T>(
  words: string,
  work: (signal: AbortSignal) => Promise<T>,
  isUnderWay = () => true,
): Promise<T> {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted || !isUnderWay()) process.exit(130);
    say(`\n${words}; press Ctrl-C again to stop at once`);
    controller.abort();
  };
  for (const name of STOPPING) process.on(name, onSignal);
  try {
    return await work(controller.signal);
  } finally {
    // After a first Ctrl-C the process is about to end. A second one must give exit code 130 and run the clean-up of
    // process.exit instead of killing the process, so the handler stays.
    if (!controller.signal.aborted) for (const name of STOPPING) process.off(name, onSignal);
  }
}

/**
 * Ends the process after this time unless it has already ended. Does not use `process.exit`, which waits for threads:
 * one that is blocked in a system call never ends.
 */
export function endWithin(ms: number): void {
  setTimeout(() => process.kill(process.pid, "SIGKILL"), ms).unref();
}

/** Resolves when a server should stop. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of STOPPING) process.once(name, () => resolve());
  });
}
