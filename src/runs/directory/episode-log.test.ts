import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { episodeLine, temporaryFolder } from "../../../test/support/cli.js";
import { DataError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { EpisodeLog, readEpisodeLog } from "./episode-log.js";

const noFiles = () => Promise.resolve();

async function append(path: string, lines: readonly EpisodeLine[]): Promise<void> {
  const log = await EpisodeLog.open(path, noFiles);
  await Promise.all(lines.map((line) => log.append(line)));
  await log.close();
}

async function read(path: string): Promise<EpisodeLine[]> {
  const lines: EpisodeLine[] = [];
  for await (const line of readEpisodeLog(path)) lines.push(line);
  return lines;
}

const some = ["1", "2", "走廊", "4"].map((episode_id) =>
  episodeLine({ episode_id, explanation: `stopped — at ${episode_id}` }),
);

describe("the episode log", () => {
  it("the episode log returns appended lines in order after reopening", async () => {
    const path = join(temporaryFolder(), "episodes.jsonl");
    await append(path, some.slice(0, 3));
    await append(path, some.slice(3));
    expect(await read(path)).toEqual(some);
  });

  it("the episode log does not interleave lines that are appended concurrently", async () => {
    const path = join(temporaryFolder(), "episodes.jsonl");
    const many = Array.from({ length: 200 }, (_, i) => episodeLine({ episode_id: String(i) }));
    await append(path, many);
    expect(await read(path)).toEqual(many);
  });

  it("the episode log syncs the files that lines refer to before the lines", async () => {
    const path = join(temporaryFolder(), "episodes.jsonl");
    let synced = 0;
    const log = await EpisodeLog.open(path, async () => {
      synced++;
    });
    for (const line of some) await log.append(line);
    expect(synced).toBe(0);
    await log.close();
    expect(synced).toBe(1);
  });

  describe("while it stays open", () => {
    afterEach(() => {
      vi.useRealTimers();
    });

    it("an open episode log syncs a group of lines within a second", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      let synced = 0;
      const path = join(temporaryFolder(), "episodes.jsonl");
      const log = await EpisodeLog.open(path, async () => {
        synced++;
      });
      for (const line of some) await log.append(line);
      vi.advanceTimersByTime(1000);
      await log.append(episodeLine());
      expect(synced).toBe(1);
      await log.close();
      expect(synced).toBe(2);
    });

    it("an open episode log rejects the next append after a sync failed", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const path = join(temporaryFolder(), "episodes.jsonl");
      const log = await EpisodeLog.open(path, () => Promise.reject(new Error("disk full")));
      await log.append(episodeLine());
      vi.advanceTimersByTime(1000);
      await expect(log.append(episodeLine())).rejects.toMatchObject({
        code: "cannot_write",
        where: path,
      });
      await expect(log.close()).rejects.toThrow("disk full");
    });
  });

  it("the episode log reports a failed sync on close", async () => {
    const path = join(temporaryFolder(), "episodes.jsonl");
    const log = await EpisodeLog.open(path, () => Promise.reject(new Error("disk full")));
    await log.append(episodeLine());
    await expect(log.close()).rejects.toThrow("disk full");
  });

  it("an episode log truncated at any byte loses only the last line", async () => {
    const path = join(temporaryFolder(), "episodes.jsonl");
    await append(path, some);
    const whole = readFileSync(path);
    const ends = [...whole].flatMap((byte, i) => (byte === 0x0a ? [i + 1] : []));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (cut) => {
        writeFileSync(path, whole);
        truncateSync(path, cut);
        const left = some.slice(0, ends.filter((end) => end <= cut).length);
        expect(await read(path)).toEqual(left);
        const next = episodeLine({ episode_id: "next" });
        await append(path, [next]);
        expect(await read(path)).toEqual([...left, next]);
        const text = readFileSync(path, "utf8");
        expect(text.endsWith("\n")).toBe(true);
        for (const line of text.trimEnd().split("\n")) JSON.parse(line);
      }),
      { numRuns: 60, examples: [[0], [whole.length], [whole.length - 1], [ends[0] ?? 0]] },
    );
  });

  it("the episode log repairs an unfinished line that is longer than a block", async () => {
    const path = join(temporaryFolder(), "episodes.jsonl");
    await append(path, some.slice(0, 1));
    appendFileSync(path, `{"episode_key": "${"x".repeat(200_000)}`);
    expect(await read(path)).toEqual(some.slice(0, 1));
    await append(path, some.slice(1));
    expect(await read(path)).toEqual(some);
  });
});

describe("a damaged episode log", () => {
  async function failure(text: string): Promise<DataError> {
    const path = join(temporaryFolder(), "episodes.jsonl");
    writeFileSync(path, text);
    const error = await read(path).catch((e: unknown) => e);
    if (!(error instanceof DataError)) throw new Error(`no DataError but ${error}`);
    expect(error.where?.startsWith(path)).toBe(true);
    return error;
  }
  const good = JSON.stringify(episodeLine());

  it("the episode log rejects a line that is not JSON with its line number", async () => {
    const error = await failure(`${good}\n\n{"episode_key": \n${good}\n`);
    expect(error.code).toBe("damaged_line");
    expect(error.where).toMatch(/episodes\.jsonl:3$/);
  });

  it.each(["null", "[]", "42", "{}", '{"episode_key": "a/b/c", "task": "a", "outcome": "won"}'])(
    "the episode log rejects a line that is not a result with its line number: %s",
    async (text) => {
      const error = await failure(`${good}\n${text}\n`);
      expect(error.message).toContain("not the result of an episode");
      expect(error.where).toMatch(/episodes\.jsonl:2$/);
    },
  );

  it("the episode log reports a missing file", async () => {
    const path = join(temporaryFolder(), "episodes.jsonl");
    await expect(read(path)).rejects.toMatchObject({ code: "missing_file", where: path });
  });
});
