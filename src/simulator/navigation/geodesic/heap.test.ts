import fc from "fast-check";
import { expect, it } from "vitest";
import { MinHeap } from "./heap.js";

it("gives values back by key, then by value", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.integer({ min: -50, max: 50 }))), (entries) => {
      const heap = new MinHeap();
      for (const [key, value] of entries) heap.push(key, value);
      const sorted = [...entries].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      for (const [key, value] of sorted) {
        expect(heap.leastKey).toBe(key);
        expect(heap.pop()).toBe(value);
      }
      expect(heap.size).toBe(0);
    }),
  );
});
