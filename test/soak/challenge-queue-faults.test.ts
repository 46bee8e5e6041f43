import { renameSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalsOf } from "../../src/cluster/status.js";
import { makeWorld } from "../support/cli.js";
import { expectHostileAgentsHarmless } from "../support/hostile-agents.js";
import { QueueChallenge } from "../support/queue-challenge.js";

const EPISODES = 6;
const DONE = {
  ...{ state: "done", counted: true, reason: null },
  ...{ episodes: EPISODES, distinct: EPISODES, ranked: 1 },
};
const WHOLE = { status: "done", episodes: EPISODES, results: EPISODES, held: 0 };

let queue: QueueChallenge;
beforeAll(async () => {
  queue = await QueueChallenge.start(makeWorld().yaml, "evaluations: 4, connect_grace: 0");
});
afterAll(() => queue?.stop());

describe("a challenge on a queue", () => {
  it("a challenge on a queue ends a submission whose agent disconnects while the database is down and no worker runs", async () => {
    const { agent, id, team } = await queue.opened("left early");
    await expect.poll(() => queue.runsOf(id)).toMatchObject([{ status: "queued" }]);
    await queue.postgres.restart(async () => {
      agent.hangUp();
      await agent.closed;
    });
    expect(await queue.ended(id)).toMatchObject({ state: "failed", counted: true, ranked: 0 });
    expect(await queue.runsOf(id)).toMatchObject([{ status: "cancelled", results: 0 }]);
    expect(await queue.challenge.store.usage(team.id, "test")).toMatchObject({ total: 1 });
  });

  it("a challenge on a queue finishes a submission with another worker after its worker was killed", async () => {
    const first = queue.worker();
    const { agent, id, team } = await queue.underWay("worker killed");
    // The second worker finds all sessions of the agent taken, which must not fail the run.
    await queue.worker().said(`cannot run ${id}`);
    first.signal("SIGKILL");
    await first.done;
    agent.obey(0);
    expect(await queue.ended(id)).toEqual(DONE);
    expect(await queue.runsOf(id)).toEqual([WHOLE]);
    expect(await refusalsOf(queue.cluster, id)).toEqual([]);
    expect(await queue.challenge.store.usage(team.id, "test")).toMatchObject({ total: 1 });
  });

  it("a challenge on a queue is not affected by hostile agents", async () => {
    await expectHostileAgentsHarmless(queue, [
      "hangs up when it is asked for an action",
      "acts with hostile text",
      "answers with errors of hostile text",
      "is cancelled by its team",
    ]);
  });

  it("a challenge on a queue finishes a submission while its database restarts", async () => {
    const { agent, id } = await queue.underWay("database restarted");
    await queue.postgres.restart(async () => agent.obey(0));
    expect(await queue.ended(id)).toEqual(DONE);
    expect(await queue.runsOf(id)).toEqual([WHOLE]);
  });

  it("a challenge on a queue records a submission whose server was killed between the last episode and the recording", async () => {
    const { challenge, cluster } = queue;
    const done = await challenge.store.completeResults("test");
    const [first, second] = done.map(({ submission }) => submission);
    if (!first?.runDir || !second?.runDir) throw new Error("expected two finished submissions");
    const ids = [first.id, second.id];
    await challenge.killAndRestart(async () => {
      // A retry on the queue names its run directory like this.
      renameSync(second.runDir ?? "", `${second.runDir}-2`);
      await cluster.database.query(
        "DELETE FROM robot_eval.challenge_results WHERE submission_id = ANY ($1::uuid[])",
        [ids],
      );
      await cluster.database.query(
        "UPDATE robot_eval.challenge_submissions SET state = 'running', run_dir = NULL, finished_at = NULL WHERE id = ANY ($1::uuid[])",
        [ids],
      );
    });
    for (const id of ids) expect(await queue.ended(id)).toEqual(DONE);
    const log = await challenge.audited(({ details }) => details?.recovered === true);
    expect(log.filter(({ details }) => details?.recovered === true)).toHaveLength(2);
  });
});
