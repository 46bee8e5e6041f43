import { hash } from "node:crypto";

/**
 * The seed of an episode's initial state: a function of (benchmark seed, episode key) and of nothing
 * else. Workers, order, shards, retries and repeats do not enter, so they cannot change the state.
 */
export function episodeSeed(benchmarkSeed: number, episodeKey: string): number {
  return hash53("episode", benchmarkSeed, episodeKey);
}

/** The agent's own seed: another stream, and another one for each repeat of a stochastic policy. */
export function agentSeed(benchmarkSeed: number, episodeKey: string, repeat: number): number {
  return hash53("agent", benchmarkSeed, episodeKey, repeat);
}

/** 53 bits of SHA-256: as many as a JSON number carries. */
function hash53(...parts: readonly (string | number)[]): number {
  const digest = hash("sha256", JSON.stringify(parts), "buffer");
  return digest.readUInt32BE(0) * 0x20_0000 + (digest.readUInt32BE(4) >>> 11);
}
