import { expect, it } from "vitest";
import { Lru } from "./lru.js";

it("the cache evicts the least recently used entry, and never the newest", () => {
  const kept = new Lru<string>(6, (text) => text.length);
  kept.set("a", "aaa");
  kept.set("b", "bbb");
  expect(kept.get("a")).toBe("aaa");
  kept.set("c", "ccc");
  expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual(["aaa", undefined, "ccc"]);
  kept.set("d", "far too long for it");
  expect([kept.get("a"), kept.get("c"), kept.get("d")]).toEqual([
    ...[undefined, undefined],
    "far too long for it",
  ]);
  kept.set("e", "e");
  expect([kept.get("d"), kept.get("e")]).toEqual([undefined, "e"]);
});
