import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { makeWorld } from "../../../../test/support/cli.js";
import { startPostgres } from "../../../../test/support/postgres.js";
import { runsStatus } from "../../../cluster/status.js";
import { submitRun } from "../../../cluster/submit.js";
import { loadConfig } from "../../../config/load.js";
import { prepareRun } from "../../../evaluator/plan/prepare.js";
import { createRegistries } from "../../../registry/registries.js";
import { QueueEvaluations } from "./queue-evaluations.js";

it("a server that starts accepts that a run finishes while it cancels it", async () => {
  const postgres = await startPostgres();
  const cluster = await postgres.cluster();
  const evaluations = await QueueEvaluations.open(postgres.url);
  const plan = await prepareRun(loadConfig(makeWorld().yaml), {
    ...{ registries: createRegistries(), agent: "random" },
  });
  const runId = randomUUID();
  await submitRun(cluster, plan, { runId });
  expect(await evaluations.leftovers()).toEqual([runId]);
  const blocked = async () => {
    const { rows } = await cluster.database.query(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE%'",
    );
    return rows.length;
  };
  let abandoned: Promise<void> = Promise.resolve();
  await cluster.database.transaction(async (transaction) => {
    await transaction.query("UPDATE robot_eval.runs SET status = 'done' WHERE run_id = $1", [
      runId,
    ]);
    // It still reads the run as queued, and waits for this transaction before it can cancel it.
    abandoned = evaluations.abandon(runId);
    await expect.poll(blocked, { timeout: 20_000 }).toBe(1);
  });
  await abandoned;
  expect(await runsStatus(cluster, runId)).toMatchObject([{ status: "done" }]);
  expect(await evaluations.leftovers()).toEqual([]);
  await evaluations.close();
});
