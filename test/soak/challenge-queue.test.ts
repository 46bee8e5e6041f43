import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rogue, Tap } from "../support/challenge.js";
import { robotEval } from "../support/cli.js";
import { expectHostileAgentsHarmless, MISDEEDS } from "../support/hostile-agents.js";
import { leaksIn } from "../support/leaks.js";
import { QueueChallenge } from "../support/queue-challenge.js";

const EPISODES = 6;
const DONE = {
  ...{ state: "done", counted: true, reason: null },
  ...{ episodes: EPISODES, distinct: EPISODES, ranked: 1 },
};

interface Hidden {
  readonly episodes: readonly {
    readonly scene_id: string;
    readonly episode_id: string;
    readonly instruction: { readonly text: string };
    readonly reference_data: { readonly nodes: readonly string[] };
  }[];
}

let queue: QueueChallenge;
let tap: Tap;
let url: string;
beforeAll(async () => {
  queue = await QueueChallenge.start(
    "<root>/configs/benchmarks/vln_graph.yaml",
    "evaluations: 20, connect_grace: 0, frame_bytes: 65536",
    `limit: ${EPISODES}`,
  );
  tap = new Tap(queue.challenge.port);
  url = `${await tap.agentUrl()}?phase=test`;
  queue.worker();
  queue.worker();
});
afterAll(async () => {
  tap?.close();
  await queue?.stop();
});

describe("a challenge on a queue", () => {
  it("a challenge on a queue is not affected by hostile agents and leaks no hidden name to them", async () => {
    await expectHostileAgentsHarmless(queue, Object.keys(MISDEEDS), url);
    expect(tap.bytes.includes("reset_episode")).toBe(true);
    expect(leaksIn(tap.bytes, { texts: hiddenNames(), numbers: [] })).toEqual([]);
  });

  it("a challenge on a queue counts every submission of a team that is cancelled and opened again quickly, and no other", async () => {
    const { challenge } = queue;
    const { team, token } = await challenge.team("changes its mind");
    const agents: Rogue[] = [];
    for (let i = 0; i < 5; i++) {
      const agent = new Rogue(url);
      agents.push(agent);
      await agent.hello(token, { name: "\u0000" });
      const { server } = await agent.until("connected");
      const { submission } = server as { readonly submission: string };
      const path = `http://127.0.0.1:${challenge.port}/api/submissions/${submission}/cancel`;
      const headers = { Authorization: `Bearer ${token}` };
      expect((await fetch(path, { method: "POST", headers })).status).toBe(200);
    }
    await Promise.all(agents.map(({ closed }) => closed));
    const own = await challenge.store.submissions({ teamId: team.id });
    expect(own.map(({ state, counted }) => [state, counted])).toEqual(
      Array.from({ length: 5 }, () => ["cancelled", true]),
    );
    const refused = new Rogue(url);
    await refused.hello(token);
    expect(await refused.until("error")).toMatchObject({ code: "quota" });
    await expect.poll(() => queue.cluster.queue.runs(), { timeout: 60_000 }).toEqual([]);
  });

  it("a challenge on a queue rejects a second server on its database and continues", async () => {
    const { challenge } = queue;
    const { agent, id } = await queue.underWay("undisturbed");
    const second = await robotEval(["serve", challenge.file, "--port", "0"], challenge.folder);
    expect(second).toMatchObject({ code: 2 });
    expect(second.stderr).toContain("another server runs this challenge");
    agent.obey(0);
    expect(await queue.ended(id)).toEqual(DONE);
  });
});

/** Hidden names that no instruction contains. */
function hiddenNames(): string[] {
  const text = gunzipSync(readFileSync("data/graph_nav/val.json.gz")).toString();
  const { episodes } = JSON.parse(text) as Hidden;
  const names = episodes.flatMap(({ scene_id, episode_id, reference_data }) => [
    ...[scene_id, episode_id],
    ...reference_data.nodes,
  ]);
  const said = episodes.map(({ instruction }) => instruction.text).join();
  return [...new Set(names)].filter((name) => !said.includes(name));
}
