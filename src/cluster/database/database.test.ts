import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase, withoutPassword } from "./connect.js";
import { type EmbeddedDatabase, startEmbedded } from "./embedded.js";
import { migrate } from "./migrate.js";
import { MIGRATIONS } from "./migrations/index.js";
import { whenBack } from "./when-back.js";

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

describe("a database of our own", () => {
  test("answers at its address, and only to who knows the password", async () => {
    const { rows } = await database.query<{ one: number }>("SELECT 1 AS one");
    expect(rows).toEqual([{ one: 1 }]);
    const stranger = new URL(server.url);
    stranger.password = "wrong";
    await expect(openDatabase(stranger.href)).rejects.toMatchObject({
      code: "database_login",
      where: expect.not.stringContaining("wrong"),
    });
  });

  test("says that a database is missing, and that nothing listens", async () => {
    await expect(openDatabase(server.url.replace(/postgres$/, "nowhere"))).rejects.toMatchObject({
      code: "no_database",
    });
    await expect(openDatabase("postgres://a:b@127.0.0.1:1/c")).rejects.toMatchObject({
      code: "database_unreachable",
    });
  });

  test("a folder that is in use is not served a second time", async () => {
    await expect(startEmbedded(folder)).rejects.toMatchObject({ code: "embedded_database" });
  });
});

describe("an address", () => {
  test("is shown without its password", () => {
    expect(withoutPassword("postgres://me:secret@db:5433/robots?sslmode=require")).toBe(
      "postgres://me@db:5433/robots",
    );
  });

  test("of something else is refused, and not repeated", () => {
    for (const url of ["http://me:secret@db", "secret"]) {
      expect(() => withoutPassword(url)).toThrow(/not the address of a PostgreSQL database/);
      expect(() => withoutPassword(url)).not.toThrow(/secret/);
    }
  });
});

describe("a transaction", () => {
  test("that fails leaves nothing, and the next one works", async () => {
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

describe("migrations", () => {
  test("are applied once, by however many programs that start at once", async () => {
    await Promise.all([migrate(database), migrate(database), migrate(database)]);
    const { rows } = await database.query<{ name: string }>(
      "SELECT name FROM robot_eval.migrations ORDER BY version",
    );
    expect(rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
  });

  test("have names and numbers of their own", () => {
    expect(new Set(MIGRATIONS.map(({ name }) => name)).size).toBe(MIGRATIONS.length);
    expect(new Set(MIGRATIONS.map(({ version }) => version)).size).toBe(MIGRATIONS.length);
  });

  test("that fail leave the schema as it was", async () => {
    const wrong = {
      version: 9000,
      name: "wrong",
      sql: "CREATE TABLE robot_eval.half (); SELECT 1/0",
    };
    await expect(migrate(database, [...MIGRATIONS, wrong])).rejects.toThrow("division by zero");
    const { rows } = await database.query("SELECT to_regclass('robot_eval.half') AS half");
    expect(rows).toEqual([{ half: null }]);
  });

  test("a database that a newer program made is refused", async () => {
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
  test("is waited for, and what was there is there", async () => {
    await database.query("CREATE TABLE lasting AS SELECT 7 AS n");
    const { port } = server;
    await server.stop();
    let away = 0;
    const answer = whenBack(() => database.query("SELECT n FROM lasting"), {
      onAway: () => away++,
    });
    server = await startEmbedded(folder, { port });
    expect((await answer).rows).toEqual([{ n: 7 }]);
    expect(away).toBe(1);
  });
});
