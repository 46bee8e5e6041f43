import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage, RobotEvalError } from "../../core/errors.js";
import { type EmbeddedDatabase, type EmbeddedOptions, startEmbedded } from "./embedded.js";

/** A server that dies more often than this within the window has a cause that restarts do not remove. */
const MOST_RESTARTS = 3;
const WINDOW_MS = 10 * 60_000;
/** Backends of a killed server keep its lock file and shared memory for a moment. */
const LOCK_WAIT_MS = 30_000;
const RETRY_MS = 200;

export interface SupervisorEvents {
  /** The server died and runs again, at the same address. */
  readonly onRestart: (restarts: number) => void;
  /** The server could not be restarted. */
  readonly onLost: (error: RobotEvalError) => void;
}

/**
 * Starts an embedded PostgreSQL and, when its process dies, starts it again on the same data and port: connection
 * pools reconnect by themselves. After three restarts within ten minutes it gives up and reports `onLost`.
 *
 * @param start starts the server, for tests
 */
export async function superviseEmbedded(
  dataDir: string,
  events: SupervisorEvents,
  options: EmbeddedOptions = {},
  start: typeof startEmbedded = startEmbedded,
): Promise<Omit<EmbeddedDatabase, "ended">> {
  let server = await start(dataDir, options);
  const { url, port } = server;
  const stopping = new AbortController();
  const restarts: number[] = [];
  const supervise = async () => {
    for (;;) {
      await server.ended;
      if (stopping.signal.aborted) return;
      const now = performance.now();
      restarts.push(now);
      const recent = restarts.filter((at) => at > now - WINDOW_MS).length;
      if (recent > MOST_RESTARTS) throw new Error(`it exited ${recent} times in ten minutes`);
      server = await restart(() => start(dataDir, { ...options, port }), stopping.signal);
      if (!stopping.signal.aborted) events.onRestart(restarts.length);
    }
  };
  const supervised = supervise().catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    events.onLost(lost(dataDir, error));
  });
  return {
    url,
    port,
    async stop() {
      stopping.abort();
      await server.stop();
      await supervised;
      // A restart that was under way when the first one was stopped.
      await server.stop();
    },
  };
}

async function restart(
  start: () => Promise<EmbeddedDatabase>,
  signal: AbortSignal,
): Promise<EmbeddedDatabase> {
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const isHeld = /lock file .* already exists|still in use/.test(errorMessage(error));
      if (!isHeld || signal.aborted || performance.now() > until) throw error;
    }
    await sleep(RETRY_MS);
  }
}

function lost(dataDir: string, cause: unknown): RobotEvalError {
  const message = `the embedded PostgreSQL is lost: ${errorMessage(cause)}`;
  return new RobotEvalError("database_lost", message, {
    where: dataDir,
    hint: "free memory or disk space, read PostgreSQL's own messages, then start `robot-eval serve` again; its data stays",
    exitCode: 1,
    cause,
  });
}
