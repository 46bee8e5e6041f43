import { ConfigError } from "../../core/errors.js";
import { PACKAGE_VERSION } from "../../runs/versions.js";
import type { Database, Queries } from "./connect.js";
import { MIGRATIONS, type Migration } from "./migrations/index.js";

/** Any number, as long as nothing else in the database locks with it: `robot` in ASCII. */
const LOCK = "491496240244";

/**
 * Brings the schema `robot_eval` to what this program knows. Programs that start at once wait for one
 * another; a database that a newer program made is refused, since an older one would misread it.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  // The usual case needs neither the lock nor the right to create anything.
  if ((await missing(database, migrations, database.where)).length === 0) return;
  await database.transaction(async (transaction) => {
    await transaction.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await transaction.query("CREATE SCHEMA IF NOT EXISTS robot_eval");
    await transaction.query(
      `CREATE TABLE IF NOT EXISTS robot_eval.migrations (
         name text PRIMARY KEY,
         version integer NOT NULL,
         program text NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    for (const { name, version, sql } of await missing(transaction, migrations, database.where)) {
      await transaction.query(sql);
      await transaction.query(
        "INSERT INTO robot_eval.migrations (name, version, program) VALUES ($1, $2, $3)",
        [name, version, PACKAGE_VERSION],
      );
    }
  });
}

async function missing(
  database: Queries,
  migrations: readonly Migration[],
  where: string,
): Promise<readonly Migration[]> {
  const { rows } = await database.query<{ there: boolean }>(
    "SELECT to_regclass('robot_eval.migrations') IS NOT NULL AS there",
  );
  if (!rows[0]?.there) return migrations;
  const applied = await database.query<{ name: string; program: string }>(
    "SELECT name, program FROM robot_eval.migrations ORDER BY version",
  );
  const known = new Set(migrations.map(({ name }) => name));
  const stranger = applied.rows.find(({ name }) => !known.has(name));
  if (stranger) {
    throw new ConfigError(
      "newer_schema",
      `the database was made by robot-eval ${stranger.program}, this is ${PACKAGE_VERSION}, which does not know its step ${stranger.name}`,
      { where, hint: "update this program, or use another database" },
    );
  }
  const there = new Set(applied.rows.map(({ name }) => name));
  return migrations.filter(({ name }) => !there.has(name));
}
