import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import type { ChallengeStore } from "../../src/server/challenge/store/postgres-store.js";
import { openChallengeStore } from "../../src/server/challenge/store/postgres-store.js";
import type { AuditRecord, Submission, Team } from "../../src/server/challenge/store/store.js";
import { type CliResult, type RunningCli, startRobotEval, temporaryFolder } from "./cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** `robot-eval serve` in a separate process with its own database, which tests can query. */
export class ServedChallenge {
  readonly folder = temporaryFolder();
  readonly file = join(this.folder, "challenge.yaml");
  #cli: RunningCli;
  #store: ChallengeStore | undefined;
  #port = 0;
  #databaseUrl = "";
  readonly #namedUrl: string | undefined;

  /**
   * @param challenge the content of the challenge file; `<root>` in it stands for the project folder
   * @param databaseUrl the file's `database`; without it, the server starts its own PostgreSQL
   */
  constructor(challenge: string, databaseUrl?: string) {
    this.#namedUrl = databaseUrl;
    // When run as root, PostgreSQL runs as a separate user.
    chmodSync(this.folder, 0o711);
    this.write(challenge);
    this.#cli = this.#serve();
  }

  /** Replaces the content of the challenge file, which a restarted server reads. */
  write(challenge: string): void {
    writeFileSync(this.file, challenge.replaceAll("<root>", root));
  }

  /** Kills the server like a power cut would, runs the optional callback, and starts the server again. */
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

  /** URL of the PostgreSQL that this server started in its folder. */
  databasePid(): number {
    const file = join(this.folder, "challenge-data/database/postmaster.pid");
    return Number(readFileSync(file, "utf8").split("\n")[0]);
  }

  /** Resolves when the server has exited. */
  async ended(): Promise<CliResult> {
    await this.#store?.close();
    this.#store = undefined;
    return this.#cli.done;
  }

  /** Resolves when the server has printed this. */
  said(text: string): Promise<void> {
    return this.#cli.said(text);
  }

  #serve(): RunningCli {
    return startRobotEval(["serve", this.file, "--port", "0"], this.folder);
  }

  async ready(): Promise<this> {
    const url = await Promise.race([
      this.#cli.heard(/agents connect to (\S+);/),
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

  /** Resolves when the submission has the expected state. */
  async until(id: string, is: (submission: Submission) => boolean): Promise<Submission> {
    for (;;) {
      const submission = await this.store.submission(id);
      if (submission && is(submission)) return submission;
      await later(30);
    }
  }

  /** Waits for an entry of the audit log, which is written asynchronously; returns all entries, newest first. */
  async audited(is: (entry: AuditRecord) => boolean): Promise<readonly AuditRecord[]> {
    for (;;) {
      const log = await this.store.auditLog({ limit: 1000 });
      if (log.some(is)) return log;
      await later(30);
    }
  }

  /** Resolves with its output. */
  async stop(): Promise<string> {
    await this.#store?.close();
    this.#store = undefined;
    this.#cli.signal("SIGTERM");
    const { code, stderr } = await this.#cli.done;
    if (code !== 0) throw new Error(`serve ended with ${code}: ${stderr}`);
    return stderr;
  }
}

/** A raw WebSocket client of the agent endpoint that may misbehave. Every message to it must be JSON. */
export class Rogue {
  readonly #socket: WebSocket;
  readonly heard: Record<string, unknown>[] = [];
  readonly closed: Promise<number>;

  /** @param autoPong true to answer pings, as WebSocket libraries do */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}, autoPong = true) {
    this.#socket = new WebSocket(url, { headers, autoPong });
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

  /** Connects as an agent that uses JSON encoding. */
  async hello(token: string, more: object = {}): Promise<void> {
    await this.open();
    this.send({ type: "connect", role: "agent", token, ...more });
  }

  /** @throws if the connection ends before that many messages of the type arrived */
  async until(type: string, count = 1): Promise<Record<string, unknown>> {
    for (;;) {
      const over = await Promise.race([this.closed, later(5)]);
      const found = this.heard.filter((message) => message.type === type)[count - 1];
      if (found) return found;
      if (over !== undefined) {
        throw new Error(`closed with ${over}, heard ${JSON.stringify(this.heard)}`);
      }
    }
  }

  /** Answers all further requests with this action after a delay, so that a submission takes long. */
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

/** A TCP proxy to the server that records every byte from the server. */
export class Tap {
  /** One recording per connection, so that searched text is not split by other connections. */
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
