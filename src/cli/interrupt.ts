import { say } from "./output.js";

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Gives Ctrl-C its usual meaning back. */
  release(): void;
}

/**
 * The first Ctrl-C asks for a tidy end, the second stops at once.
 *
 * @param words what the tidy end is, for whoever pressed it
 * @param isUnderWay false while there is nothing that could be ended tidily: then the first one stops at once
 */
export function interruptible(words: string, isUnderWay = () => true): Interrupt {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted || !isUnderWay()) process.exit(130);
    say(`\n${words}; press Ctrl-C again to stop at once`);
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    release() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
