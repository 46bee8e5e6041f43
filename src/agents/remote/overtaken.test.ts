import { describe, expect, it } from "vitest";
import { AN_END, anEpisode } from "../../api/session/episode.fixture.js";
import { poolOf } from "../../api/session/pool.fixture.js";
import { RawPolicy } from "../../api/websocket/raw-peer.fixture.js";
import { RemoteAgent } from "./remote.js";

describe("a remote agent whose episode was over before it had a session", () => {
  it("a remote agent does not keep a session that comes after the end of its episode", async () => {
    const { url } = await RawPolicy.listen();
    const pool = await poolOf([url]);
    await pool.open(1);
    const taken = [await pool.take()];
    // A policy that takes more connections would give the agent one of its own.
    while (pool.connections.some(({ ids }) => ids.free > 0)) taken.push(await pool.take());
    const init = {
      pool,
      execute: undefined,
      task: undefined,
      identity: undefined,
      onClose: async () => {},
    };
    const agent = new RemoteAgent(init);
    const late = agent.reset(anEpisode());
    agent.end(AN_END);
    for (const session of taken) session.close();
    await expect(late).rejects.toMatchObject({ code: "abandoned" });
    expect(pool.connections.every(({ ids }) => ids.inUse === 0)).toBe(true);
  });
});
