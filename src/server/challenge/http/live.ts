import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { ChallengeCore } from "../core.js";
import { ChallengeError } from "../errors.js";
import type { LoadedChallenge } from "../load.js";
import type { ChallengeStore } from "../store/postgres-store.js";
import { addressKey } from "./client-address.js";
import type { ChallengeContext } from "./context.js";
import type { LiveEvent } from "./documents.js";
import type { Leaderboards } from "./leaderboards.js";
import type { TeamView } from "./team-view.js";

/** Interval at which changes are sent together. */
const EVERY_MS = 1000;
/** Keeps proxies and browsers from closing an idle connection. */
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
  readonly teams: TeamView;
}

/**
 * Sends changes to browsers: those of leaderboards to all, those of submissions only to their team. Other teams do not
 * learn that a submission is running.
 */
export class Live {
  readonly #listeners = new Set<Listener>();
  /** Teams of the submissions that changed since the last interval, by submission id. */
  readonly #changed = new Map<string, string>();
  readonly #versions = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LiveOptions) {
    options.core.onChange((submissionId, teamId) => {
      if (this.#listeners.size > 0) this.#changed.set(submissionId, teamId);
    });
  }

  async stream(c: ChallengeContext): Promise<Response> {
    const key = addressKey(c.get("caller"));
    const own = [...this.#listeners].filter((listener) => listener.key === key).length;
    if (this.#listeners.size >= MOST_LISTENERS || own >= MOST_OF_ONE_ADDRESS) {
      throw new ChallengeError("too_many", "too many pages receive live updates", {
        hint: "close some pages, or poll every few seconds instead",
      });
    }
    // Before the answer: pages read themselves again once it arrives, so no later change is missed.
    await this.#readVersions().catch(() => {});
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

  /** Reads the versions that later ones are compared with. */
  async #readVersions(): Promise<void> {
    const { loaded, leaderboards } = this.options;
    for (const phase of loaded.phases) {
      const { name } = phase.config;
      const version = await leaderboards.version(phase);
      if (!this.#versions.has(name)) this.#versions.set(name, version);
    }
  }

  /** Runs the timer while there are listeners. */
  #start(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#listeners.size === 0) {
        this.#versions.clear();
        this.#changed.clear();
        return;
      }
      // Listeners stay connected while the database is unreachable.
      void this.#sendChanges()
        .catch(() => {})
        .finally(() => this.#start());
    }, EVERY_MS);
    this.#timer.unref();
  }

  /** Disconnects listeners whose token was revoked. */
  async #dropRevoked(): Promise<void> {
    const known = [...this.#listeners].flatMap(({ tokenId }) => tokenId ?? []);
    if (known.length === 0) return;
    const closed = new Set<string | undefined>(await this.options.store.closedTokens(known));
    for (const listener of [...this.#listeners]) {
      if (!closed.has(listener.tokenId)) continue;
      this.#listeners.delete(listener);
      listener.end();
    }
  }

  async #sendChanges(): Promise<void> {
    const { loaded, store, leaderboards, teams } = this.options;
    await this.#dropRevoked();
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
      const found = await store.submission(id);
      if (!found) continue;
      const submission = await teams.describe(found);
      for (const listener of own) listener.send({ type: "submission", submission });
    }
  }
}
