import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MESSAGE_TYPES } from "../../src/api/messages/base.js";
import { readMessage } from "../../src/api/messages/read.js";

const text = readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8");
const block = /^## An episode, frame by frame[\s\S]*?```text\n([\s\S]*?)```/m.exec(text)?.[1] ?? "";
/** Each frame with its sender; a frame may span several lines. */
const frames = block
  .split(/\n(?=[<>] )/)
  .map((frame): [string, string] => [frame.slice(0, 1), frame.slice(2).replaceAll("\n", "")]);

describe("the transcript of docs/protocol.md", () => {
  it("the transcript of docs/protocol.md contains only valid messages", () => {
    expect(frames.length).toBeGreaterThan(8);
    for (const [, frame] of frames) readMessage(JSON.parse(frame));
  });

  it("the transcript of docs/protocol.md shows each message with the sender given in the table", () => {
    const evaluator = ["connect", "reset_episode", "get_action", "episode_end"];
    for (const [sender, frame] of frames) {
      const { type } = readMessage(JSON.parse(frame));
      expect(sender, type).toBe(evaluator.includes(type) ? ">" : "<");
    }
  });

  it("the transcript of docs/protocol.md comes with a table of all ten message types", () => {
    const rows = [...text.matchAll(/^\| `(\w+)` +\| (?:client|server|evaluator|policy|either)/gm)];
    expect(rows.map((row) => row[1])).toEqual([...MESSAGE_TYPES]);
  });
});
