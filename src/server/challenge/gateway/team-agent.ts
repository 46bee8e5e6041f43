import type { Message } from "../../../api/messages/base.js";
import type { PolicyConnection } from "../../../api/session/connection.js";
import type { Answer, Question } from "../../../api/session/requests.js";
import type { PeerError } from "../../../api/websocket/peer-error.js";
import type { Team } from "../store/store.js";
import type { FloodMeter } from "./flood-meter.js";

/** An authenticated client of the gateway. */
export interface AuthenticatedClient {
  readonly team: Team;
  readonly tokenId: string;
  readonly remote: string;
  readonly meter: FloodMeter;
}

/** A team's policy, connected for one submission. */
export class TeamAgent {
  readonly team: Team;
  readonly remote: string;
  #tokenId: string;
  /** The error with which the server closed its connection, if it did. */
  expelledBy: PeerError | undefined;
  /** True if the evaluator rejected the policy because it does not fit the benchmark. */
  isMisfit = false;
  #meter: FloodMeter;

  constructor(
    { team, tokenId, remote, meter }: AuthenticatedClient,
    readonly submissionId: string,
    readonly connection: PolicyConnection,
  ) {
    this.team = team;
    this.#tokenId = tokenId;
    this.remote = remote;
    this.#meter = meter;
  }

  /** Id of the token with which it connected last. */
  get tokenId(): string {
    return this.#tokenId;
  }

  /** Called when its session was resumed over another socket. */
  resumed({ tokenId, meter }: AuthenticatedClient): void {
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
