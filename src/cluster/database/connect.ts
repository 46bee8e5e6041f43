import { Socket } from "node:net";
import pg from "pg";
import { ConfigError, errorCode, errorMessage } from "../../core/errors.js";

/** What runs a statement: the database, or a transaction in it. */
export interface Queries {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

export interface Database extends Queries {
  /** Its address without the password, for people. */
  readonly where: string;
  readonly pool: pg.Pool;
  /** All of what `work` does, or nothing of it. */
  transaction<T>(work: (transaction: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connections held at most. A thousand workers share the server's, so few: 3 if absent. */
  readonly connections?: number | undefined;
  /** What the server's own tools show for these connections. */
  readonly name?: string | undefined;
}

/** pg-boss needs 13; no later feature is used. */
const OLDEST_SERVER = 13;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects to a PostgreSQL server and makes sure that it can be used. Connections that break, as when
 * the server restarts, are opened anew by the next statement; the statement that was under way fails,
 * and `whenBack` is for those who would rather wait.
 *
 * @param url `postgres://user:password@host:port/database`; what is left out, the password above all,
 *   is taken from PGPASSWORD and its like, or from the user's .pgpass
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const where = withoutPassword(url);
  let first: Socket | undefined;
  const pool = new pg.Pool({
    connectionString: url,
    stream: () => {
      const socket = new Socket();
      first ??= socket;
      return socket;
    },
    max: options.connections ?? 3,
    application_name: options.name ?? "robot-eval",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // A connection that breaks while nobody uses it is nobody's error.
  pool.on("error", () => {});
  const database = new PooledDatabase(pool, where);
  try {
    const { rows } = await database.query<{ version: string }>(
      "SELECT current_setting('server_version_num') AS version",
    );
    checkVersion(Number(rows[0]?.version), where);
  } catch (error) {
    await pool.end();
    // Where the server asks for a password that nobody has, pg leaves it open, and the process would not end.
    first?.destroy();
    throw explained(error, where);
  }
  return database;
}

/** The address as it may be shown and logged. */
export function withoutPassword(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw notAnAddress();
  }
  if (!/^postgres(ql)?:$/.test(parsed.protocol)) throw notAnAddress();
  parsed.password = "";
  parsed.search = "";
  return parsed.href;
}

/** What was given is not repeated: it may hold a password. */
function notAnAddress(): ConfigError {
  return new ConfigError("bad_database_url", "this is not the address of a PostgreSQL database", {
    hint: "write postgres://user@host:5432/database; the password may come from PGPASSWORD",
  });
}

class PooledDatabase implements Database {
  constructor(
    readonly pool: pg.Pool,
    readonly where: string,
  ) {}

  query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
    return this.pool.query<Row>(text, [...values]);
  }

  async transaction<T>(work: (transaction: Queries) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // Between two statements nobody listens, and a broken connection must not end the process.
    const onError = (error: Error) => {
      broken = error;
    };
    client.on("error", onError);
    try {
      await client.query("BEGIN");
      const result = await work({
        query: <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
          client.query<Row>(text, [...values]),
      });
      await client.query("COMMIT");
      return result;
    } catch (error) {
      await client.query("ROLLBACK").catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

function checkVersion(version: number, where: string): void {
  const major = Math.floor(version / 10_000);
  if (major >= OLDEST_SERVER) return;
  throw new ConfigError("database_too_old", `the server is PostgreSQL ${major}`, {
    where,
    hint: `use PostgreSQL ${OLDEST_SERVER} or later`,
  });
}

const EXPLANATIONS: Readonly<Record<string, readonly [code: string, hint: string]>> = {
  "28P01": [
    "database_login",
    "is the password right? It may stand in the address or in PGPASSWORD",
  ],
  "28000": ["database_login", "this user may not connect from here: see the server's pg_hba.conf"],
  "3D000": ["no_database", "create it first: createdb <name>"],
  "42501": ["database_rights", "the user must own the database, or have CREATE on it"],
};

function explained(error: unknown, where: string): Error {
  if (error instanceof ConfigError) return error;
  if (/client password must be a string/.test(errorMessage(error))) {
    return new ConfigError(
      "database_login",
      "the database asks for a password, and there is none",
      {
        where,
        hint: "set PGPASSWORD, or write the password into ~/.pgpass",
        cause: error,
      },
    );
  }
  const [code, hint] = EXPLANATIONS[String(errorCode(error))] ?? [
    "database_unreachable",
    "is the server running, and does it listen at this address?",
  ];
  const message = `cannot use the database: ${errorMessage(error) || String(errorCode(error))}`;
  return new ConfigError(code, message, { where, hint, cause: error });
}
