import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QueueChallenge } from "../support/queue-challenge.js";

const EPISODES = 6;

let queue: QueueChallenge;
beforeAll(async () => {
  queue = await QueueChallenge.start(
    "<root>/configs/benchmarks/vln_graph.yaml",
    "evaluations: 20, connect_grace: 0, frame_bytes: 65536",
    `limit: ${EPISODES}`,
  );
  queue.worker();
  queue.worker();
});
afterAll(() => queue?.stop());

describe("a challenge on a queue with a frozen worker", () => {
  it("a challenge on a queue with a frozen worker finishes a submission whose worker is frozen with the only session of the agent, and counts nothing twice", async () => {
    const [first, second] = queue.workers;
    second?.signal("SIGTERM");
    await second?.done;
    const { agent, id } = await queue.underWay("frozen");
    const { session_id, seq } = await agent.until("get_action");
    agent.send({ type: "action", session_id, seq, action: "stop" });
    await expect
      .poll(async () => (await queue.runsOf(id))[0]?.results, { timeout: 60_000 })
      .toBe(1);
    first?.signal("SIGSTOP");
    queue.worker();
    agent.obey(0);
    expect(await queue.ended(id)).toEqual({
      ...{ state: "done", counted: true, reason: null },
      ...{ episodes: EPISODES, distinct: EPISODES, ranked: 1 },
    });
    first?.signal("SIGCONT");
    first?.signal("SIGTERM");
    await first?.done;
    expect(await queue.runsOf(id)).toEqual([
      { status: "done", episodes: EPISODES, results: EPISODES, held: 0 },
    ]);
  });
});
