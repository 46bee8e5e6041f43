import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  makeWorld,
  robotEvalHere,
  temporaryFolder,
  type World,
} from "../../../../test/support/cli.js";
import { openDatabase } from "../../../cluster/database/connect.js";
import { type EmbeddedDatabase, startEmbedded } from "../../../cluster/database/embedded.js";
import type { ChallengeStore } from "../../../server/challenge/store/postgres-store.js";
import { openChallengeStore } from "../../../server/challenge/store/postgres-store.js";

let database: EmbeddedDatabase;
let store: ChallengeStore;
let world: World;
let file: string;

beforeAll(async () => {
  database = await startEmbedded(temporaryFolder());
  store = await openChallengeStore(database.url);
  world = makeWorld();
  file = world.write(
    "challenge.yaml",
    `name: small challenge
phases:
  # The comment stays.
  - {name: test, benchmark: benchmark.yaml, metrics: [success], leaderboard: success}
database: ${database.url}
`,
  );
});

afterAll(async () => {
  await store.close();
  await database.stop();
});

const challenge = (...words: string[]) => robotEvalHere(["challenge", file, ...words]);

async function document<T>(...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await challenge(...words, "--json");
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

describe("robot-eval challenge team", () => {
  it("robot-eval challenge team prints a token once, alone, and stores only its hash", async () => {
    const { code, stdout, stderr } = await challenge("team", "add", "Red Robots");
    expect(code, stderr).toBe(0);
    const token = stdout.trim();
    expect(token).toMatch(/^rec_[0-9a-f]{12}_[0-9a-f]{64}$/);
    expect(stderr).toContain("shown only once");
    expect(await store.authenticate(token)).toMatchObject({ name: "Red Robots" });
    const raw = await openDatabase(database.url);
    const tables = ["challenge_teams", "challenge_tokens", "challenge_audit"];
    for (const name of tables) {
      const { rows } = await raw.query(`SELECT t::text AS row FROM robot_eval.${name} t`);
      const text = JSON.stringify(rows);
      expect(text).not.toContain(token);
      expect(text).not.toContain(token.split("_")[2]);
    }
    await raw.close();
  });

  it("robot-eval challenge team rotates and revokes tokens", async () => {
    const first = await document<{ token: string }>("team", "add", "Blue", "--affiliation", "HKU");
    const second = await document<{ token: string; revoked: string[] }>("team", "rotate", "Blue");
    expect(second.revoked).toEqual([first.token.split("_")[1]]);
    expect(await store.authenticate(first.token)).toBeUndefined();
    expect(await store.authenticate(second.token)).toMatchObject({ affiliation: "HKU" });
    expect((await challenge("team", "revoke", "Blue")).code).toBe(0);
    expect(await store.authenticate(second.token)).toBeUndefined();
    const past = await document<{ token: string }>(
      ...["team", "rotate", "Blue", "--expires", "2020-01-01"],
    );
    expect(await store.authenticate(past.token)).toBeUndefined();
    const { stdout } = await challenge("team", "list");
    expect(stdout).toMatch(/Blue +HKU .* 0$/m);
    expect(stdout).toMatch(/Red Robots .* 1$/m);
  });

  it("robot-eval challenge team disables and enables a team", async () => {
    const { token } = await document<{ token: string }>("team", "add", "Green");
    await challenge("team", "disable", "Green");
    expect(await store.authenticate(token)).toBeUndefined();
    await challenge("team", "enable", "Green");
    expect(await store.authenticate(token)).toBeDefined();
  });

  it.each([
    [["team", "add", "Red Robots"], "already exists"],
    [["team", "add", "two\nlines"], "one line"],
    [["team", "add"], "name is missing"],
    [["team", "revoke", "Nobody"], "known: Blue, Green, Red Robots"],
    [["team", "add", "Not", "quoted"], "in quotes"],
    [["team", "forget", "Blue"], "actions: team add"],
    [["audit", "--event", "nothing"], "known: server_started"],
    [["phase", "open", "nothing"], "known: test"],
    [["submissions", "cancel", "nothing"], "unknown submission"],
    [["team", "rotate", "Blue", "--expires", "tomorrow"], "expected a time"],
  ])("robot-eval challenge team rejects %j with a reason", async (words, why) => {
    const { code, stderr } = await challenge(...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});

describe("robot-eval challenge submissions", () => {
  const open = async (state: "waiting_for_agent" | "running" = "waiting_for_agent") => {
    const team = await store.team("Red Robots");
    const most = { total: 100, per_day: 100 };
    const submission = await store.openSubmission({ teamId: team?.id ?? "", phase: "test", most });
    if (state === "running") {
      await store.transition(submission.id, ["waiting_for_agent"], "queued");
      await store.transition(submission.id, ["queued"], "running");
    }
    return submission.id;
  };

  it("robot-eval challenge submissions lists, cancels with a reason and refunds a submission", async () => {
    const id = await open("running");
    expect((await challenge("submissions", "list")).stdout).toMatch(new RegExp(`${id} .*running`));
    await document("submissions", "cancel", id, "--reason", "the simulator broke");
    expect(await store.submission(id)).toMatchObject({
      state: "cancelled",
      reason: "the simulator broke",
    });
    expect((await challenge("submissions", "cancel", id)).stderr).toContain("already ended");
    await challenge("submissions", "refund", id);
    expect(await store.submission(id)).toMatchObject({ counted: false });
  });

  it("robot-eval challenge submissions removes the result of a disqualified submission, with a reason for the team", async () => {
    const id = await open("running");
    expect((await challenge("submissions", "disqualify", id)).stderr).toContain("--reason");
    expect((await challenge("submissions", "disqualify", id, "--reason", "x")).code).toBe(2);
    await store.transition(id, ["running"], "done");
    await document("submissions", "disqualify", id, "--reason", "it knew the goals");
    expect(await store.submission(id)).toMatchObject({
      state: "cancelled",
      reason: "disqualified: it knew the goals",
    });
  });
});

describe("robot-eval challenge phase", () => {
  it("robot-eval challenge phase opens and closes a phase in the challenge file and keeps its comments", async () => {
    const state = async () => {
      const { phases } = await document<{ phases: { state: string }[] }>("phase", "list");
      return phases[0]?.state;
    };
    expect(await state()).toBe("open");
    expect((await challenge("phase", "open", "test")).stderr).toContain("already open");
    const closed = await challenge("phase", "close", "test");
    expect(closed.stderr).toContain("SIGHUP");
    expect(await state()).toBe("closed");
    expect(readFileSync(file, "utf8")).toContain("# The comment stays.");
    await challenge("phase", "open", "test");
    expect(await state()).toBe("open");
  });
});

describe("challenge audit log", () => {
  it("the challenge audit log contains every command with the account that ran it, and no token", async () => {
    const { entries } = await document<{
      entries: { actor: string; details: { action: string } }[];
    }>("audit", "--event", "admin");
    const actions = new Set(entries.map(({ details }) => details.action));
    expect([...actions].sort()).toEqual([
      ...["phase close", "phase open"],
      ...["submissions cancel", "submissions disqualify", "submissions refund"],
      ...["team add", "team disable", "team enable", "team revoke", "team token"],
    ]);
    expect(entries.every(({ actor }) => actor.startsWith("admin:"))).toBe(true);
    expect(JSON.stringify(entries)).not.toMatch(/rec_/);
    expect((await challenge("audit", "--limit", "3")).stdout.trim().split("\n").length).toBe(4);
  });
});
