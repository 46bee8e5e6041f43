import { Socket } from "node:net";
import pg from "pg";
import { ConfigError, errorCode, errorMessage } from "../../core/errors.js";

/** Runs statements, in the database or in one transaction. */
export interface Queries {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

export interface Database extends Queries {
  /** The address without its password, for messages. */
  readonly where: string;
  readonly pool: pg.Pool;
  /** Commits if `work` resolves, rolls back if it rejects. */
  transaction<T>(work: (transaction: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Maximum number of connections. Default 3: a thousand workers share the server's. */
  readonly connections?: number | undefined;
  /** `application_name` of the connections. */
  readonly name?: string | undefined;
  /** After this long without a statement the server ends a transaction and releases its locks. Default 30 s. */
  readonly idleTransactionMs?: number | undefined;
}

/** Required by pg-boss. */
const OLDEST_SERVER = 13;
const CONNECT_TIMEOUT_MS = 10_000;
/** Without a limit, a process that is frozen inside a transaction would hold its locks, and with them the queue. */
const IDLE_TRANSACTION_MS = 30_000;

/**
 * Connects to a PostgreSQL server and checks its version. After a restart of the server the next statement
 * reconnects; a statement that was running fails, and `whenReachable` retries it.
 *
 * @param url `postgres://user:password@host:port/database`; missing parts come from PGPASSWORD and similar
 *   variables, or from the user's .pgpass
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
    idle_in_transaction_session_timeout: options.idleTransactionMs ?? IDLE_TRANSACTION_MS,
  });
  // A broken idle connection is replaced by the next statement.
  pool.on("error", () => {});
  const database = new PooledDatabase(pool, where);
  try {
    const { rows } = await database.query<{ version: string }>(
      "SELECT current_setting('server_version_num') AS version",
    );
    checkVersion(Number(rows[0]?.version), where);
  } catch (error) {
    await pool.end();
    // If no password is set, pg leaves the socket open, and the process would not exit.
    first?.destroy();
    throw explained(error, where);
  }
  return database;
}

/** The address without password and parameters, for messages and logs. */
export function withoutPassword(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw notAnAddress(url);
  }
  if (!/^postgres(ql)?:$/.test(parsed.protocol)) throw notAnAddress(url);
  parsed.password = "";
  parsed.search = "";
  return parsed.href;
}

/** Does not quote the address: it may contain a password. */
function notAnAddress(url: string): ConfigError {
  return new ConfigError(
    "bad_database_url",
    url === "" ? "the address is empty" : "the value is not the address of a PostgreSQL database",
    {
      hint: "write postgres://user@host:5432/database; the password may come from PGPASSWORD",
    },
  );
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
    // Without a listener, a connection that breaks between two statements would end the process.
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
  throw new ConfigError("database_too_old", `PostgreSQL ${major} is not supported`, {
    where,
    hint: `use PostgreSQL ${OLDEST_SERVER} or later`,
  });
}

const EXPLANATIONS: Readonly<Record<string, readonly [code: string, hint: string]>> = {
  "28P01": ["database_login", "check the password in the address or in PGPASSWORD"],
  "28000": ["database_login", "allow this user and machine in the server's pg_hba.conf"],
  "3D000": ["no_database", "create the database: createdb <name>"],
  "42501": ["database_rights", "make the user the owner of the database, or grant it CREATE"],
};

function explained(error: unknown, where: string): Error {
  if (error instanceof ConfigError) return error;
  if (/client password must be a string/.test(errorMessage(error))) {
    return new ConfigError("database_login", "the database requires a password, and none is set", {
      where,
      hint: "set PGPASSWORD, or write the password into ~/.pgpass",
      cause: error,
    });
  }
  const [code, hint] = EXPLANATIONS[String(errorCode(error))] ?? [
    "database_unreachable",
    "check that the server is running and listens at this address",
  ];
  const message = `cannot use the database: ${errorMessage(error) || String(errorCode(error))}`;
  return new ConfigError(code, message, { where, hint, cause: error });
}
