import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import { createRegistries } from "../../registry/registries.js";
import { loadEpisodes } from "../loader.js";
import { pixelSums } from "./image-stats.js";
import { createLerobotWriter, LEROBOT_VERSIONS, type LerobotVersion } from "./writer.js";
import { LerobotWriterV3 } from "./writer-v3.js";
import { imageFeature, type WrittenEpisode, type WrittenImage } from "./written.js";

const small = image(2, 2);
const FEATURES = {
  "observation.images.front": imageFeature(small.sums),
  action: { dtype: "float32", shape: [2], names: ["left", "right"] },
} as const;

function image(width: number, height: number): WrittenImage {
  const data = new Uint8Array(3 * width * height).fill(51);
  return { bytes: Uint8Array.of(1, 2), sums: pixelSums({ kind: "rgb", width, height, data }) };
}

function episode(length: number, more: Partial<WrittenEpisode> = {}): WrittenEpisode {
  return {
    name: "e",
    task: "turn",
    numbers: new Map([["action", Array.from({ length }, (_, i) => [i, -i])]]),
    images: new Map([["observation.images.front", Array.from({ length }, () => small)]]),
    ...more,
  };
}

async function write(
  version: LerobotVersion,
  ...episodes: readonly WrittenEpisode[]
): Promise<string> {
  const folder = temporaryFolder();
  const shape = { fps: 4, robotType: "toy", features: FEATURES };
  const writer = await createLerobotWriter(folder, shape, version);
  try {
    for (const one of episodes) await writer.add(one);
    const { frames } = await writer.finish();
    expect(frames).toBe(JSON.parse(meta(folder, "info.json")).total_frames);
    return folder;
  } finally {
    await writer.close();
  }
}

const meta = (folder: string, name: string) => readFileSync(join(folder, "meta", name), "utf8");

describe.each(LEROBOT_VERSIONS)("LeRobot %s dataset with images", (version) => {
  it("our loader reads the dataset and skips the images", async () => {
    const path = await write(version, episode(3), episode(2, { task: "go" }), episode(1));
    const episodes: BaseEpisode[] = [];
    const { formats } = createRegistries();
    for await (const one of loadEpisodes({ path, formats })) episodes.push(one);
    expect(episodes.map(({ instruction }) => instruction.text)).toEqual(["turn", "go", "turn"]);
    expect(episodes[1]?.referenceData?.trajectory).toEqual({
      actions: [
        [0, -0],
        [1, -1],
      ],
    });
    expect(episodes[0]?.taskConfig.features).toMatchObject({
      "observation.images.front": { dtype: "image", shape: [2, 2, 3] },
    });
  });

  it("the LeRobot writer writes statistics of images and numbers", async () => {
    const path = await write(version, episode(3));
    const stats =
      version === "2.1"
        ? JSON.parse(meta(path, "episodes_stats.jsonl")).stats
        : JSON.parse(meta(path, "stats.json"));
    expect(stats["observation.images.front"]).toMatchObject({
      mean: [[[0.2]], [[0.2]], [[0.2]]],
      count: [3],
    });
    expect(stats.action.max).toEqual([2, 0]);
    expect(stats.timestamp.max).toEqual([0.5]);
  });

  it.each<[string, WrittenEpisode, string]>([
    [
      "without an image",
      episode(2, { images: new Map() }),
      "0 of 2 frames have observation.images.front",
    ],
    [
      "with one frame too few",
      episode(2, { images: new Map([["observation.images.front", [small]]]) }),
      "1 of 2 frames",
    ],
    [
      "with images of another size",
      episode(1, { images: new Map([["observation.images.front", [image(3, 2)]]]) }),
      "observation.images.front has the shape 2 x 3 x 3, expected 2 x 2 x 3",
    ],
    [
      "with longer vectors",
      episode(1, { numbers: new Map([["action", [[1, 2, 3]]]]) }),
      "action has the shape 3",
    ],
    [
      "with more",
      episode(1, { numbers: new Map([...episode(1).numbers, ["reward", [[1]]]]) }),
      "it has reward",
    ],
    ["without frames", episode(0), "0 of 0 frames"],
  ])("the LeRobot writer rejects an episode %s", async (_, odd, message) => {
    await expect(write(version, episode(2), odd)).rejects.toMatchObject({
      code: "not_alike",
      message: expect.stringContaining(message),
    });
  });
});

describe("LeRobot 3.0 dataset in several files", () => {
  it("the LeRobot writer begins a new file when one is full, and our loader finds every episode", async () => {
    const path = temporaryFolder();
    const shape = { fps: 4, robotType: "toy", features: FEATURES };
    const writer = await LerobotWriterV3.create(path, shape, 1);
    // More than fit into one row group of the list of episodes.
    const lengths = Array.from({ length: 103 }, (_, i) => 1 + (i % 3));
    for (const length of lengths) await writer.add(episode(length));
    expect(await writer.finish()).toEqual({ episodes: 103, frames: 205 });
    expect(readdirSync(join(path, "data/chunk-000"))).toHaveLength(103);
    const found: (number | undefined)[] = [];
    const { formats } = createRegistries();
    for await (const { referenceData } of loadEpisodes({ path, formats })) {
      found.push(referenceData?.trajectory?.actions?.length);
    }
    expect(found).toEqual(lengths);
  });
});
