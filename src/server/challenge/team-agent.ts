import type { Message } from "../../api/messages/base.js";
import type { PolicyConnection } from "../../api/session/connection.js";
import type { Answer, Question } from "../../api/session/requests.js";
import type { FloodMeter } from "./flood-meter.js";
import type { Team } from "./store.js";

/** A team's policy that has dialled in for a submission. */
export class TeamAgent {
  readonly team: Team;
  readonly submissionId: string;
  readonly remote: string;
  readonly connection: PolicyConnection;
  #meter: FloodMeter;

  constructor(
    team: Team,
    submissionId: string,
    remote: string,
    connection: PolicyConnection,
    meter: FloodMeter,
  ) {
    this.team = team;
    this.submissionId = submissionId;
    this.remote = remote;
    this.connection = connection;
    this.#meter = meter;
  }

  /** Its connection was taken up again over another socket. */
  useMeter(meter: FloodMeter): void {
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
