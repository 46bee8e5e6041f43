import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { compareWithBaseline } from "../../runs/compare/compare.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { mapOfLine } from "../../runs/episode-map.js";
import { topDownSvg } from "../../simulator/maps/top-down.js";
import type { FrameStrip, PoseTrack } from "./documents.js";
import type { NoScene, SceneFile } from "./geometry/scene-glb.js";
import type { ViewPermissions } from "./view-permissions.js";

/** Scene geometry: a file, or the reason why there is none. */
export type Scene = SceneFile | NoScene;

/** An episode of a run, as plain data that can be sent to a thread. */
export interface EpisodeRef {
  readonly path: string;
  readonly info: RunInfo;
  readonly line: EpisodeLine;
  readonly permissions: ViewPermissions;
}

interface FramesOf extends EpisodeRef {
  /** Maximum number of images per sensor. */
  readonly most: number;
}

/** Slow jobs, which build, simulate or render worlds. */
export const HEAVY = {
  async scene({ path, info, line, permissions }: EpisodeRef): Promise<Scene> {
    const { sceneGlb } = await import("./geometry/index.js");
    return sceneGlb(new RunDirectory(path), info, line, permissions);
  },

  async map({ path, info, line, permissions }: EpisodeRef): Promise<string> {
    return topDownSvg(await mapOfLine(new RunDirectory(path), info, line, { permissions }));
  },

  async track({ path, info, line, permissions }: EpisodeRef): Promise<PoseTrack | undefined> {
    const { poseTrack } = await import("./geometry/index.js");
    return poseTrack(new RunDirectory(path), info, line, permissions);
  },

  async frames({ path, info, line, permissions, most }: FramesOf): Promise<FrameStrip | undefined> {
    const { frameStrip } = await import("./geometry/index.js");
    return frameStrip(new RunDirectory(path), info, line, most, permissions);
  },

  compare({ a, b }: { readonly a: string; readonly b: string }) {
    return compareWithBaseline(a, [b], { shared: true });
  },
};

type Heavy = typeof HEAVY;
export type Kind = keyof Heavy;
export type Given<K extends Kind> = Parameters<Heavy[K]>[0];
export type Made<K extends Kind> = Awaited<ReturnType<Heavy[K]>>;
