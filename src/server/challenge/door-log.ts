import type { WebSocket } from "ws";
import { errorMessage, RobotEvalError } from "../../core/errors.js";
import type { Auditor } from "./auditor.js";
import type { FloodMeter } from "./flood-meter.js";
import type { Team } from "./store.js";
import type { TeamAgent } from "./team-agent.js";

/** Of one connection, in the audit log: more of the same tell nothing more. */
const MOST_ODDITIES = 20;

/** Somebody at the agents' door. */
export interface Caller {
  readonly socket: WebSocket;
  readonly remote: string;
  readonly url: URL;
  readonly bearer: string | undefined;
  readonly meter: FloodMeter;
  /** Messages that an agent does not send. */
  oddities: number;
  team?: Team;
  agent?: TeamAgent;
}

/** What the audit log is told of those at the door. */
export class DoorLog {
  readonly #auditor: Auditor;

  constructor(auditor: Auditor) {
    this.#auditor = auditor;
  }

  limitHit(caller: Caller, limit: string): void {
    const submissionId = caller.agent?.submissionId;
    this.#auditor.add({
      event: "limit_hit",
      ...whoIs(caller),
      submissionId,
      details: { limit },
    });
  }

  odd(caller: Caller, what: string): void {
    caller.oddities++;
    if (caller.oddities > MOST_ODDITIES) return;
    const submissionId = caller.agent?.submissionId;
    const details = { what: what.slice(0, 200) };
    this.#auditor.add({ event: "bad_message", ...whoIs(caller), submissionId, details });
  }

  turnedAway(caller: Caller, error: unknown): void {
    const code = error instanceof RobotEvalError ? error.code : "internal_error";
    // Not the whole address: people put tokens into those.
    const { searchParams: asked } = caller.url;
    const wish = (key: string) => asked.get(key)?.slice(0, 80);
    const details = {
      code,
      message: errorMessage(error),
      phase: wish("phase"),
      submission: wish("submission"),
    };
    this.#auditor.add({ event: "refused", ...whoIs(caller), details });
  }

  /** There was no room for one more. */
  full(remote: string): void {
    this.#auditor.add({ event: "refused", ...whoIs({ remote }), details: { code: "busy" } });
  }

  moved(
    { team, submissionId, remote }: TeamAgent,
    event: "connected" | "disconnected",
    details: Readonly<Record<string, unknown>>,
  ): void {
    const actor = `team:${team.name}`;
    this.#auditor.add({ event, actor, teamId: team.id, submissionId, remote, details });
  }
}

function whoIs({ team, remote }: Pick<Caller, "team" | "remote">) {
  return { actor: team ? `team:${team.name}` : "anonymous", teamId: team?.id, remote };
}
