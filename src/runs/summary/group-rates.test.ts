import { describe, expect, it } from "vitest";
import { episodeLine } from "../../../test/support/cli.js";
import { repeatsInterval } from "../../stats/repeats-interval.js";
import { wilsonInterval } from "../../stats/wilson.js";
import { GroupRates } from "./group-rates.js";

function line(id: string, outcome: "success" | "failure" | "invalid", repeat = 0) {
  return episodeLine({ episode_id: id, episode_key: id, outcome, repeat });
}

describe("GroupRates", () => {
  it("GroupRates lists rates with Wilson intervals and invalid counts, worst first", () => {
    const rates = new GroupRates(1);
    rates.add("bed", line("1", "success"));
    rates.add("bed", line("2", "failure"));
    rates.add("bed", line("3", "invalid"));
    rates.add("chair", line("4", "failure"));
    expect(rates.of("vln")).toEqual([
      { name: "chair", success: 0, mean: 0, ci95: wilsonInterval(0, 1), count: 1, invalid: 0 },
      { name: "bed", success: 1, mean: 0.5, ci95: wilsonInterval(1, 2), count: 2, invalid: 1 },
    ]);
  });

  it("GroupRates accounts for scenes that the episodes of a group share", () => {
    const rates = new GroupRates(1);
    for (const [i, scene_id] of ["a", "a", "a", "b", "b", "b"].entries()) {
      const outcome = scene_id === "a" ? "success" : "failure";
      rates.add("bed", { ...line(String(i), outcome), scene_id });
    }
    rates.add("chair", line("7", "failure"));
    const bed = rates.of("vln").find(({ name }) => name === "bed");
    expect(bed).toMatchObject({ mean: 0.5, count: 6 });
    expect(bed?.ci95?.[0]).toBeLessThan((wilsonInterval(3, 6)?.[0] ?? 0) / 2);
  });

  it("GroupRates puts the rate with more episodes first among equals, and groups without valid results last", () => {
    const rates = new GroupRates(1);
    rates.add("unknown", line("1", "invalid"));
    rates.add("few", line("2", "failure"));
    rates.add("many", line("3", "failure"));
    rates.add("many", line("4", "failure"));
    expect(rates.of("vln").map(({ name }) => name)).toEqual(["many", "few", "unknown"]);
  });

  it("GroupRates does not treat repeats of an episode as independent episodes", () => {
    const rates = new GroupRates(3);
    for (const repeat of [0, 1, 2]) {
      rates.add("bed", line("1", "success", repeat));
      rates.add("bed", line("2", "failure", repeat));
      rates.add("chair", line("3", "success", repeat));
    }
    const groups = [
      [1, 1, 1],
      [0, 0, 0],
    ];
    const { interval } = repeatsInterval(groups, { kind: "rate" });
    expect(rates.of("vln")[0]).toMatchObject({ name: "bed", mean: 0.5, count: 6, ci95: interval });
  });

  it("GroupRates lists no rates for a task with a single group", () => {
    const rates = new GroupRates(1);
    rates.add("hall", line("1", "success"));
    expect(rates.of("vln")).toEqual([]);
    expect(rates.of("another")).toEqual([]);
  });
});
