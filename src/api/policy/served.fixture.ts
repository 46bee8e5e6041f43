import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { PolicyEpisode } from "./episode.js";
import type { Policy, PolicyObservation, PolicySource } from "./policy.js";
import { type PolicyServer, type ServeOptions, serve } from "./serve.js";

/** Serves on any free port until the test ends. */
export async function serving(
  source: PolicySource,
  options: ServeOptions = {},
): Promise<PolicyServer> {
  const server = await serve(source, { port: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Counts its calls and always returns `forward`. */
export class Forward implements Policy {
  asked = 0;
  episodes: PolicyEpisode[] = [];
  seen: PolicyObservation[] = [];

  reset(episode: PolicyEpisode): void {
    this.episodes.push(episode);
  }

  act(observation: PolicyObservation): string {
    this.asked++;
    this.seen.push(observation);
    return "move_forward";
  }
}

/** Answers when the test resolves its promise. */
export class Slow implements Policy {
  asked = 0;
  #answer: (() => void) | undefined;

  reset(): void {}

  act(): Promise<string> {
    this.asked++;
    return new Promise((resolve) => {
      this.#answer = () => resolve("turn_left");
    });
  }

  answer(): void {
    this.#answer?.();
  }
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(2);
}
