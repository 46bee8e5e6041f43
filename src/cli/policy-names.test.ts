import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { evaluate, tempDir, tinyWorld } from "../../test/support/tiny-world.js";
import { RemotePolicies } from "../agents/remote/factory.js";
import { connect, type ServeOptions, serve } from "../api/policy/index.js";
import { RawPolicy } from "../api/websocket/raw-peer.fixture.js";
import type { RunInfo } from "../core/interfaces/result.js";
import type { EvaluatorOptions } from "../evaluator/evaluator.js";
import { resumeRun } from "../evaluator/resume.js";
import { createRegistries } from "../registry/registries.js";
import { compareRuns } from "../runs/compare/compare.js";
import { writeReport } from "../runs/report/write.js";
import { resultText } from "./results.js";
import { comparisonText } from "./text/compare-text.js";

const HOSTILE = '<script>alert(1)</script>"; ../../etc/passwd \u001b[2J';

class Standing {
  act(): string {
    return "stop";
  }
}

/** Serves a policy, runs it, and stops serving, so that the next one can have the same port. */
async function runServed(
  names: ServeOptions,
  options: EvaluatorOptions & { readonly port?: number } = {},
) {
  const { port = 0, ...evaluation } = options;
  const server = await serve(Standing, { ...names, port });
  try {
    const outDir = evaluation.outDir ?? join(tempDir(), "runs");
    const world = tinyWorld({ sections: { policy: { connect_timeout: 5, reconnect_grace: 0 } } });
    const { results } = await evaluate(world, server.url, { ...evaluation, outDir });
    const path = results.run_dir ?? "";
    return { results, path, info: infoOf(path), port: server.port, url: server.url };
  } finally {
    await server.close();
  }
}

const infoOf = (path: string) =>
  JSON.parse(readFileSync(join(path, "run.json"), "utf8")) as RunInfo;

describe("a run of a policy that names itself", () => {
  // Another test may take the port between the two.
  it("a run of a policy that names itself distinguishes two checkpoints behind one port in run.json, summary, comparison and report", {
    retry: 2,
  }, async () => {
    const named = (checkpoint: string) => ({ name: "openvla", version: "7b", checkpoint });
    const a = await runServed(
      { ...named("step-1000"), metadata: { gpu: "a100", bits: 4 } },
      { name: "before", tags: { suite: "night" } },
    );
    const b = await runServed(named("step-2000"), { port: a.port });
    expect(a.info.agent).toBe(b.info.agent);
    expect(a.info).toMatchObject({
      name: "before",
      tags: { suite: "night" },
      policies: { vln: { ...named("step-1000"), metadata: { gpu: "a100", bits: 4 } } },
    });
    expect(b.info.policies).toEqual({ vln: named("step-2000") });
    expect(b.results.policies).toEqual(b.info.policies);
    expect(resultText(a.results)).toContain("openvla 7b, checkpoint step-1000 (ws://");
    expect(resultText(a.results)).toContain("name: before");
    expect(resultText(a.results)).toContain("tags: suite=night");

    const comparison = await compareRuns(a.path, b.path);
    expect(comparison.a).toMatchObject({ policy: "openvla 7b, checkpoint step-1000" });
    expect(comparison.changed.map(({ key }) => key)).toContain("policies.vln.checkpoint");
    const text = comparisonText(comparison);
    expect(text).toContain('"before" (openvla 7b, checkpoint step-1000; ws://');
    expect(text).toContain("(openvla 7b, checkpoint step-2000; ws://");

    for (const to of ["html", "junit", "github"] as const) {
      const out = join(tempDir(), `report.${to}`);
      await writeReport(b.path, { to, out });
      expect(readFileSync(out, "utf8"), to).toContain("openvla 7b, checkpoint step-2000");
    }
  });

  it("a run of a policy that names itself bounds and escapes the texts of the policy, and makes no path of them", async () => {
    const policy = await RawPolicy.listen({
      policy: { name: HOSTILE + "x".repeat(5000), checkpoint: HOSTILE, metadata: { k: HOSTILE } },
      on: { get_action: (message, peer) => peer.answer(message, { action: "stop" }) },
    });
    const outDir = join(tempDir(), "runs");
    const { results } = await evaluate(tinyWorld(), policy.url, { outDir });
    const identity = results.policies?.vln;
    expect(identity?.name).toHaveLength(100);
    expect(JSON.stringify(identity)).not.toContain("\\u001b");
    expect(results.run_dir).not.toContain("passwd");
    for (const to of ["html", "junit", "github"] as const) {
      const out = join(tempDir(), `report.${to}`);
      await writeReport(results.run_dir ?? "", { to, out });
      expect(readFileSync(out, "utf8"), to).not.toContain("<script>alert");
    }
  });

  it("a run of a policy that names itself has the name of its class if it gives no other, and none for a plain object", async () => {
    const { info } = await runServed({});
    expect(info.policies).toEqual({ vln: { name: "Standing" } });
    const server = await serve({ act: () => "stop" }, { port: 0 });
    onTestFinished(() => server.close());
    const { results } = await evaluate(tinyWorld(), server.url);
    expect(results).not.toHaveProperty("policies");
  });

  it("a run of a policy that names itself is recorded when the policy dials in", async () => {
    const registries = createRegistries();
    const policies = new RemotePolicies((text) => {
      const url = /ws:\S+\d/.exec(text)?.[0];
      if (url !== undefined) void connect(Standing, url, { name: "dialler", checkpoint: "c1" });
    });
    registries.agents.register("in", policies.listening);
    const { results } = await evaluate(tinyWorld(), "in:0", { registries });
    expect(results.policies).toEqual({ vln: { name: "dialler", checkpoint: "c1" } });
  });

  it("a run of a policy that names itself is rejected if its replicas have different checkpoints", async () => {
    const [one, other] = await Promise.all(
      ["1", "2"].map((checkpoint) => serve(Standing, { port: 0, checkpoint })),
    );
    onTestFinished(async () => void (await Promise.all([one?.close(), other?.close()])));
    await expect(evaluate(tinyWorld(), `${one?.url}|${other?.url}`)).rejects.toMatchObject({
      code: "other_policy",
      message: expect.stringMatching(/checkpoint [12], but the run began with .*checkpoint [12]/),
    });
  });

  it("a run of a policy that names itself is not resumed with another checkpoint, and is with the same one", async () => {
    const abort = new AbortController();
    const { path } = await runServed(
      { checkpoint: "1" },
      { signal: abort.signal, onEvent: ({ type }) => type === "episode" && abort.abort() },
    );
    expect(infoOf(path).status).toBe("cancelled");
    const before = readFileSync(join(path, "run.json"), "utf8");
    const other = await serve(Standing, { port: 0, checkpoint: "2" });
    await expect(resumeRun(path, { agent: other.url })).rejects.toMatchObject({
      code: "other_policy",
    });
    await other.close();
    expect(readFileSync(join(path, "run.json"), "utf8")).toBe(before);
    const same = await serve(Standing, { port: 0, checkpoint: "1" });
    onTestFinished(() => same.close());
    expect((await resumeRun(path, { agent: same.url })).status).toBe("done");
    expect(infoOf(path).policies).toEqual({ vln: { name: "Standing", checkpoint: "1" } });
  });
});

describe("serve", () => {
  it.each([
    [{ name: "" }, "name is"],
    [{ name: "x".repeat(101) }, "too long"],
    [{ version: "1\n2" }, "control characters"],
    [{ metadata: { shape: [1, 2] } }, "metadata.shape is"],
  ])("serve rejects %o as the names of a policy", async (names, text) => {
    await expect(serve(Standing, { port: 0, ...names })).rejects.toThrow(text);
  });
});
