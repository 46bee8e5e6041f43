import { expect, it } from "vitest";
import { evidenceSize, sampledIds } from "../support/evidence.js";
import { runOf } from "../support/manipulation.js";
import { fileOf, GRAPH_BENCHMARK } from "../support/navigation-challenges.js";
import { expectGoldenStates } from "../support/state-hashes.js";

// manipulation.test.ts checks the states of the manipulation challenge in its own run of the expert.
const EPISODES = evidenceSize({ full: 100, soak: 20 });
const SOME = ["--filter", sampledIds(EPISODES, { first: 1, of: 100 })];

it.each([
  ["vln", fileOf("vln"), SOME, EPISODES],
  ["objectnav", fileOf("objectnav"), SOME, EPISODES],
  ["imagenav", fileOf("imagenav"), SOME, EPISODES],
  ["vln_graph", GRAPH_BENCHMARK, [], 60],
] as const)(
  "episodes of %s begin and end in the recorded states with the shortest-path agent",
  { timeout: 300_000 },
  async (_, file, flags, total) => {
    const results = await runOf(file, "--agent", "shortest-path", "--workers", "1", ...flags);
    expect(results.episodes).toMatchObject({ total, invalid: 0 });
    await expectGoldenStates(results);
  },
);
