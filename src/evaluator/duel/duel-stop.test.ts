import { expect, it } from "vitest";
import { episodeLine } from "../../../test/support/cli.js";
import { DuelStop } from "./duel-stop.js";

it("a recorded duel counts an episode when all its repeats are there", () => {
  const lines = [0, 1].map((repeat) => episodeLine({ repeat, metrics: { success: 1 } }));
  const [first, second] = lines;
  const stop = new DuelStop({
    metric: "success",
    kind: "rate",
    against: ["random"],
    order: [first?.episode_key ?? ""],
    repeats: 2,
    side: { offer: () => {}, counted: 1, isOver: true },
  });
  expect(first && stop.offer(first)).toEqual([]);
  expect(second && stop.offer(second)).toEqual(lines);
});
