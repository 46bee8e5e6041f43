import type { WebSocket } from "ws";
import { errorMessage, RobotEvalError } from "../../../core/errors.js";
import type { Auditor } from "../auditor.js";
import type { Team } from "../store/store.js";
import type { FloodMeter } from "./flood-meter.js";
import type { TeamAgent } from "./team-agent.js";

/** Audit entries per connection for invalid messages. */
const MOST_BAD_MESSAGES = 20;

/** A client of the agent gateway. */
export interface Caller {
  readonly socket: WebSocket;
  readonly remote: string;
  readonly url: URL;
  readonly bearer: string | undefined;
  readonly meter: FloodMeter;
  /** Number of invalid messages. */
  badMessages: number;
  team?: Team;
  agent?: TeamAgent;
}

/** Writes the audit entries of agent connections. */
export class ConnectionLog {
  constructor(private readonly auditor: Auditor) {}

  limitHit(caller: Caller, limit: string): void {
    const submissionId = caller.agent?.submissionId;
    this.auditor.add({
      event: "limit_hit",
      ...identityOf(caller),
      submissionId,
      details: { limit },
    });
  }

  badMessage(caller: Caller, what: string): void {
    caller.badMessages++;
    if (caller.badMessages > MOST_BAD_MESSAGES) return;
    const submissionId = caller.agent?.submissionId;
    const details = { what: what.slice(0, 200) };
    this.auditor.add({ event: "bad_message", ...identityOf(caller), submissionId, details });
  }

  rejected(caller: Caller, error: unknown): void {
    const code = error instanceof RobotEvalError ? error.code : "internal_error";
    // Not the whole URL: it may contain a token.
    const { searchParams: asked } = caller.url;
    const parameter = (key: string) => asked.get(key)?.slice(0, 80);
    const details = {
      code,
      message: errorMessage(error),
      phase: parameter("phase"),
      submission: parameter("submission"),
    };
    this.auditor.add({ event: "refused", ...identityOf(caller), details });
  }

  /** The server has as many connections as `limits.connections` allows. */
  busy(remote: string): void {
    this.auditor.add({ event: "refused", ...identityOf({ remote }), details: { code: "busy" } });
  }

  connection(
    { team, submissionId, remote }: TeamAgent,
    event: "connected" | "disconnected",
    details: Readonly<Record<string, unknown>>,
  ): void {
    const actor = `team:${team.name}`;
    this.auditor.add({ event, actor, teamId: team.id, submissionId, remote, details });
  }
}

function identityOf({ team, remote }: Pick<Caller, "team" | "remote">) {
  return { actor: team ? `team:${team.name}` : "anonymous", teamId: team?.id, remote };
}
