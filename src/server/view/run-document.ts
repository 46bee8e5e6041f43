import type { SceneRate } from "../../runs/scene-rates.js";
import type { RunDocument } from "./documents.js";
import type { EpisodeIndex } from "./episode-index.js";
import { pagesOf } from "./episode-page.js";
import { metricNotes } from "./names.js";
import type { KnownRun } from "./run-shelf.js";

export function runDocument({ card, info, summary }: KnownRun, index: EpisodeIndex): RunDocument {
  const scenes = Object.entries(index.scenes.perScene());
  return {
    card,
    info,
    summary,
    scenes: Object.fromEntries(scenes.map(([task, rates]) => [task, worstFirst(rates)])),
    metrics: metricNotes(summary),
    pages: pagesOf(index),
  };
}

/** Of equal rates the one that is surer; scenes without a judged episode come last. */
function worstFirst(rates: readonly SceneRate[]): SceneRate[] {
  return [...rates].sort(
    (a, b) =>
      (a.mean ?? 2) - (b.mean ?? 2) || b.count - a.count || (a.scene_id < b.scene_id ? -1 : 1),
  );
}
