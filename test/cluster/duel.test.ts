import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cluster } from "../../src/cluster/cluster.js";
import { duelOnCluster } from "../../src/cluster/duel.js";
import { runsStatus } from "../../src/cluster/status.js";
import { ClusterWorker } from "../../src/cluster/worker.js";
import { loadConfig } from "../../src/config/load.js";
import type { DuelDocument } from "../../src/evaluator/duel/duel-document.js";
import { resumeDuel, runDuel } from "../../src/evaluator/duel/run-duel.js";
import { linesOf } from "../support/cli.js";
import { startPostgres } from "../support/postgres.js";
import { tempDir } from "../support/tiny-world.js";

const agents = ["noisy:0.82", "noisy:0.95"];
const graph = () => loadConfig("vln_graph", { set: ["cluster.batch=4"] });
const found = ({ comparisons, ranks, flipped, episodes }: DuelDocument) => ({
  ...{ comparisons, ranks, flipped, episodes },
});

let cluster: Cluster;
const stop = new AbortController();

beforeAll(async () => {
  const server = await startPostgres();
  cluster = await server.cluster();
});
afterAll(() => stop.abort());

describe("a duel on a cluster", () => {
  it("a duel on a cluster has the verdict of a local one, and drops episodes that it does not need", async () => {
    const local = await runDuel(graph(), { agents, out: join(tempDir(), "local") });
    expect(local.comparisons[0]?.verdict).toBe("better");
    const ended = new AbortController();
    const working = new ClusterWorker(cluster, {}).run(ended.signal);
    const result = await duelOnCluster(cluster, graph(), { agents, out: join(tempDir(), "one") });
    ended.abort();
    await working;
    expect(found(result)).toEqual(found(local));
    for (const { run } of result.policies) {
      expect(await linesOf(join(result.folder, run))).toHaveLength(
        local.comparisons[0]?.pairs ?? 0,
      );
    }
  });

  it("a duel on a cluster cancels its runs when it is interrupted, and is continued on this machine", async () => {
    const local = await runDuel(graph(), { agents, out: join(tempDir(), "local") });
    const interrupt = new AbortController();
    const begun = duelOnCluster(cluster, graph(), {
      ...{ agents, out: join(tempDir(), "two"), signal: interrupt.signal },
      // No worker is there, so nothing is run before this.
      onEvent: () => interrupt.abort(),
    });
    const cut = await begun;
    expect(cut.status).toBe("cancelled");
    const states = (await runsStatus(cluster)).filter(({ run_id }) => run_id.startsWith("two-"));
    expect(states.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    const resumed = await resumeDuel(cut.folder, { workers: 1 });
    expect(found(resumed)).toEqual(found(local));
  });
});
