import type { EpisodePageProps } from "../../route.js";

export function EpisodePage({ episode }: EpisodePageProps) {
  return <h1>{episode}</h1>;
}
