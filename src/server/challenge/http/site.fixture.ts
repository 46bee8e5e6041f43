import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { afterAll } from "vitest";
import {
  episodeLine,
  makeWorld,
  temporaryFolder,
  type World,
} from "../../../../test/support/cli.js";
import { startEmbedded } from "../../../cluster/database/embedded.js";
import type { EpisodeLine, RunLabels, RunSummary } from "../../../core/interfaces/result.js";
import type { PolicyIdentity } from "../../../core/policy-identity.js";
import { writeRun } from "../../../runs/compare/run.fixture.js";
import { Summariser } from "../../../runs/summary/summary.js";
import { listen } from "../../listen.js";
import type { ChallengeCore, ChangeListener } from "../core.js";
import { parseChallenge } from "../load.js";
import { Readiness } from "../readiness.js";
import type { ChallengeStore } from "../store/postgres-store.js";
import { openChallengeStore } from "../store/postgres-store.js";
import type { Submission, Team } from "../store/store.js";
import { challengeApp } from "./app.js";

const CHALLENGE = `name: Rooms and Corridors 2027
description: Follow spoken instructions through houses nobody has seen.
phases:
  - name: test
    description: Hidden episodes in unseen houses. The final ranking is made here.
    benchmark: benchmark.yaml
    metrics: [success, spl]
    leaderboard: success
    max_submissions: {total: 4, per_day: 3}
    closes: 2099-12-31T23:59:00Z
  - name: practice
    benchmark: benchmark.yaml
    hidden: false
    metrics: [success]
    leaderboard: success
    closes: 2020-01-01T00:00:00Z
storage: data
`;

export interface Site {
  readonly world: World;
  readonly base: string;
  readonly store: ChallengeStore;
  readonly core: FixtureCore;
  /** Internal errors that the server reported. */
  readonly faults: string[];
  /** A new team with a token. */
  join(name: string, affiliation?: string): Promise<Member>;
  /** Records an evaluated submission with these episodes. */
  finish(
    member: Member,
    lines: readonly Partial<EpisodeLine>[],
    more?: Finish,
  ): Promise<Submission>;
}

export interface Member {
  readonly team: Team;
  readonly token: string;
  /** Headers that a program sends. */
  readonly headers: { readonly Authorization: string };
}

interface Finish {
  readonly phase?: string;
  readonly name?: string;
  readonly policy?: PolicyIdentity;
}

/** Starts a challenge server with its own database for the tests of a file. */
export async function makeSite(more = ""): Promise<Site> {
  const world = makeWorld();
  const file = world.write("challenge.yaml", `${CHALLENGE}${more}`);
  const database = await startEmbedded(temporaryFolder());
  const store = await openChallengeStore(database.url);
  const core = new FixtureCore(store);
  const faults: string[] = [];
  const loaded = parseChallenge(`${CHALLENGE}${more}`, file);
  const readiness = new Readiness({ store, runs: world.root });
  const app = challengeApp({
    ...{ loaded, store, core, readiness },
    onFault: (text) => faults.push(text),
  });
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const port = await listen(server, "127.0.0.1", 0);
  afterAll(async () => {
    await closed(server);
    await store.close();
    await database.stop();
  });
  return {
    ...{ world, store, core, faults },
    base: `http://127.0.0.1:${port}`,
    async join(name, affiliation = "") {
      const team = await store.createTeam({ name, affiliation });
      const { token } = await store.issueToken(team.id);
      return { team, token, headers: { Authorization: `Bearer ${token}` } };
    },
    async finish({ team }, lines, { phase = "test", name = "", policy } = {}) {
      const most = { total: 1000, per_day: 1000 };
      const { id } = await store.openSubmission({ teamId: team.id, phase, name, most });
      await store.transition(id, ["waiting_for_agent"], "queued");
      await store.transition(id, ["queued"], "running");
      const summary = summaryOf(lines, policy ? { policies: { vln: policy } } : {});
      const runDir = writeRun({ lines, summary });
      const result = { complete: true, summary, state: "done", reason: null, runDir } as const;
      await store.recordResult(id, result);
      const done = await store.submission(id);
      if (!done) throw new Error("the submission does not exist");
      core.changed(done);
      return done;
    },
  };
}

/** Episodes of one task with this success rate. Their difficulty is mostly the same for all seeds. */
export function attempts(count: number, rate: number, seed: number): Partial<EpisodeLine>[] {
  const chance = (a: number, b: number) => {
    const x = Math.sin(a * 127.1 + b * 311.7) * 43_758.5453;
    return x - Math.floor(x);
  };
  return Array.from({ length: count }, (_, i) => {
    const difficulty = 0.8 * chance(i, 0) + 0.2 * chance(i, seed);
    const success = difficulty < rate ? 1 : 0;
    const spl = success * (0.6 + 0.4 * chance(i, seed + 1));
    return { episode_id: `secret-${i}`, metrics: { success, spl } };
  });
}

function summaryOf(lines: readonly Partial<EpisodeLine>[], labels: RunLabels): RunSummary {
  const info = (name: string, kind: "rate" | "mean") =>
    ({
      name,
      kind,
      summary: "",
      unit: "1",
      direction: "higher",
      range: [0, 1],
      needs: { state: [] },
    }) as const;
  const metrics = [info("success", "rate"), info("spl", "mean")];
  const summariser = new Summariser({
    ...{ runId: "a-run", benchmark: "small world", agent: "secret-agent", seed: 7, labels },
    tasks: { vln: { profile: "r2r", primaryMetric: "success", metrics } },
  });
  for (const line of lines) summariser.add(episodeLine(line));
  return summariser.finish("done");
}

/** Opens and cancels submissions as the server does, without evaluating them. */
class FixtureCore implements ChallengeCore {
  readonly #store: ChallengeStore;
  readonly #listeners = new Set<ChangeListener>();

  constructor(store: ChallengeStore) {
    this.#store = store;
  }

  async open(team: Team, phase: string, name: string, remote: string): Promise<Submission> {
    const most = { total: 4, per_day: 3 };
    const opened = await this.#store.openSubmission({ teamId: team.id, phase, name, most });
    const actor = `team:${team.name}`;
    await this.#store.audit({ event: "submission_opened", actor, teamId: team.id, remote });
    this.changed(opened);
    return opened;
  }

  async cancel(id: string, _actor: string, reason: string): Promise<Submission | undefined> {
    const open = ["waiting_for_agent", "queued", "running"] as const;
    const ended = await this.#store.transition(id, open, "cancelled", { reason });
    if (ended) this.changed(ended);
    return ended;
  }

  status() {
    return { running: 0, queued: 0, connections: 0 };
  }

  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed({ id, teamId }: Submission): void {
    for (const listener of this.#listeners) listener(id, teamId);
  }
}

async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await done;
}
