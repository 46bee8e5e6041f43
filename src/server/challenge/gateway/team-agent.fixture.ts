import { PolicyConnection } from "../../../api/session/connection.js";
import { dial } from "../../../api/websocket/client.js";
import { RawPolicy } from "../../../api/websocket/raw-peer.fixture.js";
import { FloodMeter } from "./flood-meter.js";
import { TeamAgent } from "./team-agent.js";

export const SUBMISSION = "00000000-0000-4000-8000-000000000000";

/** A team's agent that accepts messages and answers none, and the connection to it. */
export async function silentAgent(sessions = 1) {
  const link = await dial((await RawPolicy.listen()).url, { timeoutMs: 30_000 });
  const capabilities = { encodings: ["json" as const], sessions };
  const connection = new PolicyConnection(
    "the agent",
    { link, sessionId: "s", capabilities, resumeToken: undefined },
    { coldStart: 60_000, answer: 60_000, grace: 0 },
    { onChange: () => {} },
  );
  const team = {
    ...{ id: "t", name: "team", affiliation: "", createdAt: new Date(0), disabledAt: null },
  };
  const client = { team, tokenId: "", remote: "::1", meter: new FloodMeter(20) };
  return { agent: new TeamAgent(client, SUBMISSION, connection), connection };
}
