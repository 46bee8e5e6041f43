/** Text of the episode page and of the 3D view. */
export const episodeEn = {
  "episode.title": "Episode {id}",
} as const;
