import { setTimeout as pause } from "node:timers/promises";
import { PeerError } from "../../api/websocket/peer-error.js";
import { ConfigError, RobotEvalError } from "../../core/errors.js";
import type { RemoteConfig } from "./config.js";
import { type Purpose, SimulatorProcess } from "./process.js";
import { type Greeting, SimulatorSession } from "./session.js";

/** Milliseconds that a simulator has to close the session; results are complete by then. */
const CLOSE_WAIT_MS = 1000;
/** Milliseconds to wait for the exit of a process that closed its connection. */
const EXIT_WAIT_MS = 500;
/** Milliseconds for which a simulator may still report `busy` after the previous session closed. */
const BUSY_RETRY_MS = 3000;

/** A connection to a simulator, and its process if the evaluator started it. */
export class World {
  private constructor(
    readonly session: SimulatorSession,
    private readonly process: SimulatorProcess | undefined,
  ) {}

  /** Starts the program, if one is configured, and connects. */
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
    return new World(await connectOrStop(process, dial), process);
  }

  /** Reconnects to the same simulator for another task or with other sensors. */
  async again(
    config: RemoteConfig,
    greeting: Greeting,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<World> {
    await this.session.close(CLOSE_WAIT_MS);
    const process = this.process;
    // Moves the log to the current run's folder.
    process?.log.follow(purpose.logFolder);
    const deadline = performance.now() + BUSY_RETRY_MS;
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
    return new World(await connectOrStop(process, dial), process);
  }

  /** Adds the process's last output to an error if the evaluator started the process and it failed. */
  async explained(error: unknown): Promise<unknown> {
    const process = this.process;
    if (!process || this.session.isAlive || !(error instanceof PeerError)) return error;
    // The connection closes shortly before the exit of the process is reported.
    if (error.code === "simulator_gone") await process.settle(EXIT_WAIT_MS);
    return withLastOutput(error, process);
  }

  /** @param failed kills the process at once and keeps its log */
  async close({ failed }: { readonly failed: boolean }): Promise<void> {
    await this.session.close(failed ? 1 : CLOSE_WAIT_MS);
    await this.process?.stop({ failed });
  }
}

/** Stops the process if the connection fails, because it cannot be used. */
async function connectOrStop<T>(
  process: SimulatorProcess | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await process?.settle(EXIT_WAIT_MS);
    const explained = process ? withLastOutput(error, process) : error;
    await process?.stop({ failed: true });
    throw explained;
  }
}

function withLastOutput(error: unknown, process: SimulatorProcess): unknown {
  if (!(error instanceof RobotEvalError) || error instanceof ConfigError) return error;
  const { code, message, where, hint } = error;
  return new PeerError(code, `${message}${process.log.lastOutput}`, { where, hint, cause: error });
}
