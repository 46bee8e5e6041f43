import type {
  CompareDocument,
  EpisodeDocument,
  EpisodePage,
  FrameStrip,
  PoseTrack,
  RunDocument,
  RunsDocument,
  ScenesDocument,
  StressDocument,
} from "../../src/server/view/documents.js";

/** The URL of a document, with the document's type. */
export type Address<T> = string & { readonly __document?: T };

const segment = encodeURIComponent;
/** Base of the run's documents, which change with the run. */
export const runAt = (run: string) => `api/runs/${segment(run)}`;
const episodeAt = (run: string, episode: string) => `${runAt(run)}/episodes/${segment(episode)}`;

/** URLs of the documents, relative to the page: see src/server/view/documents.ts. */
export const addresses = {
  runs: (): Address<RunsDocument> => "api/runs.json",
  stress: (): Address<StressDocument> => "api/stress.json",
  run: (run: string): Address<RunDocument> => `${runAt(run)}/run.json`,
  scenes: (run: string): Address<ScenesDocument> => `${runAt(run)}/scenes.json`,
  episodes: (run: string, page: number): Address<EpisodePage> =>
    `${runAt(run)}/episodes-${page}.json`,
  episode: (run: string, episode: string): Address<EpisodeDocument> =>
    `${episodeAt(run, episode)}.json`,
  map: (run: string, episode: string) => `${episodeAt(run, episode)}.svg`,
  thumbnail: (run: string, episode: string) => `${episodeAt(run, episode)}.thumb.svg`,
  track: (run: string, episode: string): Address<PoseTrack> =>
    `${episodeAt(run, episode)}.track.json`,
  frames: (run: string, episode: string): Address<FrameStrip> =>
    `${episodeAt(run, episode)}.frames.json`,
  file: (run: string, path: string) =>
    `${runAt(run)}/files/${path.split("/").map(segment).join("/")}`,
  scene: (scene: string) => `api/scenes/${segment(scene)}.glb`,
  compare: (a: string, b: string): Address<CompareDocument> =>
    `api/compare/${segment(a)}..${segment(b)}.json`,
  /** @param revision of the list that the page has */
  live: (revision: string) => `api/live?since=${segment(revision)}`,
};
