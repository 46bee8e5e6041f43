import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { geometryFrom } from "./geometry.js";
import type { SimMessageOf } from "./messages.js";

const MODEL = "<mujoco/>";
const bytes = (text: string) => new TextEncoder().encode(text);
const hash = (text: string) => createHash("sha256").update(text).digest("hex");

type Answer = Omit<SimMessageOf<"geometry">, "type" | "seq">;

/** A simulator that returns the given answers and records the requests. */
function answering(answer: (known: readonly string[]) => Answer) {
  const asked: (readonly string[])[] = [];
  return {
    url: "ws://here",
    asked,
    geometry: (known: readonly string[]) => {
      asked.push(known);
      return Promise.resolve({ type: "geometry" as const, seq: 0, ...answer(known) });
    },
  };
}

describe("the geometry of a remote world", () => {
  it("the geometry of a remote world is requested until all of its files have arrived", async () => {
    const files = { "a.obj": hash("a"), "b.obj": hash("b"), "c.obj": hash("c") };
    const session = answering((known) => {
      const next = ["a", "b", "c"].find((name) => !known.includes(hash(name)));
      return { mjcf: MODEL, files, assets: next ? { [`${next}.obj`]: bytes(next) } : {} };
    });
    const geometry = await geometryFrom(session, new Set([hash("b")]), 1000);
    expect(geometry?.files).toEqual(files);
    expect([...(geometry?.assets.keys() ?? [])]).toEqual([hash("a"), hash("c")]);
    expect(session.asked).toHaveLength(2);
  });

  it("the geometry of a remote world is undefined if the simulator has no model", async () => {
    expect(
      await geometryFrom(
        answering(() => ({})),
        new Set(),
        1000,
      ),
    ).toBeUndefined();
  });

  it("the geometry of a remote world is identified by file content if the simulator sends no hashes", async () => {
    const session = answering(() => ({ mjcf: MODEL, assets: { "a.obj": bytes("a") } }));
    expect((await geometryFrom(session, new Set(), 1000))?.files).toEqual({ "a.obj": hash("a") });
  });

  it.each([
    [
      "points outside the folder",
      { files: { "../a": hash("a") }, assets: { "../a": bytes("a") } },
      "names a file",
    ],
    [
      "is listed but never sent",
      { files: { a: hash("a") } },
      "lists the file a but does not send it",
    ],
    ["is not binary", { assets: { a: "text" } }, "the file a is not binary"],
    ["has no hash", { files: { a: "me" } }, "names a file"],
  ])("the geometry of a remote world is rejected if a file %s", async (_, answer, why) => {
    const session = answering(() => ({ mjcf: MODEL, ...answer }));
    await expect(geometryFrom(session, new Set(), 1000)).rejects.toThrow(why);
  });
});
