import type { Cluster } from "../../src/cluster/cluster.js";
import { Rogue, ServedChallenge } from "./challenge.js";
import { linesOf, type RunningCli, startRobotEval } from "./cli.js";
import { startPostgres, type TestServer } from "./postgres.js";

const FULL = { protocol_version: "1.0", capabilities: { encodings: ["json"], sessions: 1 } };

/** A challenge that uses a queue, with its PostgreSQL server and workers. */
export class QueueChallenge {
  readonly workers: RunningCli[] = [];

  private constructor(
    readonly postgres: TestServer,
    readonly cluster: Cluster,
    readonly challenge: ServedChallenge,
  ) {}

  /** @param limits of the challenge, as YAML @param phase more settings of its phase `test` */
  static async start(benchmark: string, limits: string, phase = ""): Promise<QueueChallenge> {
    const postgres = await startPostgres();
    const cluster = await postgres.cluster();
    process.env.ROBOT_EVAL_POLICY_TOKEN = "what workers and server know";
    const text = `
name: On a cluster
phases:
  - name: test
    benchmark: ${benchmark}
    metrics: [success, spl]
    leaderboard: spl
    ${phase}
evaluate_on: queue
database: ${postgres.url}
limits: { ${limits} }
`;
    const challenge = await new ServedChallenge(text, postgres.url).ready();
    return new QueueChallenge(postgres, cluster, challenge);
  }

  /** Starts a worker of one thread that counts as lost after 3 s. */
  worker(): RunningCli {
    const { url } = this.postgres;
    const args = ["worker", "--queue", url, "--workers", "1", "--lost-after", "3"];
    const worker = startRobotEval(args, this.challenge.folder);
    this.workers.push(worker);
    return worker;
  }

  get agentUrl(): string {
    return `ws://127.0.0.1:${this.challenge.port}/agent?phase=test`;
  }

  /** An agent of a new team that has received its first request and not answered. */
  async underWay(name: string, { sessions = 1 } = {}) {
    const opened = await this.opened(name, { sessions });
    const { session_id, seq } = await opened.agent.until("reset_episode");
    opened.agent.send({ type: "episode_ready", session_id, seq });
    await opened.agent.until("get_action");
    return opened;
  }

  /** An agent of a new team that was accepted. */
  async opened(name: string, { sessions = 1 } = {}) {
    const { team, token } = await this.challenge.team(name);
    const agent = new Rogue(this.agentUrl);
    const capabilities = { ...FULL.capabilities, sessions };
    await agent.hello(token, { ...FULL, capabilities });
    const { server } = await agent.until("connected");
    const { submission: id } = server as { readonly submission: string };
    return { team, token, agent, id };
  }

  /** The database rows of each run of a submission, oldest first. */
  async runsOf(id: string) {
    const { rows } = await this.cluster.database.query<{
      status: string;
      episodes: number;
      results: number;
      held: number;
    }>(
      `SELECT status, n_jobs AS episodes,
         (SELECT count(*)::int FROM robot_eval.results t WHERE t.run_id = r.run_id) AS results,
         (SELECT count(*)::int FROM robot_eval.held h WHERE h.run_id = r.run_id) AS held
       FROM robot_eval.runs r WHERE run_id = $1 OR run_id LIKE $1 || '-%' ORDER BY no`,
      [id],
    );
    return rows;
  }

  async stop(): Promise<string> {
    delete process.env.ROBOT_EVAL_POLICY_TOKEN;
    for (const worker of this.workers) {
      worker.signal("SIGCONT");
      worker.signal("SIGTERM");
    }
    await Promise.all(this.workers.map(({ done }) => done));
    return this.challenge.stop();
  }

  /** Resolves when the submission has ended, with its state and the count of each episode in its run directory. */
  async ended(id: string) {
    const { challenge } = this;
    const { state, counted, reason, runDir } = await challenge.until(
      id,
      ({ finishedAt }) => finishedAt !== null,
    );
    const lines = runDir === null ? [] : await linesOf(runDir);
    const keys = lines.map(({ episode_key }) => episode_key);
    const ranked = await challenge.store.completeResults("test");
    return {
      ...{ state, counted, reason, episodes: keys.length, distinct: new Set(keys).size },
      ranked: ranked.filter(({ submissionId }) => submissionId === id).length,
    };
  }
}
