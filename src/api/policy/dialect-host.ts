import { randomUUID } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import { errorMessage, ProtocolError, RobotEvalError, show } from "../../core/errors.js";
import { packMsgpack, unpackMsgpack } from "../codec/msgpack.js";
import { recordOf } from "../messages/episode-fields.js";
import { bytesOf } from "../websocket/link.js";
import { sameSecret } from "../websocket/secrets.js";
import { DIALECTS, type Dialect, type DialectName } from "./dialects.js";
import { policyEpisode } from "./episode.js";
import type { IdentityOptions } from "./identity.js";
import type { PolicyPool } from "./policy-pool.js";
import type { PolicyRunner } from "./policy-runner.js";
import { Lock } from "./policy-runner.js";

export interface DialectOptions extends IdentityOptions {
  readonly token?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Accepts clients of one dialect. Dialects have no sessions, so each connection is one session. */
export class DialectHost {
  readonly #dialect: Dialect;
  #connections = 0;

  constructor(
    private readonly name: DialectName,
    private readonly pool: PolicyPool,
    private readonly options: DialectOptions,
  ) {
    this.#dialect = DIALECTS[name];
  }

  accept(socket: WebSocket, authorization: string | undefined): void {
    // An error is always followed by `close`, which is handled below.
    socket.on("error", () => {});
    const { token } = this.options;
    if (token !== undefined && !sameSecret(authorization ?? "", `Api-Key ${token}`)) {
      socket.close(1008, "the header Authorization: Api-Key is missing or wrong");
      return;
    }
    if (this.#connections >= this.pool.capacity) {
      socket.close(1013, `busy: all ${this.pool.capacity} sessions are in use`);
      return;
    }
    this.#connections++;
    const connection = new ClientConnection(this.name, this.#dialect, this.pool, socket);
    socket.on("message", (data) => connection.receive(data));
    socket.on("close", () => {
      this.#connections--;
      connection.release();
    });
    socket.send(packMsgpack(this.#metadata()));
  }

  close(): void {}

  /** With the policy's names, except where clients require an exact set of keys. */
  #metadata(): Record<string, unknown> {
    const { name, version, checkpoint, metadata } = this.options;
    const names = Object.entries({ name, version, checkpoint }).filter(
      ([, value]) => value !== undefined,
    );
    const isOpen = Object.keys(this.#dialect.metadata).length === 0;
    const named = isOpen ? Object.fromEntries(names) : {};
    return { ...this.#dialect.metadata, ...named, ...metadata };
  }
}

/** Connection of one client. */
class ClientConnection {
  readonly #lock = new Lock();
  readonly #sessionId = randomUUID();
  #runner: PolicyRunner | undefined;
  #episode: ReturnType<typeof policyEpisode> | undefined;
  #episodes = 0;
  #step = 0;
  #lastTotalMs: number | undefined;

  constructor(
    private readonly name: DialectName,
    private readonly dialect: Dialect,
    private readonly pool: PolicyPool,
    private readonly socket: WebSocket,
  ) {}

  receive(data: RawData): void {
    const start = performance.now();
    // Do not read more requests until this one is answered.
    this.socket.pause();
    void this.#lock.run(async () => {
      if (this.socket.readyState !== this.socket.OPEN) return;
      try {
        await this.#answer(unpackMsgpack(bytesOf(data)), start);
      } catch (error) {
        this.#fail(error);
      }
      this.socket.resume();
    });
  }

  release(): void {
    void this.#lock.run(() => {
      if (!this.#runner) return;
      this.#runner.idle(this.#sessionId);
      this.pool.release(this.#runner);
    });
  }

  async #answer(request: unknown, start: number): Promise<void> {
    if (typeof request !== "object" || request === null || Array.isArray(request)) {
      throw new ProtocolError("bad_message", `a request must be a map, received ${show(request)}`);
    }
    const fields = { ...request } as Record<string, unknown>;
    const reset = this.dialect.reset(fields);
    for (const key of this.dialect.ownKeys) delete fields[key];
    if (reset) {
      await this.#reset(fields);
      if (reset.answer !== undefined) this.socket.send(reset.answer);
      return;
    }
    const { runner, episode } = await this.#active(fields);
    const inferStart = performance.now();
    const moment = {
      sessionId: this.#sessionId,
      step: this.#step++,
      taskType: this.name,
      episode,
    };
    const actions = await runner.act(fields, moment);
    const inferMs = performance.now() - inferStart;
    const reply = this.dialect.reply(actions, { inferMs, lastTotalMs: this.#lastTotalMs });
    await this.#send(packMsgpack(reply));
    this.#lastTotalMs = performance.now() - start;
  }

  /** Clients that never send a reset have one episode per connection. */
  async #active(fields: Readonly<Record<string, unknown>>) {
    if (!this.#runner || !this.#episode) return this.#reset({ instruction: fields.prompt });
    return { runner: this.#runner, episode: this.#episode };
  }

  async #reset(fields: Readonly<Record<string, unknown>>) {
    this.#runner ??= await this.pool.take();
    const episodeId = `${this.#sessionId}/${this.#episodes++}`;
    const start = { ...recordOf(fields), episode_id: episodeId, task_type: this.name };
    const episode = policyEpisode(start, this.#sessionId);
    await this.#runner.reset(episode);
    this.#episode = episode;
    this.#step = 0;
    return { runner: this.#runner, episode };
  }

  #send(frame: Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.send(frame, () => resolve()));
  }

  /** Sends the error as text, then closes the connection, as openpi's server does. */
  #fail(error: unknown): void {
    const text = error instanceof RobotEvalError ? error.describe() : stackOf(error);
    this.socket.send(text, () => {});
    this.socket.close(1011, "Internal server error. Traceback included in previous frame.");
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : errorMessage(error);
}
