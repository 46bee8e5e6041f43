import { generateKeyPairSync } from "node:crypto";
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  bundled,
  edit,
  editLines,
  editSteps,
  firstTrajectory,
  forged,
  type Part,
  partNamed,
} from "../../../../test/support/bundle.js";
import { evaluate, makeWorld } from "../../../../test/support/cli.js";
import type { RunInfo, RunSummary } from "../../../core/interfaces/result.js";
import { verifyBundle } from "../verify-bundle.js";

type Options = Parameters<typeof evaluate>[1];

async function bundleOf(options: Options = {}): Promise<string> {
  return (await bundled((await evaluate(makeWorld(), options)).run_dir ?? "")).file;
}

const info = (change: (info: RunInfo) => object) => (parts: Part[]) =>
  edit<RunInfo>(partNamed(parts, "run/run.json"), change);

/** The status and text of one check. */
async function found(file: string, check: string) {
  const { checks } = await verifyBundle(file);
  return checks.find(({ name }) => name === check);
}

describe("a run.json that an older version wrote", () => {
  async function older(evaluation: (recorded: object) => object): Promise<string> {
    const versions = { robot_eval: "0.0.1" };
    return forged(await bundleOf(), (parts, manifest) => {
      manifest.versions = { ...manifest.versions, ...versions };
      info((one) => ({
        ...one,
        versions: { ...one.versions, ...versions },
        config: { ...one.config, evaluation: evaluation(one.config.evaluation as object) },
      }))(parts);
    });
  }
  const withoutLimit = ({ timeout, ...rest }: { timeout?: number }) => rest;

  it("a run.json that an older version wrote may lack settings that did not exist then", async () => {
    expect(await found(await older(withoutLimit), "benchmark")).toMatchObject({ status: "ok" });
  });

  it("a run.json that an older version wrote may not differ from benchmark.yaml in other settings", async () => {
    const file = await older((recorded) => ({ ...recorded, max_steps: 7 }));
    expect(await found(file, "benchmark")).toMatchObject({
      ...{ status: "failed", text: expect.stringContaining("evaluation.max_steps was 7") },
    });
  });

  it("a run.json that an older version wrote may not lack settings if this version wrote it", async () => {
    const file = await forged(
      await bundleOf(),
      info((one) => ({
        ...one,
        config: { ...one.config, evaluation: withoutLimit(one.config.evaluation as object) },
      })),
    );
    expect(await found(file, "benchmark")).toMatchObject({ status: "failed" });
  });
});

describe("verification finds lines", () => {
  it("verification finds lines of another shard than run.json names", async () => {
    const file = await forged(
      await bundleOf({ shard: "1/2" }),
      info((one) => ({ ...one, selection: { ...one.selection, shard: "2/2" } })),
    );
    expect(await found(file, "data")).toMatchObject({
      ...{ status: "failed", text: expect.stringContaining("is not of shard 2/2") },
    });
  });

  it("verification finds lines beyond the number of episodes in run.json, even a single one", async () => {
    const file = await forged(await bundleOf(), (parts, manifest) => {
      const fewer = (data: RunInfo["data"]) => ({
        vln: { sha256: "0".repeat(64), ...data?.vln, episodes: 5 },
      });
      manifest.data = fewer(manifest.data);
      info((one) => ({ ...one, data: fewer(one.data) }))(parts);
    });
    expect(await found(file, "data")).toMatchObject({
      ...{ status: "failed", text: expect.stringContaining("vln has 6 results, expected 5") },
    });
  });

  it("verification finds lines whose key is not that of their episode", async () => {
    const file = await forged(await bundleOf(), (parts) =>
      editLines(parts, ([first, ...rest]) => [{ ...first, episode_id: "99" }, ...rest]),
    );
    expect(await found(file, "data")).toMatchObject({
      ...{ status: "failed", text: expect.stringContaining("is not the key of its episode") },
    });
  });
});

describe("verification finds numbers", () => {
  it("verification finds numbers that do not follow from the recorded steps", async () => {
    const file = await forged(await bundleOf(), (parts) =>
      editSteps(firstTrajectory(parts), (lines) => {
        lines.forEach((text, i) => {
          const record = JSON.parse(text);
          if (record.state?.distance_to_goal === undefined) return;
          record.state.distance_to_goal += 50;
          lines[i] = JSON.stringify(record);
        });
      }),
    );
    expect(await found(file, "numbers")).toMatchObject({
      ...{ status: "failed", text: "the recorded steps give other numbers for vln" },
    });
  });

  it.each<[string, (summary: RunSummary) => object]>([
    ["steps", ({ timings }) => ({ timings: { ...timings, steps: 1 } })],
    ["profiles", () => ({ profiles: { vln: "other" } })],
    ["primary metrics", () => ({ primary_metrics: { vln: "success_weighted" } })],
  ])(
    "verification finds numbers of the summary that do not follow from the lines: %s",
    async (_, change) => {
      const file = await forged(await bundleOf(), (parts) =>
        edit<RunSummary>(partNamed(parts, "run/summary.json"), (one) => ({
          ...one,
          ...change(one),
        })),
      );
      expect(await found(file, "numbers")).toMatchObject({
        ...{ status: "failed", text: expect.stringContaining("summary.json") },
      });
    },
  );

  it("verification finds forged intervals in the summary of a cancelled run", async () => {
    const stop = new AbortController();
    const onEvent = ({ type }: { readonly type: string }) => type === "episode" && stop.abort();
    const path = await bundleOf({ signal: stop.signal, onEvent, concurrency: 1 });
    const file = await forged(path, (parts) =>
      edit<RunSummary>(partNamed(parts, "run/summary.json"), (summary) => {
        const { vln = {} } = summary.per_task;
        const spl = { ...vln.spl, ci95: [0.998, 0.999] };
        return { ...summary, per_task: { vln: { ...vln, spl } } };
      }),
    );
    expect(await found(file, "numbers")).toMatchObject({
      ...{ status: "failed", text: expect.stringContaining("spl.ci95") },
    });
  });
});

describe("verification of scenes", () => {
  it("verification of scenes rejects a folder that does not exist", async () => {
    const verifying = verifyBundle(await bundleOf(), { scenes: "/no/such/folder" });
    await expect(verifying).rejects.toMatchObject({ code: "missing_directory", where: "--scenes" });
  });

  it("verification of scenes is unknown if the manifest lists no files for one of them", async () => {
    const file = await forged(await bundleOf(), (_, manifest) => {
      manifest.scenes = manifest.scenes.map((one, i) => (i === 0 ? { ...one, files: [] } : one));
    });
    expect(await found(file, "scenes")).toEqual({
      ...{ name: "scenes", status: "unknown" },
      text: "1 in the bundle, 1 without any information in the bundle",
    });
  });

  it("verification of scenes rejects a bundle whose files are not those of its scenes", async () => {
    const file = await forged(await bundleOf(), (_, manifest) => {
      manifest.scenes = manifest.scenes.map((one) => ({
        ...one,
        files: one.files.map((of) => ({ ...of, sha256: "0".repeat(64) })),
      }));
    });
    await expect(verifyBundle(file)).rejects.toMatchObject({ code: "changed_bundle" });
  });

  it("verification of scenes fails if the checker has other navigation graphs", async () => {
    const world = makeWorld();
    const { file } = await bundled((await evaluate(world)).run_dir ?? "");
    const connectivity = join(world.root, "episodes/connectivity");
    for (const name of readdirSync(connectivity)) appendFileSync(join(connectivity, name), " ");
    const { checks } = await verifyBundle(file, { connectivity });
    expect(checks.find(({ name }) => name === "scenes")).toMatchObject({
      ...{ status: "failed", text: expect.stringContaining("is not the scene of the run") },
    });
  });
});

it("verification fails if the benchmark of the checker has no such task", async () => {
  const world = makeWorld();
  const { file } = await bundled((await evaluate(world)).run_dir ?? "");
  const benchmark = world.write(
    "other.yaml",
    `benchmark: { name: other }
other_task: { type: vln, config: { profile: r2r, metrics: [success, spl] } }
dataset:
  other: { type: vln, data_path: episodes/vln.json }
`,
  );
  const { checks } = await verifyBundle(file, { benchmark });
  expect(checks.find(({ name }) => name === "data")).toMatchObject({
    ...{ status: "failed", text: expect.stringContaining("your benchmark has no task vln") },
  });
});

it("verification that is interrupted while it reads the records reports no finding", async () => {
  const stop = new AbortController();
  const onStage = (text: string) => text === "checking the records" && stop.abort();
  const verifying = verifyBundle(await bundleOf(), { signal: stop.signal, onStage });
  await expect(verifying).rejects.toMatchObject({ exitCode: 130 });
});

it("verification rejects a bundle that the given key has not signed", async () => {
  const world = makeWorld();
  const pem = (name: string, which: "private" | "public") => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    return which === "private"
      ? world.write(name, privateKey.export({ type: "pkcs8", format: "pem" }))
      : world.write(name, publicKey.export({ type: "spki", format: "pem" }));
  };
  const path = (await evaluate(world)).run_dir ?? "";
  const signed = await bundled(path, { key: pem("maker.pem", "private") });
  const unsigned = await bundled(path);
  const key = pem("other.pem", "public");
  for (const { file } of [signed, unsigned]) {
    await expect(verifyBundle(file, { key })).rejects.toMatchObject({ exitCode: 4 });
  }
});
