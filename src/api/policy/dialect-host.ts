import { randomUUID } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import { errorMessage, ProtocolError, RobotEvalError, show } from "../../core/errors.js";
import { packMsgpack, unpackMsgpack } from "../codec/msgpack.js";
import { recordOf } from "../messages/navigation.js";
import { bytesOf } from "../websocket/link.js";
import { sameSecret } from "../websocket/secrets.js";
import type { Cast } from "./cast.js";
import { DIALECTS, type Dialect, type DialectName } from "./dialects.js";
import { policyEpisode } from "./episode.js";
import { Lock } from "./lock.js";
import type { Player } from "./player.js";

export interface DialectOptions {
  readonly token?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Receives clients of one dialect. They know no sessions: a connection is one, and ends with it. */
export class DialectHost {
  readonly #name: DialectName;
  readonly #dialect: Dialect;
  readonly #cast: Cast;
  readonly #options: DialectOptions;
  #guests = 0;

  constructor(name: DialectName, cast: Cast, options: DialectOptions) {
    this.#name = name;
    this.#dialect = DIALECTS[name];
    this.#cast = cast;
    this.#options = options;
  }

  welcome(socket: WebSocket, authorization: string | undefined): void {
    // An error is always followed by a close, which is where it is handled.
    socket.on("error", () => {});
    const { token } = this.#options;
    if (token !== undefined && !sameSecret(authorization ?? "", `Api-Key ${token}`)) {
      socket.close(1008, "the header Authorization: Api-Key is missing or wrong");
      return;
    }
    if (this.#guests >= this.#cast.capacity) {
      socket.close(1013, `busy: all ${this.#cast.capacity} sessions are taken`);
      return;
    }
    this.#guests++;
    const guest = new Guest(this.#name, this.#dialect, this.#cast, socket);
    socket.on("message", (data) => guest.receive(data));
    socket.on("close", () => {
      this.#guests--;
      guest.leave();
    });
    socket.send(packMsgpack({ ...this.#dialect.metadata, ...this.#options.metadata }));
  }

  close(): void {}
}

/** One client's connection. */
class Guest {
  readonly #name: DialectName;
  readonly #dialect: Dialect;
  readonly #cast: Cast;
  readonly #socket: WebSocket;
  readonly #lock = new Lock();
  readonly #sessionId = randomUUID();
  #player: Player | undefined;
  #episode: ReturnType<typeof policyEpisode> | undefined;
  #episodes = 0;
  #step = 0;
  #lastTotalMs: number | undefined;

  constructor(name: DialectName, dialect: Dialect, cast: Cast, socket: WebSocket) {
    this.#name = name;
    this.#dialect = dialect;
    this.#cast = cast;
    this.#socket = socket;
  }

  receive(data: RawData): void {
    const start = performance.now();
    // Who does not wait for answers is not read from until there is one.
    this.#socket.pause();
    void this.#lock.run(async () => {
      if (this.#socket.readyState !== this.#socket.OPEN) return;
      try {
        await this.#answer(unpackMsgpack(bytesOf(data)), start);
      } catch (error) {
        this.#fail(error);
      }
      this.#socket.resume();
    });
  }

  leave(): void {
    void this.#lock.run(() => {
      if (!this.#player) return;
      this.#player.rest(this.#sessionId);
      this.#cast.release(this.#player);
    });
  }

  async #answer(request: unknown, start: number): Promise<void> {
    if (typeof request !== "object" || request === null || Array.isArray(request)) {
      throw new ProtocolError("bad_message", `a request is a map, this is ${show(request)}`);
    }
    const fields = { ...request } as Record<string, unknown>;
    const reset = this.#dialect.reset(fields);
    for (const key of this.#dialect.ownKeys) delete fields[key];
    if (reset) {
      await this.#reset(fields);
      if (reset.answer !== undefined) this.#socket.send(reset.answer);
      return;
    }
    const { player, episode } = await this.#playing(fields);
    const inferStart = performance.now();
    const moment = {
      sessionId: this.#sessionId,
      step: this.#step++,
      taskType: this.#name,
      episode,
    };
    const actions = await player.act(fields, moment);
    const inferMs = performance.now() - inferStart;
    const reply = this.#dialect.reply(actions, { inferMs, lastTotalMs: this.#lastTotalMs });
    await this.#send(packMsgpack(reply));
    this.#lastTotalMs = performance.now() - start;
  }

  /** Clients that never say reset have one episode a connection. */
  async #playing(fields: Readonly<Record<string, unknown>>) {
    if (!this.#player || !this.#episode) return this.#reset({ instruction: fields.prompt });
    return { player: this.#player, episode: this.#episode };
  }

  async #reset(fields: Readonly<Record<string, unknown>>) {
    this.#player ??= await this.#cast.take();
    const episodeId = `${this.#sessionId}/${this.#episodes++}`;
    const told = { ...recordOf(fields), episode_id: episodeId, task_type: this.#name };
    const episode = policyEpisode(told, this.#sessionId);
    await this.#player.reset(episode);
    this.#episode = episode;
    this.#step = 0;
    return { player: this.#player, episode };
  }

  #send(frame: Buffer): Promise<void> {
    return new Promise((resolve) => this.#socket.send(frame, () => resolve()));
  }

  /** As openpi's server does: the error as text, then the end of the connection. */
  #fail(error: unknown): void {
    const text = error instanceof RobotEvalError ? error.describe() : stackOf(error);
    this.#socket.send(text, () => {});
    this.#socket.close(1011, "Internal server error. Traceback included in previous frame.");
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : errorMessage(error);
}
