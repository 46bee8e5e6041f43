import type { episodeEn } from "./episode-en.js";

export const episodeZh: Readonly<Record<keyof typeof episodeEn, string>> = {
  "episode.title": "回合 {id}",
};
