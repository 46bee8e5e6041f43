import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { episodeDict, temporaryFolder } from "../../../test/support/cli.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { PackedTrajectory, readTrajectory, TrajectoryBuffer } from "./trajectory.js";

const episode = BaseEpisode.fromDict(episodeDict("1", "a", "d"));
const records: StepRecord[] = [
  { step: 0, action: null, state: { position: [0, 0, 0], distance_to_goal: 6, node: "a" } },
  { step: 1, time_s: 0.1, action: "goto:b", state: { position: [2, 0, 0], distance_to_goal: 4 } },
  {
    step: 2,
    action: [0.1, 1 / 3, 5e-324],
    state: { distance_to_goal: Number.POSITIVE_INFINITY, own: { deep: ["ü"] } },
  },
];

function collect(): TrajectoryBuffer {
  const buffer = new TrajectoryBuffer(episode);
  for (const record of records) buffer.add(record);
  return buffer;
}

async function write(name = "t.jsonl.gz", buffer = collect()): Promise<string> {
  const path = join(temporaryFolder(), name);
  await buffer.write(path);
  return path;
}

describe("a trajectory file", () => {
  it("a trajectory file round-trips the episode and its steps exactly", async () => {
    const read = await readTrajectory(await write());
    expect(read.episode.toDict()).toEqual(episode.toDict());
    expect(read.records).toEqual(records);
  });

  it("a trajectory file stores an infinite goal distance as null, because JSON has no infinity", async () => {
    const lines = gunzipSync(readFileSync(await write()))
      .toString()
      .trimEnd()
      .split("\n");
    expect(JSON.parse(lines[3] ?? "")).toMatchObject({ state: { distance_to_goal: null } });
  });

  it("the same steps give identical bytes", async () => {
    expect(readFileSync(await write("one"))).toEqual(readFileSync(await write("two")));
  });

  it("another process packs identical bytes from a copy of the episode", async () => {
    const copy = BaseEpisode.fromDict(structuredClone(episode.toDict()));
    const elsewhere = new TrajectoryBuffer(copy);
    for (const record of records) elsewhere.add(record);
    const packed = new PackedTrajectory(episode, structuredClone(await elsewhere.pack()));
    expect(readFileSync(await write("one", packed))).toEqual(readFileSync(await write("two")));
    expect(() => packed.add()).toThrow("cannot add records");
  });
});

describe("a damaged trajectory", () => {
  async function failure(change: (bytes: Buffer) => Uint8Array) {
    const path = await write();
    writeFileSync(path, change(readFileSync(path)));
    const error = await readTrajectory(path).catch((e: unknown) => e);
    if (!(error instanceof DataError)) throw new Error(`no DataError but ${error}`);
    return { code: error.code, place: error.where?.slice(path.length - "t.jsonl.gz".length) };
  }
  const withText = (change: (lines: string[]) => string[]) => (bytes: Buffer) =>
    gzipSync(`${change(gunzipSync(bytes).toString().trimEnd().split("\n")).join("\n")}\n`);

  it.each([0, 5, 40, -9, -1])(
    "readTrajectory rejects a trajectory whose gzip is truncated at byte %i",
    async (cut) => {
      const error = await failure((bytes) => bytes.subarray(0, cut < 0 ? bytes.length + cut : cut));
      expect(error).toEqual({ code: "damaged_gzip", place: "t.jsonl.gz" });
    },
  );

  it("readTrajectory rejects a trajectory with changed bytes", async () => {
    const error = await failure((bytes) => {
      bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 0xff;
      return bytes;
    });
    expect(error).toEqual({ code: "damaged_gzip", place: "t.jsonl.gz" });
  });

  it("readTrajectory rejects a trajectory that is not gzip", async () => {
    const error = await failure(() => Buffer.from("step,action\n"));
    expect(error).toEqual({ code: "damaged_gzip", place: "t.jsonl.gz" });
  });

  it("readTrajectory rejects steps that are out of order, with the line", async () => {
    const swap = withText(([head = "", a = "", b = "", c = ""]) => [head, a, c, b]);
    expect(await failure(swap)).toEqual({ code: "damaged_trajectory", place: "t.jsonl.gz:3" });
  });

  it("readTrajectory rejects a trajectory with a missing step, with the line", async () => {
    const drop = withText((lines) => lines.toSpliced(2, 1));
    expect(await failure(drop)).toEqual({ code: "damaged_trajectory", place: "t.jsonl.gz:3" });
  });

  it("readTrajectory rejects a trajectory without a header", async () => {
    const headless = withText((lines) => lines.slice(1));
    expect(await failure(headless)).toEqual({ code: "damaged_trajectory", place: "t.jsonl.gz:1" });
  });

  it("readTrajectory rejects a header of another version", async () => {
    const newer = withText(([, ...rest]) => ['{"format": "robot-eval-trajectory/9"}', ...rest]);
    expect(await failure(newer)).toEqual({ code: "damaged_trajectory", place: "t.jsonl.gz:1" });
  });

  it("readTrajectory rejects a header without an episode", async () => {
    const bare = withText(([, ...rest]) => ['{"format": "robot-eval-trajectory/1"}', ...rest]);
    expect(await failure(bare)).toEqual({ code: "bad_episode", place: "t.jsonl.gz:1" });
  });

  it("readTrajectory rejects an empty trajectory", async () => {
    const empty = await failure(() => gzipSync(""));
    expect(empty).toEqual({ code: "damaged_trajectory", place: "t.jsonl.gz:1" });
  });

  it.each(["{", "42", "null", '{"step": 1}'])(
    "readTrajectory rejects the line %s with its number",
    async (text) => {
      const broken = withText((lines) => lines.toSpliced(2, 1, text));
      expect(await failure(broken)).toEqual({ code: "damaged_trajectory", place: "t.jsonl.gz:3" });
    },
  );

  it("readTrajectory rejects a trajectory that does not exist", async () => {
    const path = join(temporaryFolder(), "none.jsonl.gz");
    await expect(readTrajectory(path)).rejects.toMatchObject({ code: "missing_file", where: path });
  });
});
