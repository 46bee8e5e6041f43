import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { sampled } from "../../../test/support/sampled.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { nativeFormat, writeNative } from "./native.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-native-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function load(path: string): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const episode of nativeFormat.episodes({ path })) episodes.push(episode);
  return episodes;
}

const episodes = Array.from(
  { length: 4 },
  (_, i) =>
    new BaseEpisode({
      episodeId: `e${i}`,
      taskType: i % 2 === 0 ? "vln" : "pick_place",
      sceneId: "kitchen",
      startState: { position: [i, 0, -0.5], rotation: [0, 0, 0, 1] },
      goals: { position: [1, 0, 1], radius: 0.2 },
      instruction: { text: 'Go "there",\nplease – ünd stop' },
    }),
);
const dicts = episodes.map((episode) => episode.toDict());

describe("native episodes", () => {
  it.each(["a.json", "a.json.gz", "a.jsonl", "a.jsonl.gz"])(
    "episodes read back from %s equal the written ones",
    async (name) => {
      const path = join(folder, name);
      await writeNative(path, episodes);
      expect(await load(path)).toEqual(episodes);
      expect(readFileSync(path)[0] === 0x1f).toBe(name.endsWith(".gz"));
    },
  );

  it("the native reader reads a bare list and bare lines", async () => {
    expect(await load(file("list.json", JSON.stringify(dicts)))).toEqual(episodes);
    const lines = dicts.map((dict) => JSON.stringify(dict)).join("\n");
    expect(await load(file("lines.jsonl", lines))).toEqual(episodes);
    expect(await load(file("one.jsonl", JSON.stringify(dicts[0])))).toEqual([episodes[0]]);
  });

  it("the native reader reads a document in any layout", async () => {
    const document = { note: "x".repeat(70_000), episodes: dicts, format: "robot-eval-episodes/1" };
    expect(await load(file("compact.json", JSON.stringify(document)))).toEqual(episodes);
    expect(await load(file("pretty.json", JSON.stringify(document, null, 2)))).toEqual(episodes);
  });

  it("the native reader rejects an invalid episode with line, episode and field", async () => {
    const bad = { ...dicts[1], start_state: { position: [0, 0, 0], rotation: [0, 0, 1] } };
    const lines = [dicts[0], bad].map((dict) => JSON.stringify(dict)).join("\n");
    await expect(load(file("bad.jsonl", lines))).rejects.toMatchObject({
      code: "bad_episode",
      message: expect.stringContaining("episode e1, start_state.rotation"),
      where: expect.stringMatching(/bad\.jsonl:2$/),
    });
  });

  it("the native reader rejects a later version with a hint", async () => {
    const path = file("later.json", '{"format": "robot-eval-episodes/9", "episodes": []}');
    await expect(load(path)).rejects.toMatchObject({
      code: "unsupported_version",
      hint: expect.stringContaining("newer"),
    });
  });

  it("the native reader never loads part of a truncated file", async () => {
    for (const name of ["cut.json", "cut.json.gz", "cut.jsonl", "cut.jsonl.gz"]) {
      const path = join(folder, name);
      await writeNative(path, episodes);
      const whole = readFileSync(path);
      // Every fifth length, and each of the last 40, where only the end of the file is missing.
      const lengths = Array.from(whole.keys()).filter((n) => n % 5 === 0 || n >= whole.length - 40);
      for (const length of sampled(lengths, 20)) {
        writeFileSync(path, whole.subarray(0, length));
        const outcome = await load(path).catch((error: unknown) => error);
        // Losing only the last line break loses no data.
        if (Array.isArray(outcome)) {
          expect(length).toBe(whole.length - 1);
          expect(outcome).toEqual(episodes);
        } else expect(outcome).toMatchObject({ name: "DataError", exitCode: 2 });
      }
    }
  });
});

describe("writeNative", () => {
  it("writeNative writes the same bytes for the same episodes on any platform", async () => {
    const [first, second] = [join(folder, "x.json.gz"), join(folder, "y.json.gz")];
    await writeNative(first, episodes);
    await writeNative(second, episodes);
    expect(readFileSync(first)).toEqual(readFileSync(second));
    expect([...readFileSync(first).subarray(4, 10)]).toEqual([0, 0, 0, 0, 2, 255]);
  });

  it("writeNative keeps the old file and leaves no temporary file if the episodes throw", async () => {
    const path = file("kept.json", "old");
    async function* failing() {
      yield* episodes;
      throw new Error("no more");
    }
    await expect(writeNative(path, failing())).rejects.toThrow("no more");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("writeNative leaves no temporary file if the path cannot be written", async () => {
    await expect(writeNative(folder, episodes)).rejects.toThrow();
    const beside = readdirSync(tmpdir()).filter((name) => name.startsWith(basename(folder)));
    expect(beside).toEqual([basename(folder)]);
  });
});

describe("native format detection", () => {
  const detect = (head: unknown) =>
    nativeFormat.detect({
      path: "x",
      text: "",
      bytes: new Uint8Array(),
      names: [],
      head,
      isDirectory: false,
    });

  it("the native reader detects the format by the format field or the keys of an episode", () => {
    expect(detect({ format: "robot-eval-episodes/1", count: 3 })).toBe(true);
    expect(detect(dicts)).toBe(true);
    expect(detect(dicts[0])).toBe(true);
    expect(detect({ episodes: dicts })).toBe(true);
    expect(detect({ episodes: [{ episode_id: 1, scene_id: "x" }] })).toBe(false);
    expect(detect([])).toBe(false);
  });
});

describe("gzip of native lines", () => {
  it("the native reader rejects a damaged gzip file of lines", async () => {
    const packed = gzipSync(dicts.map((dict) => JSON.stringify(dict)).join("\n"));
    packed[packed.length - 5] = (packed[packed.length - 5] ?? 0) ^ 0xff;
    await expect(load(file("damaged.jsonl.gz", packed))).rejects.toMatchObject({
      code: "damaged_gzip",
    });
  });
});
