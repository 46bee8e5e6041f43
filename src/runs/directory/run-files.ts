/** The names inside a run directory. docs/run-directory.md describes each. */
export const FILES = {
  info: "run.json",
  benchmark: "benchmark.yaml",
  episodes: "episodes.jsonl",
  setAside: "set_aside.jsonl",
  summary: "summary.json",
  trajectories: "trajectories",
  videos: "videos",
  films: "films",
  geometry: "geometry",
  eventLog: "log.jsonl",
  simulatorLogs: "logs",
  maps: "maps",
  lock: "run.lock",
} as const;
