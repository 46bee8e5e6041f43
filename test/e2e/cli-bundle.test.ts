import { generateKeyPairSync } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { VerifyReport } from "../../src/evaluator/check/verify/documents.js";
import type { BundleManifest } from "../../src/runs/bundle/manifest.js";
import { editLines, forged, tampered } from "../support/bundle.js";
import {
  evaluate,
  makeWorld,
  robotEval,
  robotEvalHere,
  startRobotEval,
  temporaryFolder,
} from "../support/cli.js";
import { sampled } from "../support/sampled.js";

/** Folder in which this process and its child processes unpack bundles. */
const unpackedIn = temporaryFolder();
beforeEach(() => {
  vi.stubEnv("TMPDIR", unpackedIn);
  return () => {
    vi.unstubAllEnvs();
    expect(readdirSync(unpackedIn).filter((name) => name.includes("bundle-"))).toEqual([]);
  };
});

function keyPair(folder: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const [secret, open] = [join(folder, "key.pem"), join(folder, "public.pem")];
  writeFileSync(secret, privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(open, publicKey.export({ type: "spki", format: "pem" }));
  return { secret, open };
}

describe("bundle and verify", () => {
  it("a bundle transfers a run from one machine to another", async () => {
    const world = makeWorld();
    const { run_dir, run_id } = await evaluate(world, { agent: "random" });
    const elsewhere = temporaryFolder();
    const { secret, open } = keyPair(elsewhere);
    const made = await robotEval(["bundle", run_dir ?? "", "--sign", secret, "--json"], elsewhere);
    expect(made.code, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout) as BundleManifest).toMatchObject({ run_id, agent: "random" });
    rmSync(world.root, { recursive: true });

    const name = `${run_id}.bundle.tgz`;
    const { code, stdout, stderr } = await robotEval(["verify", name, "--key", open], elsewhere);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`small world · agent random · ${run_id}`);
    expect(stdout).toMatch(/signature {2}ok {2}by SHA256:[0-9a-f]{64}/);
    expect(stdout).toContain("6 of 6 episodes are equal to the last bit when replayed");
    expect(stdout).toContain("verified: 6 of 6 episodes; the replay reproduces the recording");
    expect(stderr).toContain("6/6 replayed");
  });

  it("verify reports a forgery by exit code and lists the affected places", async () => {
    const { run_dir } = await evaluate(makeWorld());
    const bundle = join(temporaryFolder(), "result.tgz");
    expect((await robotEvalHere(["bundle", run_dir ?? "", "--out", bundle])).code).toBe(0);
    const better = await forged(bundle, (parts) =>
      editLines(parts, ([line, ...rest]) => [
        { ...line, metrics: { ...line?.metrics, spl: 0.5 } },
        ...rest,
      ]),
    );
    const verified = await robotEvalHere(["verify", better]);
    expect(verified.code).toBe(4);
    expect(verified.stdout).toMatch(/replay +FAILED +5 of 6/);
    expect(verified.stdout).toMatch(/vln\/\w+\/\d: metrics\.spl was 0\.5, is 1/);
    expect(verified.stdout).toContain("NOT verified");
    const { code, stdout } = await robotEvalHere(["verify", better, "--json"]);
    expect(code).toBe(4);
    const report = JSON.parse(stdout) as VerifyReport;
    expect(report).toMatchObject({ format: "robot-eval-verify/1", verified: false });
    expect(report.replay?.different).toHaveLength(1);

    const less = await tampered(bundle, (parts) => void parts.pop());
    const refused = await robotEvalHere(["verify", less]);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain("listed in the manifest but missing");
  });

  it("verify reports missing scenes and plugins", async () => {
    const world = makeWorld();
    world.write("plugin.mjs", "export default () => {};");
    const { run_dir } = await evaluate(world, { set: ["plugins=[./plugin.mjs]"] });
    const out = join(world.root, "result.tgz");
    const made = await robotEvalHere(["bundle", run_dir ?? "", "--no-scenes", "--out", out]);
    expect(made.stderr).toContain("the files of 2 scenes are left out");
    expect(made.stderr).toContain("plugins are not included");
    const bare = await robotEvalHere(["verify", out]);
    expect(bare.code).toBe(2);
    expect(bare.stderr).toContain("--connectivity <folder>");
    const graphs = ["--connectivity", join(world.root, "episodes/connectivity")];
    const half = await robotEvalHere(["verify", out, ...graphs]);
    expect(half.code).toBe(2);
    expect(half.stderr).toContain("--plugin <module>");
    const plugin = ["--plugin", join(world.root, "plugin.mjs"), "--benchmark", world.yaml];
    const whole = await robotEvalHere(["verify", out, ...graphs, ...plugin]);
    expect(whole.code, whole.stdout).toBe(0);
  });
});

describe("Ctrl-C", () => {
  async function longOne(): Promise<{ readonly bundle: string; readonly folder: string }> {
    const world = makeWorld();
    const { run_dir } = await evaluate(world, { agent: "random", set: ["evaluation.repeats=60"] });
    const bundle = join(world.root, "result.tgz");
    await robotEvalHere(["bundle", run_dir ?? "", "--out", bundle]);
    return { bundle, folder: world.root };
  }

  it.each(sampled([2, 1], 1))(
    "Ctrl-C pressed %i times ends verify and leaves no files",
    async (times) => {
      const { bundle, folder } = await longOne();
      const process = startRobotEval(["verify", bundle, "--workers", "1"], folder);
      await process.said("checking the records");
      process.signal("SIGINT");
      await process.said("press Ctrl-C again");
      if (times === 2) process.signal("SIGINT");
      expect((await process.done).code).toBe(130);
    },
  );
});
