import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  evaluate,
  expectOneInvalidEpisode,
  hostileBenchmark,
  left,
  SHORT,
  SILENT,
  started,
  WRONG,
} from "../support/hostile-simulators.js";
import { pointBenchmark } from "../support/point-benchmark.js";
import { testPython } from "../support/python.js";
import { sampled } from "../support/sampled.js";

describe("a simulator that misbehaves in an episode", () => {
  it("a wrong answer of a simulator invalidates only its episode, as a platform fault, and leaves no process", async () => {
    await expectOneInvalidEpisode(WRONG, [
      "half_frame",
      "huge_frame",
      "deep",
      "big_state",
      "ee_pos_nan",
    ]);
  }, 120_000);

  it("a simulator that does not answer in time invalidates only its episode, whatever it sends instead", async () => {
    await expectOneInvalidEpisode(SILENT, ["endless_stdout", "late_answers"], SHORT);
  }, 120_000);

  it.skipIf(process.platform !== "linux")(
    "a simulator that misbehaves in an episode leaves no process that started its own session",
    async () => {
      const benchmark = hostileBenchmark(["daemon"]);
      const { lines } = await evaluate(benchmark);
      expect(lines[0]?.outcome).toBe("success");
      await expect.poll(() => left(benchmark), { timeout: 20_000 }).toEqual([]);
    },
  );
});

describe("a simulator that misbehaves before the first episode", () => {
  const failures = [
    ["exit", "ended before it printed its port", 60],
    ["mute", "did not print its port on its standard output within 1 s", 1],
    ["endless_line", "did not print its port on its standard output within 1 s", 1],
    ["exit_at_hello", "connection is closed", 60],
    ["silent_at_hello", "no `connected` from the simulator", 3],
    ["bad_hello", "cannot be read", 60],
  ] as const;
  it.each(sampled(failures, 2))(
    "a simulator that fails at its start stops the run with the reason and leaves no process: %s",
    async (mode, why, start_timeout_s) => {
      const benchmark = pointBenchmark({
        ...{ script: "hostile-simulator.mjs", episodes: 1, args: [`--start=${mode}`] },
        simulator: { start_timeout_s },
      });
      await expect(evaluate(benchmark)).rejects.toThrow(why);
      await expect.poll(() => left(benchmark), { timeout: 20_000 }).toEqual([]);
    },
  );
});

const python = testPython() ?? "";
const script = fileURLToPath(new URL("../support/hostile_simulator.py", import.meta.url));
const command = [python, script];

describe.skipIf(!python)("a simulator in Python that misbehaves in an episode", () => {
  it.skipIf(process.platform !== "linux")(
    "a simulator in Python that misbehaves in an episode leaves none of 50 forked processes that ignore SIGTERM, half of them outside its process group",
    async () => {
      const benchmark = hostileBenchmark(["fork"], { command });
      const { lines } = await evaluate(benchmark);
      expect(lines[0]?.outcome).toBe("success");
      expect(started(benchmark)).toHaveLength(51);
      await expect.poll(() => left(benchmark), { timeout: 20_000 }).toEqual([]);
    },
  );
});
