// A task and a metric. Only erasable TypeScript syntax is allowed: no enum, namespace or parameter properties.
import { BaseMetric, type MetricInfo, type Registries, type StepRecord, VLNTask } from "robot-eval";

/** Metres from the goal; R2R uses 3. `success_distance` in the benchmark overrides it. */
const SUCCESS_DISTANCE_M = 1;

/** Instruction following that must end close to the goal. */
class PreciseVlnTask extends VLNTask {
  constructor(...[config, deps]: ConstructorParameters<typeof VLNTask>) {
    super({ success_distance: SUCCESS_DISTANCE_M, ...config }, deps);
  }

  override get taskType(): string {
    return "precise_vln";
  }

  override get taskName(): string {
    return "Precise Instruction Following";
  }
}

/** The share of actions that turn on the spot instead of moving. */
class TurnShare extends BaseMetric {
  readonly info: MetricInfo = {
    name: "turn_share",
    summary: "Share of the actions that turn on the spot.",
    unit: "1",
    direction: "lower",
    range: [0, 1],
    kind: "mean",
    needs: { state: [] },
  };
  #turns = 0;
  #actions = 0;

  reset(): void {
    this.#turns = 0;
    this.#actions = 0;
  }

  /** Called with each record of an episode; the first has no action. */
  update({ action }: StepRecord): void {
    if (action === null) return;
    this.#actions++;
    if (action === "turn_left" || action === "turn_right") this.#turns++;
  }

  getMetric(): number {
    return this.#actions === 0 ? 0 : this.#turns / this.#actions;
  }
}

export default ({ tasks, metrics }: Registries): void => {
  tasks.register("precise_vln", "Precise Instruction Following")(PreciseVlnTask);
  metrics.register("turn_share")(TurnShare);
};
