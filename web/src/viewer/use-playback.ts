import { useSyncExternalStore } from "react";
import type { Playback } from "./playback.js";

/** The record under the cursor: drawn again once a record, not once a frame. */
export function useIndex(playback: Playback): number {
  return useSyncExternalStore(playback.subscribe, () => playback.index);
}

export function usePlaying(playback: Playback): boolean {
  return useSyncExternalStore(playback.subscribe, () => playback.state.playing);
}

export function useSpeed(playback: Playback): number {
  return useSyncExternalStore(playback.subscribe, () => playback.state.speed);
}
