import { createHash } from "node:crypto";
import type { BaseEpisode } from "../core/episode/base.js";
import type { DataDigest } from "../core/interfaces/result.js";

/** Digest of a set of episodes, independent of their order. Keeps one hash per episode in memory. */
export class DataDigester {
  readonly #sums: string[] = [];

  add(episode: BaseEpisode): void {
    this.#sums.push(createHash("sha256").update(JSON.stringify(episode.toDict())).digest("hex"));
  }

  digest(): DataDigest {
    const all = this.#sums.sort().join("");
    return {
      episodes: this.#sums.length,
      sha256: createHash("sha256").update(all).digest("hex"),
    };
  }
}
