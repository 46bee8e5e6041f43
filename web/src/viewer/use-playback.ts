import { useSyncExternalStore } from "react";
import type { Playback } from "./playback.js";

/** The record at the cursor; re-renders once per record, not per frame. */
export function useIndex(playback: Playback): number {
  return useSyncExternalStore(playback.subscribe, () => playback.index);
}

export function usePlaying(playback: Playback): boolean {
  return useSyncExternalStore(playback.subscribe, () => playback.state.playing);
}

export function useSpeed(playback: Playback): number {
  return useSyncExternalStore(playback.subscribe, () => playback.state.speed);
}
