import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { upsideDownImages } from "./upside-down-images.js";

const seeing = (upside_down: boolean) =>
  soundEpisode({ taskConfig: { images: { agentview: { upside_down }, wrist: {} } } });

describe("upside_down_images", () => {
  it("upside_down_images reports each camera once, with the number of episodes", () => {
    expect(problemsOf(upsideDownImages(), [seeing(true), seeing(true)])).toMatchObject([
      {
        field: "task_config.images.agentview.upside_down",
        message: "the images of 2 episodes are stored upside down",
      },
    ]);
  });

  it("upside_down_images reports nothing for upright or missing images", () => {
    expect(problemsOf(upsideDownImages(), [seeing(false), soundEpisode()])).toEqual([]);
  });
});
