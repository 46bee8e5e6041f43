import type { BaseEpisode } from "../episode/base.js";
import type { Action } from "../interfaces/action.js";
import type {
  BaseSimulator,
  MaybePromise,
  ResetOptions,
  SimulatorFrame,
} from "../interfaces/simulator.js";
import { type JudgedByRules, SuccessJudge } from "./judge.js";

type Judgeable = Pick<BaseSimulator, "reset" | "step" | "recordsFacts">;

/** Adds the verdict of a task's rules to the frames of a simulator. Every simulated episode uses it. */
export class JudgedSimulator {
  readonly #simulator: Judgeable;
  readonly #task: JudgedByRules;
  #judge: SuccessJudge | undefined;

  /** @param task the episode's task, with its goals */
  constructor(simulator: Judgeable, task: JudgedByRules) {
    this.#simulator = simulator;
    this.#task = task;
  }

  async reset(episode: BaseEpisode, { seed }: Pick<ResetOptions, "seed">): Promise<SimulatorFrame> {
    const judge = new SuccessJudge(this.#task);
    this.#judge = judge;
    const { recordsFacts } = this.#simulator;
    const facts = recordsFacts ? judge.needs() : undefined;
    const frame = await this.#simulator.reset(episode, facts ? { seed, facts } : { seed });
    return judged(frame, judge);
  }

  /** Synchronous if the simulator's step is. */
  step(action: Action): MaybePromise<SimulatorFrame> {
    const judge = this.#judge;
    if (!judge) throw new Error("the simulator has no episode; call reset() first");
    const frame = this.#simulator.step(action);
    return "then" in frame ? frame.then((arrived) => judged(arrived, judge)) : judged(frame, judge);
  }
}

function judged(frame: SimulatorFrame, judge: SuccessJudge): SimulatorFrame {
  const { state, facts } = judge.update(frame);
  const { observation, timeS, inProgress } = frame;
  return {
    observation,
    state,
    facts,
    ...(timeS === undefined ? {} : { timeS }),
    ...(inProgress ? { inProgress } : {}),
  };
}
