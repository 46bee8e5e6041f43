import { ConfigError } from "../../core/errors.js";
import { PACKAGE_VERSION } from "../../runs/directory/versions.js";
import type { Database, Queries } from "./connect.js";
import { MIGRATIONS, type Migration } from "./migrations/index.js";

/** Key of the advisory lock: `robot` in ASCII. */
const LOCK = "491496240244";

/**
 * Applies the missing migrations of the schema `robot_eval`. Programs that start at the same time wait for each
 * other. Rejects a database with migrations of a newer program, which this one could misread.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  // An up-to-date schema needs neither the lock nor the CREATE privilege.
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
  const unknown = applied.rows.find(({ name }) => !known.has(name));
  if (unknown) {
    throw new ConfigError(
      "newer_schema",
      `the database has the migration ${unknown.name} of robot-eval ${unknown.program}, which this version (${PACKAGE_VERSION}) does not know`,
      { where, hint: "update robot-eval, or use another database" },
    );
  }
  const there = new Set(applied.rows.map(({ name }) => name));
  return migrations.filter(({ name }) => !there.has(name));
}
