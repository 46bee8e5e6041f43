import type { EpisodeInit } from "../../core/episode/base.js";

/** Why a draw makes no episode. Always geometry: nobody tried it. */
export interface Refusal {
  readonly refused: string;
}

export function isRefusal(drawn: EpisodeInit | Refusal): drawn is Refusal {
  return "refused" in drawn;
}
