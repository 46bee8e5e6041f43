import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeWorld, robotEval, startRobotEval, temporaryFolder } from "../support/cli.js";

const world = makeWorld();

/** A challenge with its own embedded database, which is not started yet. */
function challengeIn(folder: string): string {
  const file = join(folder, "challenge.yaml");
  writeFileSync(
    file,
    `name: alone
phases: [{name: test, benchmark: ${world.yaml}, metrics: [success], leaderboard: success}]
listen: {port: 0}
`,
  );
  return file;
}

function openFolder(): string {
  const folder = temporaryFolder();
  // When run as root, PostgreSQL runs as another user, who needs access to the folder.
  chmodSync(folder, 0o711);
  return folder;
}

describe("a challenge's embedded database", () => {
  it("the embedded database is started once by concurrent processes and stays until the last one is done", async () => {
    const folder = openFolder();
    const file = challengeIn(folder);
    const add = (name: string) => robotEval(["challenge", file, "team", "add", name], folder);
    const first = [add("one"), add("two")];
    const server = startRobotEval(["serve", file], folder);
    const added = await Promise.all(first);
    expect(added.map(({ code, stderr }) => [code, stderr])).toEqual(
      added.map(() => [0, expect.stringContaining("shown only once")]),
    );
    await server.heard(/agents connect to (\S+);/);
    // The commands that may have started the database have ended; it still serves the server and new commands.
    const list = await robotEval(["challenge", file, "team", "list", "--json"], folder);
    const { teams } = JSON.parse(list.stdout) as { teams: { name: string }[] };
    expect(teams.map(({ name }) => name)).toEqual(["one", "two"]);

    const address = await robotEval(["challenge", file, "database"], folder);
    const queue = await robotEval(["status", "--queue", address.stdout.trim()], folder);
    expect([queue.code, queue.stderr]).toEqual([0, ""]);

    const second = await robotEval(["serve", file], folder);
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringContaining("another server runs this challenge"),
    ]);
    server.signal("SIGTERM");
    expect(await server.done).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining("fault"),
    });
    const stopped = await robotEval(["challenge", file, "database"], folder);
    expect([stopped.code, stopped.stdout, stopped.stderr]).toEqual([
      ...[2, "", expect.stringContaining("start robot-eval serve")],
    ]);
    expect(readdirSync(join(folder, "challenge-data")).sort()).toEqual(["database", "runs"]);
  });

  it("the embedded database is started again if its owner died, even if another process has its pid", async () => {
    const folder = openFolder();
    const file = challengeIn(folder);
    const data = join(folder, "challenge-data");
    mkdirSync(data, { mode: 0o711 });
    const url = "postgres://robot_eval:x@127.0.0.1:9/postgres";
    const note = { role: "serve", pid: process.pid, started: "1", url };
    writeFileSync(join(data, "database.json"), JSON.stringify(note));
    const { code, stderr } = await robotEval(["challenge", file, "team", "list"], folder);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "the embedded database reports an inaccessible parent folder and makes its own folder accessible",
    async () => {
      const folder = temporaryFolder();
      const file = challengeIn(folder);
      chmodSync(folder, 0o700);
      const list = () => robotEval(["challenge", file, "team", "list"], folder);
      const { code, stderr } = await list();
      expect(code).toBe(2);
      expect(stderr).toContain(`other users cannot access ${folder} (mode 700)`);
      expect(stderr).toContain(`chmod o+x ${folder}`);
      chmodSync(folder, 0o711);
      chmodSync(join(folder, "challenge-data"), 0o700);
      expect((await list()).code).toBe(0);
    },
  );
});
