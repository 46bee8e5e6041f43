import { setTimeout as pause } from "node:timers/promises";
import { PeerError } from "../../api/websocket/peer-error.js";
import { ConfigError, RobotEvalError } from "../../core/errors.js";
import type { RemoteConfig } from "./config.js";
import { type Purpose, SimulatorProcess } from "./process.js";
import { type Greeting, SimulatorSession } from "./session.js";

/** How long a simulator may take to say goodbye, in milliseconds: results are in by then. */
const GOODBYE_MS = 1000;
/** In which a process that hung up may be seen to have ended, in milliseconds. */
const LAST_BREATH_MS = 500;
/** In which a simulator that one has just left may still think that it is busy. */
const LEAVING_MS = 3000;

/** A connection to a simulator, and its process where it is ours. */
export class World {
  readonly session: SimulatorSession;
  readonly #process: SimulatorProcess | undefined;

  private constructor(session: SimulatorSession, process: SimulatorProcess | undefined) {
    this.session = session;
    this.#process = process;
  }

  /** Starts the program, where there is one, and dials. */
  static async open(
    config: RemoteConfig,
    greeting: Greeting,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<World> {
    const { command, url = "", start_timeout_s } = config;
    const started = performance.now();
    const process = command && (await SimulatorProcess.start({ ...config, command }, purpose));
    const leftMs = Math.max(1, start_timeout_s * 1000 - (performance.now() - started));
    const dial = () => SimulatorSession.open(process?.url ?? url, greeting, leftMs, signal);
    return new World(await keptOrStopped(process, dial), process);
  }

  /** The same simulator for another task or with other sensors. */
  async again(
    config: RemoteConfig,
    greeting: Greeting,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<World> {
    await this.session.close(GOODBYE_MS);
    const process = this.#process;
    // Its log goes with it, to the run that it works for now.
    process?.log.follow(purpose.logFolder);
    const deadline = performance.now() + LEAVING_MS;
    const dial = async (): Promise<SimulatorSession> => {
      try {
        const timeoutMs = config.start_timeout_s * 1000;
        return await SimulatorSession.open(this.session.url, greeting, timeoutMs, signal);
      } catch (error) {
        const isBusy = error instanceof PeerError && error.code === "busy";
        if (!isBusy || performance.now() > deadline) throw error;
        await pause(50);
        return dial();
      }
    };
    return new World(await keptOrStopped(process, dial), process);
  }

  /** An error with what is known of the process, where it is ours and has failed. */
  async explained(error: unknown): Promise<unknown> {
    const process = this.#process;
    if (!process || this.session.isAlive || !(error instanceof PeerError)) return error;
    // It hangs up a moment before it is seen to have ended.
    if (error.code === "simulator_gone") await process.settle(LAST_BREATH_MS);
    return withLastWords(error, process);
  }

  /** @param failed there is nothing to wait for: it is killed, and its log stays */
  async close({ failed }: { readonly failed: boolean }): Promise<void> {
    await this.session.close(failed ? 1 : GOODBYE_MS);
    await this.#process?.stop({ failed });
  }
}

/** A process that cannot be spoken with is of no use to anybody. */
async function keptOrStopped<T>(
  process: SimulatorProcess | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await process?.settle(LAST_BREATH_MS);
    const told = process ? withLastWords(error, process) : error;
    await process?.stop({ failed: true });
    throw told;
  }
}

function withLastWords(error: unknown, process: SimulatorProcess): unknown {
  if (!(error instanceof RobotEvalError) || error instanceof ConfigError) return error;
  const { code, message, where, hint } = error;
  return new PeerError(code, `${message}${process.log.lastWords}`, { where, hint, cause: error });
}
