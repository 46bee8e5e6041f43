import type { ComparedEpisode } from "../../../../src/server/view/documents.js";

/** A point of the plot, and its episodes. */
export interface ScatterPoint {
  readonly a: number;
  readonly b: number;
  readonly episodes: readonly ComparedEpisode[];
}

/** Groups episodes with equal values into points, sorted by the largest difference first. */
export function pointsOf(
  episodes: readonly ComparedEpisode[],
  metric: string,
): readonly ScatterPoint[] {
  const points = new Map<string, { a: number; b: number; episodes: ComparedEpisode[] }>();
  for (const episode of episodes) {
    const a = episode.a.metrics[metric] ?? null;
    const b = episode.b.metrics[metric] ?? null;
    if (a === null || b === null) continue;
    const key = `${a} ${b}`;
    const point = points.get(key) ?? { a, b, episodes: [] };
    point.episodes.push(episode);
    points.set(key, point);
  }
  return [...points.values()].sort((p, q) => Math.abs(q.b - q.a) - Math.abs(p.b - p.a));
}
