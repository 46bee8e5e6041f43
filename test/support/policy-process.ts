import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEachFile } from "./clean-up.js";
import { pythonEnvironment } from "./python.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const open = new Set<{ stop(): void }>();
afterEachFile(() => {
  for (const one of open) one.stop();
});

/** A policy in a separate process. */
export class PolicyProcess {
  readonly #child: ChildProcess;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
  readonly #listeners = new Set<() => void>();
  /** All output of the process. */
  said = "";

  /** @param command a program and its arguments */
  constructor([program = "", ...args]: readonly string[]) {
    this.#child = spawn(program, args, {
      cwd: root,
      env: pythonEnvironment(),
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.ended = once(this.#child, "close");
    const hear = (chunk: Buffer) => {
      this.said += String(chunk);
      for (const listener of this.#listeners) listener();
    };
    this.#child.stdout?.on("data", hear);
    this.#child.stderr?.on("data", hear);
    open.add(this);
  }

  /** Resolves with the first capture group of the pattern in the output. */
  heard(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this.said);
        if (found) resolve(found[1] ?? found[0]);
      };
      this.#listeners.add(look);
      this.#child.once("close", () => {
        reject(new Error(`the policy ended without saying ${pattern}:\n${this.said}`));
      });
      look();
    });
  }

  /** The address on which it listens. */
  get url(): Promise<string> {
    return this.heard(/(ws:\/\/127\.0\.0\.1:\d+)/);
  }

  /** Lets a policy that was started with `--do wait` answer. */
  answer(): void {
    this.#child.stdin?.write("\n");
  }

  /** The calls of `act`, as `episode:step`. */
  get acts(): string[] {
    return [...this.said.matchAll(/^act (\d+:\d+)$/gm)].map(([, place]) => place ?? "");
  }

  /** Memory use; undefined if the system does not report it. */
  get residentBytes(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    } catch {
      return undefined;
    }
  }

  /** Kills it like the out-of-memory killer, without a close message. */
  async kill(): Promise<void> {
    this.stop();
    await this.ended;
  }

  stop(): void {
    open.delete(this);
    this.#child.kill("SIGKILL");
  }
}

/** A TCP proxy whose connections can be cut. */
export class CuttableWire {
  /** Number of proxied connections. */
  count = 0;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #bytes = 0;
  #every = Number.POSITIVE_INFINITY;

  private constructor(port: number) {
    this.#server = createServer((near) => {
      this.count++;
      const far = connect(port, "127.0.0.1");
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      this.#join(near, far);
      this.#join(far, near);
    });
    open.add(this);
  }

  static async to(url: string): Promise<CuttableWire> {
    const wire = new CuttableWire(Number(new URL(url).port));
    wire.#server.listen(0, "127.0.0.1");
    await once(wire.#server, "listening");
    return wire;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts connections each time the given number of bytes has passed, regardless of frames. */
  cutEvery(bytes: number): void {
    this.#every = bytes;
  }

  stop(): void {
    open.delete(this);
    this.cut();
    this.#server.close();
  }

  #join(from: Socket, to: Socket): void {
    from.on("error", () => {});
    from.on("close", () => to.destroy());
    from.on("data", (chunk) => {
      this.#bytes += chunk.length;
      const surplus = this.#bytes - this.#every;
      if (surplus < 0) {
        to.write(chunk);
        return;
      }
      // The last chunk arrives before the cut.
      this.#bytes = 0;
      to.write(chunk.subarray(0, Math.max(0, chunk.length - surplus)), () => this.cut());
    });
  }

  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#pairs.clear();
  }
}
