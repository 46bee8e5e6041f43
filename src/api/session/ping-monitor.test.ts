import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { dial } from "../websocket/client.js";
import { RawPolicy, until } from "../websocket/raw-peer.fixture.js";
import { PingMonitor } from "./ping-monitor.js";

const PERIOD_MS = 20_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
});

async function watched(isBusy: boolean, autoPong: boolean) {
  const policy = await RawPolicy.listen({ autoPong });
  const link = await dial(policy.url, { timeoutMs: 30_000 });
  const closed = new Promise((resolve) => link.listen({ onMessage: () => {}, onClose: resolve }));
  await until(() => policy.connections.length === 1);
  let pings = 0;
  policy.last.socket.on("ping", () => pings++);
  const monitor = new PingMonitor(() => isBusy, PERIOD_MS);
  const seen = vi.spyOn(monitor, "seen");
  monitor.attach(link);
  return { link, monitor, closed, pings: () => pings, pongs: () => seen.mock.calls.length };
}

describe("link heartbeat", () => {
  it("a link heartbeat closes a link whose peer is dead without having closed it", async () => {
    const { closed, pings, link } = await watched(false, false);
    for (const beat of [1, 2]) {
      vi.advanceTimersByTime(PERIOD_MS);
      await until(() => pings() === beat);
      expect(link.isOpen).toBe(true);
    }
    vi.advanceTimersByTime(PERIOD_MS);
    expect(await closed).toBe(1006);
  });

  it.each([
    ["that answers", false, true],
    ["that thinks, and may have blocked its whole process for it", true, false],
  ])("a link heartbeat keeps a link open to a peer %s", async (_, isBusy, autoPong) => {
    const { link, monitor, pings, pongs } = await watched(isBusy, autoPong);
    for (let beat = 1; beat <= 10; beat++) {
      vi.advanceTimersByTime(PERIOD_MS);
      await until(() => (autoPong ? pongs() : pings()) === beat);
    }
    expect(link.isOpen).toBe(true);
    monitor.detach();
    await link.close();
  });
});
