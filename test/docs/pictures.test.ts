import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadEpisodes } from "../../src/dataset/loader.js";
import { createRegistries } from "../../src/registry/registries.js";
import { page, root } from "./pages.js";

it("both READMEs caption the first picture with the episode that it shows and the objects of that episode", async () => {
  const script = readFileSync(join(root, "scripts/make-pictures.mjs"), "utf8");
  const id = /REARRANGE_EPISODE = "(\d+)"/.exec(script)?.[1] ?? "none";
  const { formats } = createRegistries();
  const path = join(root, "data/rearrange/val.json.gz");
  let shown: Readonly<Record<string, unknown>> | undefined;
  for await (const { episodeId, goals } of loadEpisodes({ path, formats })) {
    if (episodeId === id) shown = goals;
  }
  expect(shown).toMatchObject({
    target_object: { name: expect.stringContaining("yellow"), category: "mug" },
    start_receptacle: { category: "washing_machine" },
    target_location: { category: "cabinet" },
  });
  const captions = ["README.md", "README.zh-CN.md"].map(
    (name) =>
      page(name)
        .text.split("\n")
        .find((line) => line.includes("`rearrange_challenge`")) ?? "",
  );
  expect(captions[0]).toMatch(
    new RegExp(`with a mug: episode ${id} .* from the washing machine to the cabinet`),
  );
  expect(captions[1]).toMatch(new RegExp(`带着马克杯.*episode ${id}，从洗衣机到.*柜子`));
});
