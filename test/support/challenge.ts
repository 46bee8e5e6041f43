import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { openChallengeStore } from "../../src/server/challenge/postgres-store.js";
import type {
  AuditRecord,
  ChallengeStore,
  Submission,
  Team,
} from "../../src/server/challenge/store.js";
import { type RunningCli, startRobotEval, temporaryFolder } from "./cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** `robot-eval serve` in a process of its own, with a database of its own, and a look into that. */
export class ServedChallenge {
  readonly folder = temporaryFolder();
  readonly file = join(this.folder, "challenge.yaml");
  #cli: RunningCli;
  #store: ChallengeStore | undefined;
  #port = 0;
  #databaseUrl = "";
  readonly #namedUrl: string | undefined;

  /**
   * @param challenge the file's content; `<root>` in it is the project's folder
   * @param databaseUrl what the file names as `database`; a server's own if absent
   */
  constructor(challenge: string, databaseUrl?: string) {
    this.#namedUrl = databaseUrl;
    // The database's server has a user of its own where we are root.
    chmodSync(this.folder, 0o711);
    this.write(challenge);
    this.#cli = this.#serve();
  }

  /** Another content of the file, for who reads it again. */
  write(challenge: string): void {
    writeFileSync(this.file, challenge.replaceAll("<root>", root));
  }

  /** Kills the server as a power cut would, and starts it again, at once or after what is done meanwhile. */
  async killAndRestart(meanwhile?: () => Promise<unknown>): Promise<this> {
    await this.#store?.close();
    this.signal("SIGKILL");
    await this.#cli.done;
    await meanwhile?.();
    this.#cli = this.#serve();
    return this.ready();
  }

  signal(signal: NodeJS.Signals): void {
    this.#cli.signal(signal);
  }

  /** Resolves when the server has said this. */
  said(text: string): Promise<void> {
    return this.#cli.said(text);
  }

  #serve(): RunningCli {
    return startRobotEval(["serve", this.file, "--port", "0"], this.folder);
  }

  async ready(): Promise<this> {
    const url = await Promise.race([
      this.#cli.heard(/agents dial (\S+);/),
      this.#cli.done.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ]);
    this.#port = Number(new URL(url).port);
    this.#databaseUrl = this.#namedUrl ?? this.#ownUrl();
    this.#store = await openChallengeStore(this.#databaseUrl);
    return this;
  }

  #ownUrl(): string {
    const note = readFileSync(join(this.folder, "challenge-data/database.json"), "utf8");
    return (JSON.parse(note) as { url: string }).url;
  }

  get store(): ChallengeStore {
    if (!this.#store) throw new Error("not ready");
    return this.#store;
  }

  get databaseUrl(): string {
    return this.#databaseUrl;
  }

  get port(): number {
    return this.#port;
  }

  async team(name: string): Promise<{ readonly team: Team; readonly token: string }> {
    const team = await this.store.createTeam({ name });
    const { token } = await this.store.issueToken(team.id);
    return { team, token };
  }

  /** Resolves when the submission is as is asked for. */
  async until(id: string, is: (submission: Submission) => boolean): Promise<Submission> {
    for (;;) {
      const submission = await this.store.submission(id);
      if (submission && is(submission)) return submission;
      await later(30);
    }
  }

  /** What the audit log has, the newest first, when what is asked for is in it: it is written when there is time. */
  async audited(is: (entry: AuditRecord) => boolean): Promise<readonly AuditRecord[]> {
    for (;;) {
      const log = await this.store.auditLog({ limit: 1000 });
      if (log.some(is)) return log;
      await later(30);
    }
  }

  /** Resolves with what it wrote. */
  async stop(): Promise<string> {
    await this.#store?.close();
    this.#store = undefined;
    this.#cli.signal("SIGTERM");
    const { code, stderr } = await this.#cli.done;
    if (code !== 0) throw new Error(`serve ended with ${code}: ${stderr}`);
    return stderr;
  }
}

/** A bare socket at the agents' door, of somebody who may mean no good; what it is told must be JSON. */
export class Rogue {
  readonly #socket: WebSocket;
  readonly heard: Record<string, unknown>[] = [];
  readonly closed: Promise<number>;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#socket = new WebSocket(url, { headers });
    this.#socket.on("message", (data) => this.heard.push(JSON.parse(String(data))));
    this.#socket.on("error", () => {});
    this.closed = new Promise((done) => this.#socket.on("close", (code) => done(code)));
  }

  async open(): Promise<this> {
    if (this.#socket.readyState !== WebSocket.OPEN) {
      await new Promise((done) => this.#socket.once("open", done));
    }
    return this;
  }

  send(message: object | string): void {
    this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** As an agent of the plain form, which gets JSON. */
  async hello(token: string, more: object = {}): Promise<void> {
    await this.open();
    this.send({ type: "connect", role: "agent", token, ...more });
  }

  async until(type: string, count = 1): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.heard.filter((message) => message.type === type)[count - 1];
      if (found) return found;
      const over = await Promise.race([this.closed, later(5)]);
      if (over !== undefined && !this.heard.some((message) => message.type === type)) {
        throw new Error(`closed with ${over}, heard ${JSON.stringify(this.heard)}`);
      }
    }
  }

  /** Answers all questions from now on, with this action after a while; a submission is under way for long. */
  obey(pauseMs: number, action: unknown = "stop"): void {
    const answer = async ({ type, seq, session_id }: Record<string, unknown>) => {
      if (type === "reset_episode") this.send({ type: "episode_ready", session_id, seq });
      if (type !== "get_action") return;
      await later(pauseMs);
      this.send({ type: "action", session_id, action, seq });
    };
    for (const message of this.heard) void answer(message);
    this.#socket.on("message", (data) => void answer(JSON.parse(String(data))));
  }

  hangUp(): void {
    this.#socket.terminate();
  }
}

/** A wire to the server on which every byte that comes from it is written down. */
export class Tap {
  /** Of each connection its own: what is searched for must not be torn by another's. */
  readonly #heard: Buffer[][] = [];
  readonly #server = createServer((inner) => this.#join(inner));
  readonly #sockets = new Set<Socket>();
  readonly #target: number;

  constructor(target: number) {
    this.#target = target;
  }

  /** `ws://127.0.0.1:<port>/agent` */
  async agentUrl(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    const { port } = this.#server.address() as AddressInfo;
    return `ws://127.0.0.1:${port}/agent`;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#heard.flat());
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #join(inner: Socket): void {
    const outer = connect(this.#target, "127.0.0.1");
    const heard: Buffer[] = [];
    this.#heard.push(heard);
    outer.on("data", (chunk) => heard.push(chunk));
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
