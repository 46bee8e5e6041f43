import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/api/policy/index.js";
import type { Cluster } from "../../src/cluster/cluster.js";
import { runsStatus } from "../../src/cluster/status.js";
import { Rogue, ServedChallenge } from "../support/challenge.js";
import { type RunningCli, robotEvalHere, startRobotEval } from "../support/cli.js";
import { startPostgres, type TestServer } from "../support/postgres.js";

const challengeText = (database: string) => `
name: On a cluster
phases:
  - name: short
    benchmark: <root>/configs/benchmarks/vln_graph.yaml
    limit: 2
    metrics: [success, spl]
    leaderboard: spl
  - name: long
    benchmark: <root>/configs/benchmarks/vln_graph.yaml
    set: [evaluation.repeats=100]
    metrics: [success, spl]
    leaderboard: spl
evaluate_on: queue
database: ${database}
limits: { evaluations: 3 }
`;

let server: TestServer;
let cluster: Cluster;
let challenge: ServedChallenge;
let worker: RunningCli;
beforeAll(async () => {
  server = await startPostgres();
  cluster = await server.cluster();
  process.env.ROBOT_EVAL_POLICY_TOKEN = "what workers and server know";
  challenge = await new ServedChallenge(challengeText(server.url), server.url).ready();
});
afterAll(async () => {
  delete process.env.ROBOT_EVAL_POLICY_TOKEN;
  worker?.signal("SIGTERM");
  await worker?.done;
  await challenge?.stop();
});

const agentUrl = (phase: string) => `ws://127.0.0.1:${challenge.port}/agent?phase=${phase}`;

/** Opens a submission of a new team that would run for minutes, and waits until its run is queued. */
async function longSubmission(name: string) {
  const { team, token } = await challenge.team(name);
  const agent = new Rogue(agentUrl("long"));
  await agent.hello(token, { protocol_version: "1.0", capabilities: { sessions: 1 } });
  const { server: told } = await agent.until("connected");
  const { submission: id } = told as { readonly submission: string };
  const ids = async () => (await runsStatus(cluster)).map(({ run_id }) => run_id);
  await expect.poll(ids).toContain(id);
  return { team, token, id, agent };
}

const status = async (id: string) => (await runsStatus(cluster, id))[0];

describe("a server that is killed while its submissions run on the cluster's queue", () => {
  it("a restarted server ends the runs of its submissions, including cancelled ones, and workers go on with others", async () => {
    const cut = await longSubmission("cut off");
    worker = startRobotEval(["worker", "--queue", server.url, "--workers", "1"], challenge.folder);
    await cut.agent.until("reset_episode");
    cut.agent.obey(50);
    await expect.poll(async () => (await status(cut.id))?.done).toBeGreaterThan(0);
    // Queued behind the first, and cancelled while no server runs.
    const called = await longSubmission("called off");
    await challenge.killAndRestart(async () => {
      const order = ["submissions", "cancel", called.id];
      expect(await robotEvalHere(["challenge", challenge.file, ...order])).toMatchObject({
        code: 0,
      });
      expect((await status(called.id))?.status).toMatch(/queued|running/);
    });
    const { store } = challenge;
    expect(await store.submission(cut.id)).toMatchObject({
      ...{ state: "failed", counted: false, reason: "the server was restarted" },
    });
    expect(await store.submission(called.id)).toMatchObject({ state: "cancelled", counted: true });
    expect(await store.usage(cut.team.id, "long")).toMatchObject({ total: 0 });
    for (const { id } of [cut, called]) {
      expect(await status(id)).toMatchObject({ status: "cancelled" });
      expect(await store.result(id)).toBeUndefined();
    }
    // A queue into which a worker was inserting stays until the next maintenance.
    await expect.poll(() => cluster.queue.runs()).toEqual([]);

    const client = await connect(() => ({ act: () => "stop" }), agentUrl("short"), {
      token: cut.token,
    });
    await client.closed;
    expect(await store.submissions({ teamId: cut.team.id, phase: "short" })).toMatchObject([
      { state: "done", reason: null },
    ]);
  }, 120_000);
});

describe("a server that is stopped while its submissions run on the cluster's queue", () => {
  it("a stopped server cancels the runs of its submissions before it exits", async () => {
    const stopped = await Promise.all(["one", "two", "three"].map((name) => longSubmission(name)));
    await challenge.stop();
    const states = await Promise.all(stopped.map(({ id }) => status(id)));
    expect(states.map((run) => run?.status)).toEqual(stopped.map(() => "cancelled"));
    // A queue into which a worker was inserting stays until the next maintenance.
    await expect.poll(() => cluster.queue.runs()).toEqual([]);
  });
});
