import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { ChallengeCore } from "../core.js";
import { ChallengeError } from "../errors.js";
import type { LoadedChallenge } from "../load.js";
import type { ChallengeStore } from "../store.js";
import { addressKey } from "./client-address.js";
import type { ChallengeContext } from "./context.js";
import type { LiveEvent } from "./documents.js";
import type { Leaderboards } from "./leaderboards.js";
import { submissionDocument } from "./views.js";

/** Changes are told together, at most this often: progress comes with every episode. */
const EVERY_MS = 1000;
/** Proxies and browsers give up on a connection that says nothing. */
const HEARTBEAT_MS = 15_000;
const MOST_LISTENERS = 1000;
const MOST_OF_ONE_ADDRESS = 20;

interface Listener {
  readonly teamId: string | undefined;
  readonly tokenId: string | undefined;
  readonly key: string;
  send(event: LiveEvent): void;
  end(): void;
}

export interface LiveOptions {
  readonly loaded: LoadedChallenge;
  readonly store: ChallengeStore;
  readonly core: ChallengeCore;
  readonly leaderboards: Leaderboards;
}

/**
 * Tells browsers what has changed: everybody that a leaderboard has, and a team what its own submissions do. Of
 * other teams' submissions nothing is told, not even that they are under way.
 */
export class Live {
  readonly #options: LiveOptions;
  readonly #listeners = new Set<Listener>();
  /** Submissions that changed since the last look, with their teams. */
  readonly #changed = new Map<string, string>();
  readonly #versions = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
    options.core.onChange((submissionId, teamId) => {
      if (this.#listeners.size > 0) this.#changed.set(submissionId, teamId);
    });
  }

  stream(c: ChallengeContext): Response {
    const key = addressKey(c.get("caller"));
    const own = [...this.#listeners].filter((listener) => listener.key === key).length;
    if (this.#listeners.size >= MOST_LISTENERS || own >= MOST_OF_ONE_ADDRESS) {
      throw new ChallengeError("too_many", "too many pages are following already", {
        hint: "close some, or read again every few seconds instead",
      });
    }
    return streamSSE(c, async (stream) =>
      this.#serve(stream, {
        key,
        teamId: c.get("team")?.id,
        tokenId: c.get("tokenId"),
      }),
    );
  }

  async #serve(
    stream: SSEStreamingApi,
    who: Pick<Listener, "key" | "teamId" | "tokenId">,
  ): Promise<void> {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const listener: Listener = {
      ...who,
      end,
      send: (event) => void stream.writeSSE({ data: JSON.stringify(event) }),
    };
    this.#listeners.add(listener);
    this.#start();
    const beat = setInterval(() => void stream.write(": still here\n\n"), HEARTBEAT_MS);
    await stream.write(": following\n\n");
    stream.onAbort(end);
    await ended;
    clearInterval(beat);
    this.#listeners.delete(listener);
  }

  /** Looks while somebody listens, and not otherwise. */
  #start(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#listeners.size === 0) {
        this.#versions.clear();
        this.#changed.clear();
        return;
      }
      // A database that is away for a moment ends nobody's following.
      void this.#tell()
        .catch(() => {})
        .finally(() => this.#start());
    }, EVERY_MS);
    this.#timer.unref();
  }

  /** Tokens that were revoked while their owners followed. */
  async #turnOut(): Promise<void> {
    const known = [...this.#listeners].flatMap(({ tokenId }) => tokenId ?? []);
    if (known.length === 0) return;
    const closed = new Set<string | undefined>(await this.#options.store.closedTokens(known));
    for (const listener of [...this.#listeners]) {
      if (!closed.has(listener.tokenId)) continue;
      this.#listeners.delete(listener);
      listener.end();
    }
  }

  async #tell(): Promise<void> {
    const { loaded, leaderboards } = this.#options;
    await this.#turnOut();
    for (const phase of loaded.phases) {
      const { name } = phase.config;
      const version = await leaderboards.version(phase);
      const before = this.#versions.get(name);
      this.#versions.set(name, version);
      if (before === undefined || before === version) continue;
      for (const listener of this.#listeners) listener.send({ type: "leaderboard", phase: name });
    }
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const [id, teamId] of changed) {
      const own = [...this.#listeners].filter((listener) => listener.teamId === teamId);
      if (own.length === 0) continue;
      const event = await this.#submission(id);
      if (event) for (const listener of own) listener.send(event);
    }
  }

  async #submission(id: string): Promise<LiveEvent | undefined> {
    const { store, loaded } = this.#options;
    const submission = await store.submission(id);
    if (!submission) return undefined;
    const metrics = loaded.phase(submission.phase)?.config.metrics ?? [];
    const result = submission.state === "done" ? await store.result(id) : undefined;
    return { type: "submission", submission: submissionDocument(submission, result, metrics) };
  }
}
