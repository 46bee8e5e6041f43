import { describe, expect, it, onTestFinished } from "vitest";
import { AN_END, anEpisode } from "./session/episode.fixture.js";
import { RawPolicy, type RawPolicyOptions } from "./websocket/raw-peer.fixture.js";
import { WebSocketProtocol } from "./websocket-protocol.js";

async function dialled(options: RawPolicyOptions = {}) {
  const policy = await RawPolicy.listen(options);
  const protocol = await WebSocketProtocol.dial(policy.url, { policy: { connect_timeout: 30 } });
  onTestFinished(() => protocol.close());
  return { policy, protocol };
}

describe("WebSocketProtocol", () => {
  it("WebSocketProtocol sends an observation and receives an action for any task", async () => {
    const { policy, protocol } = await dialled();
    const session = await protocol.startEpisode(anEpisode());
    await protocol.sendObservation(session, { gps: [1, 2] });
    expect(await protocol.receiveAction(session)).toBe("stop");
    protocol.endEpisode(session, AN_END);
    await protocol.close();
    expect(policy.received.map(({ type }) => type)).toEqual([
      "connect",
      "reset_episode",
      "get_action",
      "episode_end",
      "disconnect",
    ]);
  });

  it("WebSocketProtocol returns the actions of a chunk one by one, and drops them on a new observation", async () => {
    const actions = ["move_forward", "move_forward", "stop"];
    const { protocol } = await dialled({
      capabilities: { action_chunk: 3 },
      on: { get_action: (message, peer) => peer.answer(message, { action: undefined, actions }) },
    });
    const session = await protocol.startEpisode(anEpisode());
    await protocol.sendObservation(session, {});
    expect(await protocol.receiveAction(session)).toBe("move_forward");
    await protocol.sendObservation(session, {});
    for (const action of actions) expect(await protocol.receiveAction(session)).toBe(action);
  });

  it("WebSocketProtocol rejects a session id without an episode", async () => {
    const { protocol } = await dialled();
    await expect(protocol.sendObservation("x", {})).rejects.toThrow(/has no running episode/);
  });
});
