import { type ChildProcess, spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/**
 * Unchanged policy servers and clients of other projects. Three are files of a checkout whose path is in an
 * environment variable, one is a package.
 */
export const PEERS = {
  openpi: {
    scheme: "openpi+ws",
    script: "openpi_peer.py",
    repo: ["OPENPI_REPO", "github.com/Physical-Intelligence/openpi"],
  },
  behavior: {
    scheme: "behavior+ws",
    script: "behavior_peer.py",
    repo: ["BEHAVIOR_REPO", "github.com/StanfordVL/BEHAVIOR-1K"],
  },
  roboarena: {
    scheme: "roboarena+ws",
    script: "roboarena_peer.py",
    repo: ["ROBOARENA_REPO", "github.com/robo-arena/roboarena"],
  },
  "vla-eval": { scheme: "vla-eval+ws", script: "vla_eval_peer.py", repo: undefined },
} as const;

export type PeerName = keyof typeof PEERS;

/** Packages that the peers' files import; openpi_client requires NumPy below 2. */
export const PACKAGES = ["openpi-client", "vla-eval", "requests", "typing_extensions"];

const here = fileURLToPath(new URL(".", import.meta.url));

/** The reason why a peer is not available; undefined if it is. */
export function missing(name: PeerName, python: string | undefined): string | undefined {
  if (!python) return "no Python with the packages of the peers (python3 -m venv, pip)";
  const { repo } = PEERS[name];
  if (!repo || process.env[repo[0]]) return undefined;
  return `set ${repo[0]} to a checkout of ${repo[1]}`;
}

export interface RunningPeer {
  readonly port: number;
  /** Its output, including tracebacks. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts a peer's own server with the tiny policy, whose actions have `size` numbers. */
export async function startPeer(
  name: PeerName,
  python: string,
  size: number,
): Promise<RunningPeer> {
  const port = await freePort();
  let log = "";
  const child = spawn(python, [PEERS[name].script, "serve", String(port), String(size)], {
    cwd: here,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (data) => {
    log += data;
  });
  child.stderr.on("data", (data) => {
    log += data;
  });
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`the ${name} server ended:\n${log}`);
    await pause(100);
  }
  return { port, log: () => log, stop: () => ended(child) };
}

/** Runs a peer's client, which sends a fixed observation to the port; resolves with the actions that it printed. */
export function askPeer(name: PeerName, python: string, port: number): Promise<string> {
  return run(python, [PEERS[name].script, "ask", String(port)]);
}

/** Runs a script of this folder and resolves with its stdout. */
export async function run(python: string, args: readonly string[]): Promise<string> {
  const child = spawn(python, args, { cwd: here, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let trouble = "";
  child.stdout.on("data", (data) => {
    out += data;
  });
  child.stderr.on("data", (data) => {
    trouble += data;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${trouble}`);
  return out;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("close", () => resolve());
    child.kill("SIGKILL");
  });
}

/** A free port. The peers' servers do not report their port, so they cannot be started with 0. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
