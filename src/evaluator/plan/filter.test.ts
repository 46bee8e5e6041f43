import { describe, expect, it } from "vitest";
import { tinyEpisode } from "../../../test/support/tiny-world.js";
import { ConfigError } from "../../core/errors.js";
import { parseFilter } from "./filter.js";

const episode = tinyEpisode("a", "d", { sceneId: "mp3d/17DR.glb" });
const passes = (expression: string) => parseFilter(expression)(episode, "vln");

describe("a filter", () => {
  it.each([
    ["id=a-d", true],
    ["id=a-e", false],
    ["id=a-e|a-d", true],
    ["id=a*", true],
    ["id=*", true],
    ["scene=mp3d/*", true],
    ["scene=mp3d/17DR.glb", true],
    ["scene=mp3d/17DRxglb", false],
    ["scene=17DR", false],
    ["task=vln", true],
    ["task=objectnav", false],
    ["type=vln,id=a-d", true],
    ["type=vln,id=a-e", false],
    [" type = vln , id = a-d ", true],
    ["instruction=*from a to*", true],
    ["instruction=from a to", false],
  ])("%s gives %s for the sample episode", (expression, expected) => {
    expect(passes(expression)).toBe(expected);
  });

  it.each(["", "id", "colour=red", "id=a=b", "id=a,", "ID=a"])(
    "a filter rejects %j",
    (expression) => {
      expect(() => parseFilter(expression)).toThrow(ConfigError);
    },
  );

  it("an error in a filter lists the valid fields and the nearest one", () => {
    expect(() => parseFilter("scnee=x")).toThrow('"scnee=x" is not a filter');
    try {
      parseFilter("scnee=x");
    } catch (error) {
      expect(error).toMatchObject({ code: "bad_filter", where: "--filter" });
      expect(error).toHaveProperty("hint", expect.stringContaining('did you mean "scene"?'));
    }
  });
});
