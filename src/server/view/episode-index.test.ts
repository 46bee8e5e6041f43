import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { episodeLine, temporaryFolder } from "../../../test/support/cli.js";
import { episodeIdOf } from "./episode-id.js";
import { EpisodeIndex } from "./episode-index.js";
import { episodePage } from "./episode-page.js";

const text = (id: number, explanation = "") =>
  `${JSON.stringify(episodeLine({ episode_id: String(id), explanation }))}\n`;
const idOf = (id: number) => episodeIdOf(`vln/hall/${id}`, 0);

function numbered(count: number): string {
  return Array.from({ length: count }, (_, i) => text(i)).join("");
}

function fileWith(content: string): string {
  const path = join(temporaryFolder(), "episodes.jsonl");
  writeFileSync(path, content);
  return path;
}

describe("the index of a run's episodes", () => {
  it("the index of run episodes finds any page of a large run", async () => {
    const index = new EpisodeIndex(fileWith(numbered(4500)));
    await index.refresh();
    const [first, last] = [await episodePage(index, 0), await episodePage(index, 2)];
    expect([first?.rows.length, first?.pages]).toEqual([2000, 3]);
    expect([last?.rows.length, last?.pages]).toEqual([500, 3]);
    expect(last?.rows[0]).toMatchObject({ id: idOf(4000), key: "vln/hall/4000" });
    expect(await episodePage(index, 3)).toBeUndefined();
  });

  it("the index of run episodes adds new lines and waits for an unfinished one", async () => {
    const path = fileWith(`${text(1)}${text(2).slice(0, 40)}`);
    const index = new EpisodeIndex(path);
    await index.refresh();
    expect(index.count).toBe(1);
    appendFileSync(path, text(2).slice(40) + text(3));
    await Promise.all([index.refresh(), index.refresh()]);
    expect(index.count).toBe(3);
    expect((await index.line(idOf(2)))?.episode_id).toBe("2");
  });

  it("the index of run episodes starts again if the file was replaced", async () => {
    const path = fileWith(text(1) + text(2));
    const index = new EpisodeIndex(path);
    await index.refresh();
    writeFileSync(`${path}.new`, text(2) + text(3) + text(4));
    renameSync(`${path}.new`, path);
    await index.refresh();
    expect(index.count).toBe(3);
    expect(await index.line(idOf(1))).toBeUndefined();
  });

  it("the index of run episodes uses the later line of an episode that occurs twice", async () => {
    const index = new EpisodeIndex(fileWith(text(1) + text(2) + text(1, "again")));
    await index.refresh();
    expect((await index.lines(0, 9)).map(({ explanation }) => explanation)).toEqual(["again", ""]);
  });

  it("the index of run episodes names the damaged line", async () => {
    const index = new EpisodeIndex(fileWith(`${text(1)}nonsense\n`));
    await expect(index.refresh()).rejects.toMatchObject({
      code: "damaged_line",
      where: expect.stringMatching(/episodes\.jsonl:2$/),
    });
  });

  it("the index of run episodes has one empty page for a run without episodes", async () => {
    const index = new EpisodeIndex(join(temporaryFolder(), "episodes.jsonl"));
    await index.refresh();
    expect(await episodePage(index, 0)).toEqual({ rows: [], pages: 1 });
  });
});
