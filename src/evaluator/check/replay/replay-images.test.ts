import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, it } from "vitest";
import { robotEvalHere, temporaryFolder } from "../../../../test/support/cli.js";

const SMALL = ["--set", "simulator.sensors={rgb: {width: 16, height: 12}}"];
const ONE = ["--filter", "task=vln", "--limit", "1"];

let run = "";
let folder = "";
beforeAll(async () => {
  folder = temporaryFolder();
  const { code, stderr } = await robotEvalHere([
    ...["run", "unified_smoke", "--agent", "shortest-path", ...ONE, ...SMALL],
    ...["--workers", "1", "--out", folder, "--run-id", "run"],
    ...["--set", "vln_task.config.max_steps=6"],
  ]);
  expect(code, stderr).toBe(0);
  run = join(folder, "run");
}, 60_000);

const exported = (...flags: readonly string[]) =>
  robotEvalHere(["export", run, "--to", "lerobot", ...flags]);

async function imagesIn(dataset: string): Promise<string[]> {
  const file = await asyncBufferFromFile(join(dataset, "data/chunk-000/file-000.parquet"));
  const rows = await parquetReadObjects({ file, utf8: false });
  return rows.map((row) => {
    const image: unknown = row["observation.images.rgb"];
    if (typeof image !== "object" || image === null || !("bytes" in image)) return "no image";
    return Buffer.from(image.bytes as Uint8Array).toString("base64");
  });
}

describe("the images of an exported run", () => {
  it("the images of an exported run equal those that the policy received", async () => {
    const out = join(folder, "exported");
    const { code, stderr } = await exported("--images", "--out", out);
    expect(code, stderr).toBe(0);
    const seen = join(folder, "seen");
    const collected = await robotEvalHere([
      ...[
        "collect",
        "unified_smoke",
        "--agent",
        "shortest-path",
        ...ONE,
        ...SMALL,
        "--keep",
        "all",
      ],
      ...["--set", "vln_task.config.max_steps=6", "--out", seen],
    ]);
    expect(collected.code, collected.stderr).toBe(0);
    const images = await imagesIn(out);
    expect(images).toHaveLength(6);
    expect(new Set(images).size).toBeGreaterThan(2);
    expect(images).toEqual(await imagesIn(seen));
  });

  it("the images of an exported run are rejected for other formats, and their flags without --images", async () => {
    const out = join(folder, "other");
    const csv = await robotEvalHere(["export", run, "--to", "csv", "--images", "--out", out]);
    expect(csv).toMatchObject({ code: 2, stderr: expect.stringContaining("--images does not") });
    expect(await exported("--scenes", "data", "--out", out)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--scenes has no effect without --images"),
    });
  });
});
