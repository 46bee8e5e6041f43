import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BatchedJob, batchId, batchSize, makeBatches } from "./batches.js";

const jobs = fc
  .array(
    fc.record({
      task: fc.constantFrom("vln", "pick"),
      scene: fc.constantFrom("hall", "yard", "attic"),
      repeat: fc.nat(2),
    }),
    { maxLength: 60 },
  )
  .map((list) =>
    list.map(({ task, scene, repeat }, no): BatchedJob => ({ task, scene, item: [no, repeat, 1] })),
  );

describe("batches", () => {
  test("batches contain every episode once, up to the batch size, of one task, repeat and scene", () => {
    fc.assert(
      fc.property(jobs, fc.integer({ min: 1, max: 9 }), (list, size) => {
        const batches = makeBatches(list, size, false);
        const items = batches.flatMap((batch) => batch.items);
        expect(items.map(([no]) => no).sort((a, b) => a - b)).toEqual(list.map((_, no) => no));
        for (const { task, items: own } of batches) {
          expect(own.length).toBeLessThanOrEqual(size);
          const kinds = own.map(([no]) => {
            const job = list[no];
            return [job?.task, job?.scene, job?.item[1]];
          });
          for (const kind of kinds) expect(kind).toEqual(kinds[0]);
          expect(kinds[0]?.[0]).toBe(task);
        }
      }),
    );
  });

  test("batches keep the order of the episodes of a task if it may stop early", () => {
    fc.assert(
      fc.property(jobs, fc.integer({ min: 1, max: 9 }), (list, size) => {
        const numbers = (task: string) =>
          makeBatches(list, size, true)
            .filter((batch) => batch.task === task)
            .flatMap(({ items }) => items.map(([no]) => no));
        for (const task of ["vln", "pick"]) {
          expect(numbers(task)).toEqual([...numbers(task)].sort((a, b) => a - b));
        }
      }),
    );
  });

  test("batches are small for few episodes, so that all workers get some", () => {
    expect([1, 40, 100, 1000, 100_000].map(batchSize)).toEqual([1, 1, 3, 8, 8]);
  });

  test("batches have ids that sort in the order of creation", () => {
    const ids = [0, 1, 9, 10, 255, 256, 100_000].map(batchId);
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
