import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, serve } from "../../src/api/policy/index.js";
import { loadConfig } from "../../src/config/load.js";
import type { EpisodeLine } from "../../src/core/interfaces/result.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { Rogue, ServedChallenge } from "../support/challenge.js";
import {
  linesOf,
  type RunningCli,
  robotEval,
  startRobotEval,
  temporaryFolder,
} from "../support/cli.js";
import { pythonEnvironment, testPython } from "../support/python.js";

const BENCHMARK = "configs/benchmarks/vln_graph.yaml";
const EPISODES = 4;
const CHALLENGE = `
name: On a cluster
phases:
  - name: graph
    benchmark: <root>/${BENCHMARK}
    limit: ${EPISODES}
    metrics: [success, spl]
    leaderboard: spl
evaluate_on: queue
limits: { evaluations: 2 }
`;

/** Moves forward three times, then stops. */
class Walker {
  #left = 3;

  reset(): void {
    this.#left = 3;
  }

  act(): string {
    return this.#left-- > 0 ? "move_forward" : "stop";
  }
}

const PYTHON = `
import sys
from robot_eval_client import Policy, connect

class Walker(Policy):
    def reset(self, episode):
        self.left = 3

    def act(self, observation):
        self.left -= 1
        return "move_forward" if self.left >= 0 else "stop"

connect(Walker(), sys.argv[1], token=sys.argv[2])
`;

let challenge: ServedChallenge;
let worker: RunningCli;
let local: readonly EpisodeLine[];
beforeAll(async () => {
  process.env.ROBOT_EVAL_POLICY_TOKEN = "what workers and server know";
  challenge = await new ServedChallenge(CHALLENGE).ready();
  worker = startRobotEval(
    ["worker", "--queue", challenge.databaseUrl, "--workers", "1"],
    challenge.folder,
  );
  delete process.env.ROBOT_EVAL_POLICY_TOKEN;
  const server = await serve(Walker, { port: 0 });
  const { run_dir } = await new UnifiedRobotEvaluator(loadConfig(BENCHMARK), {
    ...{ agent: server.url, first: EPISODES, outDir: temporaryFolder() },
  }).run();
  await server.close();
  local = await linesOf(run_dir);
}, 120_000);
afterAll(async () => {
  worker?.signal("SIGTERM");
  await worker?.done;
  await challenge?.stop();
});

describe("a challenge whose episodes run on the workers of a cluster", () => {
  it("a challenge on a queue has the results of an evaluation on one machine", async () => {
    const { team, token } = await challenge.team("typed");
    const url = `ws://127.0.0.1:${challenge.port}/agent?phase=graph`;
    const client = await connect(Walker, url, { token });
    await client.closed;
    await expectLocalResult(team.id);
  }, 120_000);

  const python = testPython();
  it.skipIf(!python)(
    "a Python policy joins a challenge in three lines",
    async () => {
      const { team, token } = await challenge.team("snakes");
      const script = join(temporaryFolder(), "agent.py");
      writeFileSync(script, PYTHON);
      const url = `ws://127.0.0.1:${challenge.port}/agent?phase=graph`;
      const child = spawn(python ?? "", [script, url, token], {
        env: pythonEnvironment(),
        stdio: "inherit",
      });
      expect(await once(child, "close")).toEqual([0, null]);
      await expectLocalResult(team.id);
    },
    120_000,
  );

  it("a stopped challenge on a queue counts no running submission and keeps the others waiting", async () => {
    // One more submission than `limits.evaluations`.
    for (const name of ["first", "second", "third"]) {
      const { team, token } = await challenge.team(name);
      const agent = new Rogue(`ws://127.0.0.1:${challenge.port}/agent?phase=graph`);
      await agent.hello(token);
      await agent.until("connected");
      const [opened] = await challenge.store.submissions({ teamId: team.id });
      if (name === "third") continue;
      await challenge.until(opened?.id ?? "", ({ state }) => state === "running");
    }
    // A running worker would wait for the embedded database to come back.
    worker.signal("SIGKILL");
    await worker.done;
    await challenge.stop();
    const { stdout } = await robotEval(
      ["challenge", challenge.file, "submissions", "list", "--json"],
      challenge.folder,
    );
    const [third, ...stopped] = JSON.parse(stdout).submissions.slice(0, 3);
    expect(third).toMatchObject({ team: "third", counted: true });
    expect(third.state).toMatch(/queued|waiting_for_agent/);
    for (const { state, counted } of stopped) {
      // A host fault before the stop returns a submission to the queue, where it stays open for its agent.
      expect(`${state}, counted: ${counted}`).toMatch(
        /^(failed, counted: false|waiting_for_agent, counted: true)$/,
      );
    }
  });
});

async function expectLocalResult(teamId: string): Promise<void> {
  const [submission] = await challenge.store.submissions({ teamId });
  expect(submission).toMatchObject({ state: "done", reason: null });
  const lines = await linesOf(submission?.runDir ?? null);
  expect(byKey(lines)).toEqual(byKey(local));
}

function byKey(lines: readonly EpisodeLine[]) {
  return Object.fromEntries(
    lines.map(({ episode_key, outcome, metrics, final_state_hash }) => [
      episode_key,
      { outcome, metrics, final_state_hash },
    ]),
  );
}
