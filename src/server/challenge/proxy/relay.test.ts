import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Rogue } from "../../../../test/support/challenge.js";
import { PolicyConnection } from "../../../api/session/connection.js";
import { dial } from "../../../api/websocket/client.js";
import { RawPolicy } from "../../../api/websocket/raw-peer.fixture.js";
import { FloodMeter } from "../gateway/flood-meter.js";
import { TeamAgent } from "../gateway/team-agent.js";
import { Anonymiser } from "./anonymiser.js";
import { Relay } from "./relay.js";

const TOKEN = "what evaluators know";
const SUBMISSION = "00000000-0000-4000-8000-000000000000";
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

/** An agent with one session. */
async function agentWithOneSession(): Promise<TeamAgent> {
  const link = await dial((await RawPolicy.listen()).url, { timeoutMs: 30_000 });
  const capabilities = { encodings: ["json" as const], sessions: 1 };
  const connection = new PolicyConnection(
    "the agent",
    { link, sessionId: "s", capabilities, resumeToken: undefined },
    { coldStart: 60_000, answer: 60_000, grace: 0 },
    { onChange: () => {} },
  );
  const now = new Date();
  const team = { id: "t", name: "team", affiliation: "", createdAt: now, disabledAt: null };
  const meter = new FloodMeter(20);
  return new TeamAgent({ team, tokenId: "", remote: "", meter }, SUBMISSION, connection);
}

describe("the relay", () => {
  it("reveals nothing without its token, not even whether a submission is running", async () => {
    for (const token of ["", "guess", TOKEN.slice(1), `${TOKEN}.`]) {
      expect(await refusal(token)).toBe("unauthorized");
    }
    expect(await refusal(TOKEN)).toBe("no_submission");
  });

  it("frees the sessions of an evaluator that answers no pings for a minute", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const agent = await agentWithOneSession();
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

  it("rejects agents", async () => {
    expect(await refusal(TOKEN, "agent")).toBe("bad_role");
  });
});
