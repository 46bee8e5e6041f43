import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase, withoutPassword } from "./connect.js";
import { type EmbeddedDatabase, startEmbedded } from "./embedded.js";
import { jsonText } from "./json.js";
import { migrate } from "./migrate.js";
import { MIGRATIONS } from "./migrations/index.js";
import { whenReachable } from "./when-reachable.js";

let folder: string;
let server: EmbeddedDatabase;
let database: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "robot-eval-database-"));
  server = await startEmbedded(folder);
  database = await openDatabase(server.url);
});

afterAll(async () => {
  await database.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("the embedded database", () => {
  test("the embedded database accepts connections only with the password", async () => {
    const { rows } = await database.query<{ one: number }>("SELECT 1 AS one");
    expect(rows).toEqual([{ one: 1 }]);
    const stranger = new URL(server.url);
    stranger.password = "wrong";
    await expect(openDatabase(stranger.href)).rejects.toMatchObject({
      code: "database_login",
      where: expect.not.stringContaining("wrong"),
    });
  });

  test("the embedded database reports a missing database and an address where nothing listens", async () => {
    await expect(openDatabase(server.url.replace(/postgres$/, "nowhere"))).rejects.toMatchObject({
      code: "no_database",
    });
    await expect(openDatabase("postgres://a:b@127.0.0.1:1/c")).rejects.toMatchObject({
      code: "database_unreachable",
    });
  });

  test("the embedded database rejects a data folder that is in use", async () => {
    await expect(startEmbedded(folder)).rejects.toMatchObject({ code: "embedded_database" });
  });
});

describe("a document with text that PostgreSQL cannot store", () => {
  test("a document with text that PostgreSQL cannot store is stored without that text and otherwise unchanged", async () => {
    const document = {
      outcome: "failure",
      why: "a\u0000b",
      "k\u0000": ["\ud83d", "🤖", "line\nline"],
      nested: { path: "C:\\u0000" },
    };
    const sql = "SELECT $1::json ->> 'outcome' AS outcome, $1::jsonb AS whole";
    await expect(database.query(sql, [JSON.stringify(document)])).rejects.toThrow(/Unicode/);
    const { rows } = await database.query(sql, [jsonText(document)]);
    expect(rows).toEqual([
      {
        outcome: "failure",
        whole: {
          outcome: "failure",
          why: "a\ufffdb",
          "k\ufffd": ["\ufffd", "🤖", "line\nline"],
          nested: { path: "C:\\u0000" },
        },
      },
    ]);
    expect(jsonText({ text: "Grüße" })).toBe(JSON.stringify({ text: "Grüße" }));
  });
});

describe("a database address", () => {
  test("a database address is shown without its password", () => {
    expect(withoutPassword("postgres://me:secret@db:5433/robots?sslmode=require")).toBe(
      "postgres://me@db:5433/robots",
    );
  });

  test("a database address is rejected without being quoted if it is not one of PostgreSQL", () => {
    for (const url of ["http://me:secret@db", "secret"]) {
      expect(() => withoutPassword(url)).toThrow(/not the address of a PostgreSQL database/);
      expect(() => withoutPassword(url)).not.toThrow(/secret/);
    }
  });
});

describe("a transaction", () => {
  test("a transaction leaves no changes if it fails, and the next one works", async () => {
    await database.query("CREATE TABLE kept (n integer)");
    const failing = database.transaction(async ({ query }) => {
      await query("INSERT INTO kept VALUES (1)");
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    await database.transaction(({ query }) => query("INSERT INTO kept VALUES (2)"));
    expect((await database.query("SELECT n FROM kept")).rows).toEqual([{ n: 2 }]);
  });
});

describe("a transaction of a frozen process", () => {
  test("a transaction of a frozen process is ended by the server, so that others get its locks, and is retried afterwards", async () => {
    await database.query("CREATE TABLE locked AS SELECT 0 AS n");
    const frozen = await openDatabase(server.url, { idleTransactionMs: 50 });
    let isFirst = true;
    await whenReachable(() =>
      frozen.transaction(async ({ query }) => {
        await query("UPDATE locked SET n = n + 10");
        // The other process waits for the lock until the server ends this transaction.
        if (isFirst) await database.query("UPDATE locked SET n = n + 1");
        isFirst = false;
      }),
    );
    expect((await database.query("SELECT n FROM locked")).rows).toEqual([{ n: 11 }]);
    await frozen.close();
  });
});

describe("migrations", () => {
  test("migrations are applied once by programs that start at the same time", async () => {
    await Promise.all([migrate(database), migrate(database), migrate(database)]);
    const { rows } = await database.query<{ name: string }>(
      "SELECT name FROM robot_eval.migrations ORDER BY version",
    );
    expect(rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
  });

  test("migrations have unique names and numbers", () => {
    expect(new Set(MIGRATIONS.map(({ name }) => name)).size).toBe(MIGRATIONS.length);
    expect(new Set(MIGRATIONS.map(({ version }) => version)).size).toBe(MIGRATIONS.length);
  });

  test("migrations leave the schema unchanged if one fails", async () => {
    const wrong = {
      version: 9000,
      name: "wrong",
      sql: "CREATE TABLE robot_eval.half (); SELECT 1/0",
    };
    await expect(migrate(database, [...MIGRATIONS, wrong])).rejects.toThrow("division by zero");
    const { rows } = await database.query("SELECT to_regclass('robot_eval.half') AS half");
    expect(rows).toEqual([{ half: null }]);
  });

  test("migrations reject a database made by a newer program", async () => {
    const later = { version: 9001, name: "later", sql: "SELECT 1" };
    await migrate(database, [...MIGRATIONS, later]);
    await expect(migrate(database)).rejects.toMatchObject({
      code: "newer_schema",
      message: expect.stringContaining("later"),
    });
    await database.query("DELETE FROM robot_eval.migrations WHERE name = 'later'");
  });
});

describe("a restart of the server", () => {
  test("a restart of the server is retried, and the data is kept", async () => {
    await database.query("CREATE TABLE lasting AS SELECT 7 AS n");
    const { port } = server;
    await server.stop();
    let away = 0;
    const answer = whenReachable(() => database.query("SELECT n FROM lasting"), {
      onUnreachable: () => away++,
    });
    server = await startEmbedded(folder, { port });
    expect((await answer).rows).toEqual([{ n: 7 }]);
    expect(away).toBe(1);
  });
});
