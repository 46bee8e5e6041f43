import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../../test/support/cli.js";
import { sameSecret } from "../../../api/websocket/secrets.js";
import { openDatabase } from "../../../cluster/database/connect.js";
import { type EmbeddedDatabase, startEmbedded } from "../../../cluster/database/embedded.js";
import type { RunSummary } from "../../../core/interfaces/result.js";
import type { ChallengeStore } from "./postgres-store.js";
import { openChallengeStore } from "./postgres-store.js";

let database: EmbeddedDatabase;
let store: ChallengeStore;
beforeAll(async () => {
  database = await startEmbedded(temporaryFolder());
  store = await openChallengeStore(database.url);
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

let teams = 0;
async function newTeam() {
  return store.createTeam({ name: `team ${teams++}` });
}

const most = { total: 3, per_day: 2 };
const summary = { format: "robot-eval-summary/1", run_id: "r" } as RunSummary;

describe("tokens", () => {
  it("tokens authenticate by their hash until they are revoked or expired, or the team is disabled", async () => {
    const team = await newTeam();
    const { id, token } = await store.issueToken(team.id, { label: "laptop" });
    expect(await store.authenticate(token)).toEqual(team);
    expect(await store.authenticate(`${token.slice(0, -1)}${token.endsWith("0") ? 1 : 0}`)).toBe(
      undefined,
    );
    expect(await store.authenticate("nonsense")).toBe(undefined);
    await store.setDisabled(team.id, true);
    expect(await store.authenticate(token)).toBe(undefined);
    await store.setDisabled(team.id, false);
    expect(await store.revokeToken(id)).toBe(true);
    expect(await store.revokeToken(id)).toBe(false);
    expect(await store.authenticate(token)).toBe(undefined);
    const old = await store.issueToken(team.id, { expiresAt: new Date(0) });
    expect(await store.authenticate(old.token)).toBe(undefined);
    expect(JSON.stringify(await store.tokens(team.id))).not.toContain(token.slice(17));
  });

  it("tokens are independent, and their secrets are not in the database in any form", async () => {
    const { id: teamId } = await newTeam();
    const issued = await Promise.all([1, 2, 3].map(() => store.issueToken(teamId)));
    const secrets = issued.map(({ token }) => token.slice(17));
    expect(new Set(secrets).size).toBe(issued.length);
    const raw = await openDatabase(database.url);
    const { rows } = await raw.query<{ hash: Buffer; text: string }>(
      "SELECT hash, t::text AS text FROM robot_eval.challenge_tokens t WHERE team_id = $1",
      [teamId],
    );
    await raw.close();
    expect(rows.map(({ hash }) => hash.length)).toEqual(issued.map(() => 32));
    for (const secret of secrets) {
      const forms = [secret, Buffer.from(secret).toString("hex")];
      for (const form of forms) expect(rows.map(({ text }) => text).join()).not.toContain(form);
      expect(rows.some(({ hash }) => hash.equals(Buffer.from(secret, "hex")))).toBe(false);
    }
  });

  it("tokens are compared in constant time, valid or not", async () => {
    const { token } = await store.issueToken((await newTeam()).id);
    const compare = vi.spyOn(crypto, "timingSafeEqual");
    syncBuiltinESMExports();
    try {
      await store.authenticate(token);
      await store.authenticate(`${token.slice(0, -1)}${token.endsWith("0") ? 1 : 0}`);
      expect(compare.mock.results.map(({ value }) => value)).toEqual([true, false]);
      compare.mockClear();
      expect([sameSecret("one", "one"), sameSecret("one", "other")]).toEqual([true, false]);
      expect(compare).toHaveBeenCalledTimes(2);
    } finally {
      compare.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it("tokens are listed as closed if they are revoked or their team is disabled", async () => {
    const one = await newTeam();
    const [left, revoked] = [await store.issueToken(one.id), await store.issueToken(one.id)];
    const other = await newTeam();
    const { id } = await store.issueToken(other.id);
    await store.revokeToken(revoked.id);
    await store.setDisabled(other.id, true);
    const closed = await store.closedTokens([left.id, revoked.id, id]);
    expect([...closed].sort()).toEqual([revoked.id, id].sort());
  });
});

describe("submissions", () => {
  it("submissions cannot exceed the quota when many are opened concurrently", async () => {
    const { id: teamId } = await newTeam();
    const open = () => store.openSubmission({ teamId, phase: "test", most });
    const tried = await Promise.allSettled(Array.from({ length: 8 }, open));
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await store.usage(teamId, "test")).toMatchObject({ total: 2, today: 2 });
    await expect(open()).rejects.toMatchObject({ name: "QuotaError", code: "quota" });
    await expect(store.openSubmission({ teamId, phase: "other", most })).resolves.toBeDefined();
    const [first] = await store.submissions({ teamId, phase: "test" });
    await store.setCounted(first?.id ?? "", false);
    await expect(open()).resolves.toMatchObject({ state: "waiting_for_agent" });
    const often = { total: 3, per_day: 100 };
    await store.openSubmission({ teamId, phase: "test", most: often });
    await expect(store.openSubmission({ teamId, phase: "test", most: often })).rejects.toThrow(
      "all 3 submissions",
    );
  });

  it("submissions change state for the first request only, and keep a result only if they were running", async () => {
    const { id: teamId } = await newTeam();
    const { id } = await store.openSubmission({ teamId, phase: "ranked", most });
    const claim = () => store.transition(id, ["waiting_for_agent"], "queued");
    const claims = await Promise.all([claim(), claim(), claim()]);
    expect(claims.filter(Boolean)).toHaveLength(1);
    await store.transition(id, ["queued"], "running");
    await Promise.all([store.setProgress(id, 2, 3), store.setProgress(id, 1, 3)]);
    expect((await store.submission(id))?.episodes).toEqual({ done: 2, total: 3 });
    const result = { complete: true, summary, state: "done", reason: null, runDir: "r" } as const;
    await store.recordResult(id, result);
    expect(await store.submission(id)).toMatchObject({ state: "done", runDir: "r" });
    expect(await store.completeResults("ranked")).toMatchObject([
      { submissionId: id, summary, submission: { teamId } },
    ]);
    await store.setDisabled(teamId, true);
    expect(await store.completeResults("ranked")).toEqual([]);
    await store.setDisabled(teamId, false);
    expect(await store.completeResults("ranked")).toHaveLength(1);
    // Disqualified: the result stays but is no longer ranked.
    await store.transition(id, ["done"], "cancelled", { reason: "disqualified" });
    expect(await store.result(id)).toMatchObject({ complete: true });
    expect(await store.completeResults("ranked")).toEqual([]);

    const { id: other } = await store.openSubmission({ teamId, phase: "ranked", most });
    await store.transition(other, ["waiting_for_agent"], "cancelled", { reason: "withdrawn" });
    await store.recordResult(other, result);
    expect(await store.result(other)).toBe(undefined);
    expect(await store.submission("not an id")).toBe(undefined);
  });
});

describe("a result that is not complete", () => {
  it("a result that is not complete is kept and never ranked", async () => {
    const { id: teamId } = await newTeam();
    for (const state of ["done", "failed"] as const) {
      const { id } = await store.openSubmission({ teamId, phase: "partial", most });
      await store.transition(id, ["waiting_for_agent"], "queued");
      await store.transition(id, ["queued"], "running");
      await store.recordResult(id, { complete: false, summary, state, reason: "x", runDir: null });
      expect(await store.result(id)).toMatchObject({ complete: false });
    }
    expect(await store.completeResults("partial")).toEqual([]);
  });
});

describe("secrets", () => {
  it("secrets are made once, also by concurrent requests", async () => {
    const [one, again] = await Promise.all([store.secret("veil"), store.secret("veil")]);
    expect(one).toEqual(again);
    expect(one).not.toEqual(await store.secret("another"));
  });
});
