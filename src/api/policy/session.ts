import { errorMessage, RobotEvalError } from "../../core/errors.js";
import { decodeObservation } from "../codec/observation.js";
import type { Message, MessageOf } from "../messages/base.js";
import { type PolicyEpisode, policyEpisode } from "./episode.js";
import type { PolicyPool } from "./policy-pool.js";
import type { PolicyRunner } from "./policy-runner.js";
import { Lock } from "./policy-runner.js";

/** Maximum number of pending requests. An evaluator waits for each reply, so more is a flood. */
const MOST_WAITING = 8;

type Request = MessageOf<"reset_episode"> | MessageOf<"get_action">;

/**
 * A sequence of episodes. Requests are answered one after the other. A repeated request, whose reply was lost with a
 * connection, gets the same reply without calling the policy again.
 */
export class Session {
  readonly #lock = new Lock();
  /** Numbers of the requests that are pending or being answered. */
  readonly #pending = new Set<number>();
  #waiting = 0;
  #runner: PolicyRunner | undefined;
  #last: { readonly seq: number; readonly reply: Message } | undefined;
  #episode: PolicyEpisode | undefined;
  #step = 0;

  constructor(
    readonly id: string,
    private readonly pool: PolicyPool,
    private readonly send: (message: Message) => void,
  ) {}

  /** The highest answered number; -1 before the first. */
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
      const text = `the session already has ${this.#waiting} pending requests`;
      this.send(failure(request, "too_many_requests", text));
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
      this.send(reply);
    });
  }

  end(): void {
    void this.#lock.run(() => {
      this.#episode = undefined;
      this.#runner?.idle(this.id);
    });
  }

  /** Releases the policy once it has finished computing. */
  release(): void {
    void this.#lock.run(() => {
      if (!this.#runner) return;
      this.#runner.idle(this.id);
      this.pool.release(this.#runner);
      this.#runner = undefined;
    });
  }

  #repeat(seq: number, last: { readonly seq: number; readonly reply: Message }): void {
    if (seq === last.seq) this.send(last.reply);
    else {
      const text = `request ${seq} arrived after request ${last.seq} was answered`;
      this.send({ ...errorReply(this.id, "stale_request", text), re_seq: seq });
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
    const started = policyEpisode(episode, this.id);
    this.#runner ??= await this.pool.take();
    await this.#runner.reset(started);
    this.#episode = started;
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
    const runner = this.#runner;
    if (!episode || !runner) {
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
    const actions = await runner.act(observation, moment);
    this.#step = step + 1;
    return {
      type: "action",
      session_id: this.id,
      // A single action is sent as `action`, which every evaluator knows.
      ...(actions.length === 1 ? { action: actions[0] } : { actions }),
      ...(seq === undefined ? {} : { seq }),
      timing: { infer_ms: Math.round((performance.now() - start) * 1000) / 1000 },
    };
  }
}

export function errorReply(sessionId: string, code: string, message: string): MessageOf<"error"> {
  return { type: "error", session_id: sessionId, code, message, fatal: false };
}

function failure(request: Request, code: string, text: string): MessageOf<"error"> {
  const { session_id, seq } = request;
  return { ...errorReply(session_id, code, text), ...(seq === undefined ? {} : { re_seq: seq }) };
}

/** Formats an error for the policy's author: its type, then its message. */
function describe(error: unknown): string {
  if (error instanceof RobotEvalError) return error.describe();
  return error instanceof Error ? `${error.name}: ${error.message}` : errorMessage(error);
}
