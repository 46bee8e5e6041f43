import { hash } from "node:crypto";

/**
 * The seed of an episode's initial state, a function of only the benchmark seed and the episode key. Workers,
 * order, shards, retries and repeats cannot change the state.
 */
export function episodeSeed(benchmarkSeed: number, episodeKey: string): number {
  return seedFrom("episode", benchmarkSeed, episodeKey);
}

/** The agent's seed: independent of the episode seed, and different for each repeat. */
export function agentSeed(benchmarkSeed: number, episodeKey: string, repeat: number): number {
  return seedFrom("agent", benchmarkSeed, episodeKey, repeat);
}

/** The seed of an episode's perturbation. It does not depend on the level: a stronger one goes further the same way. */
export function perturbationSeed(benchmarkSeed: number, axis: string, episodeKey: string): number {
  return seedFrom("perturbation", benchmarkSeed, axis, episodeKey);
}

/** 53 bits of SHA-256, the integers that a JSON number represents exactly. */
function seedFrom(...parts: readonly (string | number)[]): number {
  const digest = hash("sha256", JSON.stringify(parts), "buffer");
  return digest.readUInt32BE(0) * 0x20_0000 + (digest.readUInt32BE(4) >>> 11);
}
