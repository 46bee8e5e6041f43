import type { SceneRate } from "../../runs/summary/scene-rates.js";
import type { RunDocument, ScenesDocument } from "./documents.js";
import type { EpisodeIndex } from "./episode-index.js";
import { metricNotes } from "./names.js";
import type { KnownRun } from "./run-reader.js";

export function runDocument({ card, info, summary }: KnownRun): RunDocument {
  return { card, info, summary, metrics: metricNotes(summary) };
}

export function scenesDocument(index: EpisodeIndex): ScenesDocument {
  const scenes = Object.entries(index.scenes.perScene());
  return Object.fromEntries(scenes.map(([task, rates]) => [task, worstFirst(rates)]));
}

/** Among equal rates, the scene with more episodes comes first; scenes without a judged episode come last. */
function worstFirst(rates: readonly SceneRate[]): SceneRate[] {
  return [...rates].sort(
    (a, b) =>
      (a.mean ?? 2) - (b.mean ?? 2) || b.count - a.count || (a.scene_id < b.scene_id ? -1 : 1),
  );
}
