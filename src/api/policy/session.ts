import { errorMessage, RobotEvalError } from "../../core/errors.js";
import { decodeObservation } from "../codec/observation.js";
import type { Message, MessageOf } from "../messages/base.js";
import type { Cast } from "./cast.js";
import { type PolicyEpisode, policyEpisode } from "./episode.js";
import { Lock } from "./lock.js";
import type { Player } from "./player.js";

/** Requests that may wait behind one; an evaluator asks and waits, so more is a flood. */
const MOST_WAITING = 8;

type Request = MessageOf<"reset_episode"> | MessageOf<"get_action">;

/**
 * One line of episodes. Requests are answered one after the other; one that comes again (its answer was lost with
 * a connection) is answered with the same answer and without asking the policy.
 */
export class Session {
  readonly id: string;
  readonly #cast: Cast;
  readonly #send: (message: Message) => void;
  readonly #lock = new Lock();
  /** Numbers of the requests that are being answered or wait. */
  readonly #pending = new Set<number>();
  #waiting = 0;
  #player: Player | undefined;
  #last: { readonly seq: number; readonly reply: Message } | undefined;
  #episode: PolicyEpisode | undefined;
  #step = 0;

  constructor(id: string, cast: Cast, send: (message: Message) => void) {
    this.id = id;
    this.#cast = cast;
    this.#send = send;
  }

  /** The highest number answered; -1 before the first. */
  get lastSeq(): number {
    return this.#last?.seq ?? -1;
  }

  ask(request: Request): void {
    const { seq } = request;
    if (seq !== undefined) {
      if (this.#pending.has(seq)) return;
      if (this.#last && seq <= this.#last.seq) {
        this.#repeat(seq, this.#last);
        return;
      }
    }
    if (this.#waiting >= MOST_WAITING) {
      const text = `${this.#waiting} requests wait in this session already`;
      this.#send(failure(request, "too_many_requests", text));
      return;
    }
    this.#waiting++;
    if (seq !== undefined) this.#pending.add(seq);
    void this.#lock.run(async () => {
      const reply = await this.#reply(request);
      this.#waiting--;
      if (seq !== undefined) {
        this.#pending.delete(seq);
        this.#last = { seq, reply };
      }
      this.#send(reply);
    });
  }

  end(): void {
    void this.#lock.run(() => {
      this.#episode = undefined;
      this.#player?.rest(this.id);
    });
  }

  /** Gives the policy back as soon as it has done computing. */
  leave(): void {
    void this.#lock.run(() => {
      if (!this.#player) return;
      this.#player.rest(this.id);
      this.#cast.release(this.#player);
      this.#player = undefined;
    });
  }

  #repeat(seq: number, last: { readonly seq: number; readonly reply: Message }): void {
    if (seq === last.seq) this.#send(last.reply);
    else {
      const text = `request ${seq} comes after request ${last.seq} was answered`;
      this.#send({ ...sayError(this.id, "stale_request", text), re_seq: seq });
    }
  }

  async #reply(request: Request): Promise<Message> {
    try {
      return request.type === "get_action" ? await this.#act(request) : await this.#reset(request);
    } catch (error) {
      return failure(request, "policy_error", describe(error));
    }
  }

  async #reset({ episode, seq }: MessageOf<"reset_episode">): Promise<Message> {
    this.#episode = undefined;
    const told = policyEpisode(episode, this.id);
    this.#player ??= await this.#cast.take();
    await this.#player.reset(told);
    this.#episode = told;
    this.#step = 0;
    return {
      type: "episode_ready",
      session_id: this.id,
      episode_id: episode.episode_id,
      ...(seq === undefined ? {} : { seq }),
    };
  }

  async #act(request: MessageOf<"get_action">): Promise<Message> {
    const { seq, step = this.#step, task_type: taskType } = request;
    const episode = this.#episode;
    const player = this.#player;
    if (!episode || !player) {
      return failure(request, "no_episode", "get_action before reset_episode was answered");
    }
    let observation: Awaited<ReturnType<typeof decodeObservation>>;
    try {
      observation = await decodeObservation(request.observation);
    } catch (error) {
      return failure(request, "bad_message", `observation: ${errorMessage(error)}`);
    }
    const start = performance.now();
    const moment = { sessionId: this.id, step, taskType, episode };
    const actions = await player.act(observation, moment);
    this.#step = step + 1;
    return {
      type: "action",
      session_id: this.id,
      // One goes as `action`, which every evaluator knows.
      ...(actions.length === 1 ? { action: actions[0] } : { actions }),
      ...(seq === undefined ? {} : { seq }),
      timing: { infer_ms: Math.round((performance.now() - start) * 1000) / 1000 },
    };
  }
}

export function sayError(sessionId: string, code: string, message: string): MessageOf<"error"> {
  return { type: "error", session_id: sessionId, code, message, fatal: false };
}

function failure(request: Request, code: string, text: string): MessageOf<"error"> {
  const { session_id, seq } = request;
  return { ...sayError(session_id, code, text), ...(seq === undefined ? {} : { re_seq: seq }) };
}

/** As a policy's author wants to read it: the kind of the error, then what it says. */
function describe(error: unknown): string {
  if (error instanceof RobotEvalError) return error.describe();
  return error instanceof Error ? `${error.name}: ${error.message}` : errorMessage(error);
}
