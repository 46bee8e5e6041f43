import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { dial } from "../websocket/client.js";
import { RawPolicy } from "../websocket/raw-peer.fixture.js";
import { Pulse } from "./pulse.js";

const PERIOD_MS = 20;

async function watched(isThinking: boolean, autoPong: boolean) {
  const policy = await RawPolicy.listen({ autoPong });
  const link = await dial(policy.url, { timeoutMs: 1000 });
  const closed = new Promise((resolve) => link.listen({ onMessage: () => {}, onClose: resolve }));
  const pulse = new Pulse(() => isThinking, PERIOD_MS);
  pulse.attach(link);
  return { link, pulse, closed };
}

describe("the pulse of a link", () => {
  it("ends one whose peer is dead without having said so", async () => {
    const { closed } = await watched(false, false);
    expect(await closed).toBe(1006);
  });

  it.each([
    ["that answers", false, true],
    ["that thinks, and may have blocked its whole process for it", true, false],
  ])("leaves a peer alone %s", async (_, isThinking, autoPong) => {
    const { link, pulse } = await watched(isThinking, autoPong);
    await pause(10 * PERIOD_MS);
    expect(link.isOpen).toBe(true);
    pulse.detach();
    await link.close();
  });
});
