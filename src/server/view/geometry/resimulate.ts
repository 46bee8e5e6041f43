import { DataError, show } from "../../../core/errors.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { BaseSimulator, SimulatorFrame } from "../../../core/interfaces/simulator.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import type { TaskPlan } from "../../../evaluator/prepare.js";
import { asJson, firstDifference } from "../../../evaluator/replay/difference.js";
import { makeSimulator } from "../../../evaluator/slot.js";
import type { Trajectory } from "../../../runs/trajectory.js";

/** Called after reset and after each action. */
type Visit = (frame: SimulatorFrame, step: number, simulator: BaseSimulator) => unknown;

/**
 * Does the recorded actions again in a simulator with other sensors, where everything happens as it did, to the
 * bit; a DataError at the first step where it does not, since what came after would be another episode's.
 */
export async function resimulate(
  plan: TaskPlan,
  line: EpisodeLine,
  { episode, records }: Trajectory,
  config: Readonly<Record<string, unknown>>,
  visit: Visit,
): Promise<void> {
  const simulator = await makeSimulator(plan, config);
  if (!simulator) {
    throw new DataError("no_simulator", `no simulator here serves ${line.task_type}`, {
      where: line.episode_key,
    });
  }
  try {
    for (const record of records) {
      const frame = await (record.action === null
        ? simulator.reset(episode, { seed: line.seed })
        : simulator.step(record.action));
      checkSame(line, record, frame);
      await visit(frame, record.step, simulator);
    }
  } finally {
    await simulator.close();
  }
}

/** The first state also tells which sensors there are not, and those are others here. */
function checkSame(line: EpisodeLine, record: StepRecord, frame: SimulatorFrame): void {
  const { missing_sensors: _, ...recorded } = record.state;
  const { missing_sensors: __, ...now } = frame.state;
  const found = firstDifference(asJson(recorded), asJson(now));
  if (!found) return;
  throw new DataError(
    "not_reproduced",
    `done again, the episode came out otherwise from step ${record.step} on: ${found.field} was ${show(found.recorded)} and is ${show(found.now)}`,
    {
      where: line.episode_key,
      hint: "was it run with another version, or in another scene? `robot-eval replay` tells more",
    },
  );
}
