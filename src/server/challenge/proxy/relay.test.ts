import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Rogue } from "../../../../test/support/challenge.js";
import { SUBMISSION, silentAgent } from "../gateway/team-agent.fixture.js";
import { Anonymiser } from "./anonymiser.js";
import { Relay } from "./relay.js";

const TOKEN = "what evaluators know";
let relay: Relay;
beforeAll(async () => {
  relay = await Relay.listen({ host: "127.0.0.1", port: 0, token: TOKEN });
});
afterAll(() => relay.close());

async function refusal(token: string, role = "evaluator"): Promise<unknown> {
  const caller = new Rogue(relay.address(SUBMISSION));
  await caller.hello(token, { role });
  const { code } = await caller.until("error");
  await caller.closed;
  return code;
}

describe("the relay", () => {
  it("the relay reveals nothing without its token, not even whether a submission is running", async () => {
    for (const token of ["", "guess", TOKEN.slice(1), `${TOKEN}.`]) {
      expect(await refusal(token)).toBe("unauthorized");
    }
    expect(await refusal(TOKEN)).toBe("no_submission");
  });

  it("the relay frees the sessions of an evaluator that answers no pings for a minute", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { agent } = await silentAgent();
    const anonymiser = new Anonymiser(Buffer.alloc(32), SUBMISSION, { hidden: true, disclose: [] });
    const withdraw = relay.offer(agent, anonymiser);
    const dead = new Rogue(relay.address(SUBMISSION), {}, false);
    await dead.hello(TOKEN, { role: "evaluator" });
    await dead.until("connected");
    vi.advanceTimersByTime(40_000);
    expect(await refusal(TOKEN)).toBe("busy");
    vi.advanceTimersByTime(20_000);
    expect(await dead.closed).toBe(1006);
    const next = new Rogue(relay.address(SUBMISSION));
    await next.hello(TOKEN, { role: "evaluator" });
    await next.until("connected");
    withdraw("over");
    await next.closed;
  });

  it("the relay rejects agents", async () => {
    expect(await refusal(TOKEN, "agent")).toBe("bad_role");
  });
});
