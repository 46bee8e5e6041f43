import type { Message } from "../../api/messages/base.js";
import type { PolicyConnection } from "../../api/session/connection.js";
import type { Answer, Question } from "../../api/session/requests.js";
import type { PeerError } from "../../api/websocket/peer-error.js";
import type { FloodMeter } from "./flood-meter.js";
import type { Team } from "./store.js";

/** Who came in at the door. */
export interface Arrival {
  readonly team: Team;
  readonly tokenId: string;
  readonly remote: string;
  readonly meter: FloodMeter;
}

/** A team's policy that has dialled in for a submission. */
export class TeamAgent {
  readonly team: Team;
  readonly submissionId: string;
  readonly remote: string;
  #tokenId: string;
  readonly connection: PolicyConnection;
  /** Why it was turned out, where it was. */
  turnedOut: PeerError | undefined;
  #meter: FloodMeter;

  constructor(
    { team, tokenId, remote, meter }: Arrival,
    submissionId: string,
    connection: PolicyConnection,
  ) {
    this.team = team;
    this.#tokenId = tokenId;
    this.remote = remote;
    this.submissionId = submissionId;
    this.connection = connection;
    this.#meter = meter;
  }

  /** Of the token that it came with, the last time. */
  get tokenId(): string {
    return this.#tokenId;
  }

  /** Its connection was taken up again over another socket. */
  cameBack({ tokenId, meter }: Arrival): void {
    this.#tokenId = tokenId;
    this.#meter = meter;
  }

  async ask(question: Question): Promise<Answer> {
    this.#meter.asked();
    const { sent, answer } = this.connection.ask(question);
    await sent;
    return answer;
  }

  tell(message: Message): void {
    this.connection.tell(message);
  }
}
