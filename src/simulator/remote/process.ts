import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PeerError } from "../../api/websocket/peer-error.js";
import type { RemoteConfig } from "./config.js";
import { ProcessLog } from "./log.js";
import { killMarked, killTree, MARKER } from "./process-tree.js";
import { readLines } from "./read-lines.js";

const SUPERVISOR = fileURLToPath(new URL("./supervisor.js", import.meta.url));

/** Time for a process to end by itself. The supervisor kills it earlier. */
const ENDING_MS = 4000;
/** Time for the supervisor to kill it. */
const KILLING_MS = 1000;

/**
 * Numeric libraries use all cores by default. Simulators' matrices are small and each worker has a process,
 * so their threads would only compete with each other.
 */
const ONE_THREAD = { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };

type Command = Pick<RemoteConfig, "env" | "cwd" | "log_dir" | "start_timeout_s"> & {
  readonly command: readonly string[];
};

/** The task and run that a process is started for. */
export interface Purpose {
  readonly task: string;
  /** The folder of the run's logs, once there is a run. */
  readonly logFolder?: Promise<string> | undefined;
}

/**
 * A simulator started by the evaluator: without a shell and in its own process group. It ends with all its
 * descendants when it is stopped or when the evaluator ends.
 */
export class SimulatorProcess {
  readonly log: ProcessLog;
  readonly #id = randomUUID();
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #hasEnded = false;
  #port: number | undefined;
  #onEvent: (() => void) | undefined;
  #failure: Error | undefined;

  private constructor(
    private readonly command: Command,
    { task, logFolder }: Purpose,
  ) {
    this.log = new ProcessLog(task, { named: command.log_dir, ofRun: logFolder });
    this.#child = spawn(process.execPath, [SUPERVISOR, ...command.command], {
      detached: true,
      windowsHide: true,
      cwd: command.cwd,
      env: {
        ...ONE_THREAD,
        ...process.env,
        PYTHONUNBUFFERED: "1",
        ...command.env,
        ROBOT_EVAL_SIM_SUPERVISED: "1",
        [MARKER]: this.#id,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#ended = new Promise<void>((resolve) => {
      const end = (error?: Error) => {
        this.#failure = error;
        this.#hasEnded = true;
        this.#onEvent?.();
        resolve();
      };
      this.#child.once("error", end);
      this.#child.once("close", () => end());
    });
    this.#child.stdin?.on("error", () => {});
    this.#read(this.#child.stdout);
    this.#read(this.#child.stderr);
  }

  /** Starts the process and waits until it has printed its port. */
  static async start(command: Command, purpose: Purpose): Promise<SimulatorProcess> {
    const started = new SimulatorProcess(command, purpose);
    try {
      await started.#listening();
      return started;
    } catch (error) {
      await started.stop({ failed: true });
      throw error;
    }
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  /** Resolves when the process has ended, or after the timeout. */
  async settle(ms: number): Promise<void> {
    await Promise.race([this.#ended, pause(ms, undefined, { ref: false })]);
  }

  /** @param failed kills the process at once and keeps its log */
  async stop({ failed }: { readonly failed: boolean }): Promise<void> {
    const crashed = this.#hasEnded;
    if (!failed) {
      this.#child.stdin?.end();
      await this.settle(ENDING_MS);
    }
    // Windows has no SIGTERM: there it would kill the supervisor before it could end the other processes.
    if (!this.#hasEnded && process.platform !== "win32") {
      this.#child.kill("SIGTERM");
      await this.settle(KILLING_MS);
    }
    if (this.#child.pid !== undefined) killTree(this.#child.pid);
    killMarked(this.#id);
    await this.settle(ENDING_MS);
    await this.log.close(failed || crashed);
  }

  async #listening(): Promise<void> {
    const { start_timeout_s, command } = this.command;
    const program = command.join(" ");
    const deadline = performance.now() + start_timeout_s * 1000;
    while (this.#port === undefined) {
      if (this.#hasEnded) throw this.#endedEarly(program);
      const left = deadline - performance.now();
      if (left <= 0) {
        throw new PeerError(
          "simulator_silent",
          `${program} did not print its port on its standard output within ${start_timeout_s} s${this.log.lastOutput}`,
          {
            where: "simulator.command",
            hint: `a simulator must print {"robot_eval_sim": {"port": N, "pid": P}} on one line; simulator.start_timeout_s sets the limit`,
          },
        );
      }
      await this.#nextEvent(left);
    }
  }

  #endedEarly(program: string): PeerError {
    const missing = this.#failure !== undefined || this.log.lastOutput.includes("ENOENT");
    return new PeerError(
      "simulator_ended",
      `${program} ended before it printed its port${this.log.lastOutput}`,
      {
        where: "simulator.command",
        hint: missing
          ? `the program ${this.command.command[0]} or the folder ${this.command.cwd ?? process.cwd()} does not exist`
          : "start it in a terminal: it should print its port and keep running",
        cause: this.#failure,
      },
    );
  }

  #nextEvent(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        this.#onEvent = undefined;
        resolve();
      };
      const timer = setTimeout(settle, ms);
      this.#onEvent = settle;
    });
  }

  #read(stream: Readable | null): void {
    if (!stream) return;
    readLines(stream, (line) => {
      const written = this.log.add(line);
      if (written) {
        stream.pause();
        void written.then(() => stream.resume());
      }
      if (stream !== this.#child.stdout || this.#port !== undefined) return;
      this.#port = portIn(line);
      if (this.#port !== undefined) this.#onEvent?.();
    });
  }
}

/** The port of `{"robot_eval_sim": {"port": N}}`; undefined for any other line. */
function portIn(line: string): number | undefined {
  if (!line.includes("robot_eval_sim")) return undefined;
  try {
    const port: unknown = JSON.parse(line)?.robot_eval_sim?.port;
    return typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65536
      ? port
      : undefined;
  } catch {
    return undefined;
  }
}
