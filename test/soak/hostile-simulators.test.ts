import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { expectOneInvalidEpisode, SHORT, SILENT, WRONG } from "../support/hostile-simulators.js";
import { testPython } from "../support/python.js";

describe("a simulator that misbehaves in an episode in every way", () => {
  it("each wrong answer of a simulator invalidates only its episode", async () => {
    await expectOneInvalidEpisode(WRONG, Object.keys(WRONG));
  });

  it("a simulator that does not answer in time invalidates only its episode, whatever it sends instead", async () => {
    await expectOneInvalidEpisode(SILENT, Object.keys(SILENT), SHORT);
  });
});

const python = testPython() ?? "";
const script = fileURLToPath(new URL("../support/hostile_simulator.py", import.meta.url));

it.skipIf(!python)(
  "a Python simulator that misbehaves in an episode invalidates only that episode",
  async () => {
    const command = [python, script];
    await expectOneInvalidEpisode(WRONG, ["reset:exit", "huge_frame"], { command });
    await expectOneInvalidEpisode(SILENT, ["endless_stdout"], { ...SHORT, command });
  },
);
