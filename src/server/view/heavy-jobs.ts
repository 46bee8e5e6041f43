import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { compareWithBaseline } from "../../runs/compare.js";
import { mapOfLine } from "../../runs/episode-map.js";
import { RunDirectory } from "../../runs/run-directory.js";
import { topDownSvg } from "../../simulator/maps/top-down.js";
import type { FrameStrip, PoseTrack } from "./documents.js";

/** Scene geometry: a file, or why there is none. */
export type Scene =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly note: string };

/** An episode of a run; what crosses to another thread is plain data. */
export interface EpisodeRef {
  readonly path: string;
  readonly info: RunInfo;
  readonly line: EpisodeLine;
}

interface FramesOf extends EpisodeRef {
  /** Of each sensor. */
  readonly most: number;
}

/** What takes long, because worlds are built, simulated or drawn for it. */
export const HEAVY = {
  async scene({ path, info, line }: EpisodeRef): Promise<Scene> {
    const { sceneGlb } = await import("./geometry/index.js");
    return sceneGlb(new RunDirectory(path), info, line);
  },

  async map({ path, info, line }: EpisodeRef): Promise<string> {
    return topDownSvg(await mapOfLine(new RunDirectory(path), info, line));
  },

  async track({ path, info, line }: EpisodeRef): Promise<PoseTrack | undefined> {
    const { poseTrack } = await import("./geometry/index.js");
    return poseTrack(new RunDirectory(path), info, line);
  },

  async frames({ path, info, line, most }: FramesOf): Promise<FrameStrip | undefined> {
    const { frameStrip } = await import("./geometry/index.js");
    return frameStrip(new RunDirectory(path), info, line, most);
  },

  compare({ a, b }: { readonly a: string; readonly b: string }) {
    return compareWithBaseline(a, [b], { shared: true });
  },
};

type Heavy = typeof HEAVY;
export type Kind = keyof Heavy;
export type Given<K extends Kind> = Parameters<Heavy[K]>[0];
export type Made<K extends Kind> = Awaited<ReturnType<Heavy[K]>>;
