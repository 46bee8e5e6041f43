import { DataError, show } from "../../../core/errors.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { BaseSimulator, SimulatorFrame } from "../../../core/interfaces/simulator.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import { JudgedSimulator } from "../../../core/rules/judged-simulator.js";
import { asJson, firstDifference } from "../../../evaluator/check/replay/difference.js";
import { makeSimulator } from "../../../evaluator/execute/task-session.js";
import type { TaskPlan } from "../../../evaluator/plan/prepare.js";
import type { Trajectory } from "../../../runs/directory/trajectory.js";

/** Called after reset and after each action. */
type Visit = (frame: SimulatorFrame, step: number, simulator: BaseSimulator) => unknown;

/**
 * Replays the recorded actions in a simulator with other sensors. The states must equal the recorded ones bit by bit.
 * @throws DataError at the first step that differs
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
    throw new DataError("no_simulator", `no simulator serves ${line.task_type}`, {
      where: line.episode_key,
    });
  }
  const world = new JudgedSimulator(simulator, plan.task.taskFor(episode));
  try {
    for (const record of records) {
      const frame = await (record.action === null
        ? world.reset(episode, { seed: line.seed })
        : world.step(record.action));
      checkSame(line, record, frame);
      await visit(frame, record.step, simulator);
    }
  } finally {
    await simulator.close();
  }
}

/** Compares a state with the recorded one. The first state's list of missing sensors differs here and is ignored. */
function checkSame(line: EpisodeLine, record: StepRecord, frame: SimulatorFrame): void {
  const { missing_sensors: _, ...recorded } = record.state;
  const { missing_sensors: __, ...now } = frame.state;
  const found = firstDifference(asJson(recorded), asJson(now));
  if (!found) return;
  throw new DataError(
    "not_reproduced",
    `the replay differs from the recording at step ${record.step}: ${found.field} was ${show(found.recorded)} and is ${show(found.now)}`,
    {
      where: line.episode_key,
      hint: "the run may have used another version or scene; `robot-eval replay` reports all differences",
    },
  );
}
