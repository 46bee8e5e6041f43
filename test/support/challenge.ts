import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openChallengeStore } from "../../src/server/challenge/postgres-store.js";
import type { ChallengeStore, Team } from "../../src/server/challenge/store.js";
import { type RunningCli, startRobotEval, temporaryFolder } from "./cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** `robot-eval serve` in a process of its own, with a database of its own, and a look into that. */
export class ServedChallenge {
  readonly folder = temporaryFolder();
  readonly #cli: RunningCli;
  #store: ChallengeStore | undefined;
  #port = 0;
  #databaseUrl = "";

  /** @param challenge the file's content; `<root>` in it is the project's folder */
  constructor(challenge: string) {
    // The database's server has a user of its own where we are root.
    chmodSync(this.folder, 0o711);
    const file = join(this.folder, "challenge.yaml");
    writeFileSync(file, challenge.replaceAll("<root>", root));
    this.#cli = startRobotEval(["serve", file, "--port", "0"], this.folder);
  }

  async ready(): Promise<this> {
    const url = await Promise.race([
      this.#cli.heard(/agents dial (\S+);/),
      this.#cli.done.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ]);
    this.#port = Number(new URL(url).port);
    const note = readFileSync(join(this.folder, "challenge-data/database.json"), "utf8");
    this.#databaseUrl = (JSON.parse(note) as { url: string }).url;
    this.#store = await openChallengeStore(this.#databaseUrl);
    return this;
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

  /** Resolves with what it wrote. */
  async stop(): Promise<string> {
    await this.#store?.close();
    this.#cli.signal("SIGTERM");
    const { code, stderr } = await this.#cli.done;
    if (code !== 0) throw new Error(`serve ended with ${code}: ${stderr}`);
    return stderr;
  }
}

/** A wire to the server on which every byte that comes from it is written down. */
export class Tap {
  readonly #bytes: Buffer[] = [];
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
    return Buffer.concat(this.#bytes);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #join(inner: Socket): void {
    const outer = connect(this.#target, "127.0.0.1");
    outer.on("data", (chunk) => this.#bytes.push(chunk));
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
