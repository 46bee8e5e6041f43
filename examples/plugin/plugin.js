// A plugin is a module whose default export receives the registries and adds to them. This one adds a task
// (go to given coordinates) and a metric (the number of turns).
import { BaseMetric, NavigationTask, SensorSuite, VLNTask } from "robot-eval";

/** Point-goal navigation: the policy receives the goal's coordinates instead of an instruction. */
class PointNavTask extends NavigationTask {
  // The settings of any navigation task. With a schema, a misspelt key is reported with its line.
  static configSchema = VLNTask.configSchema;

  get taskType() {
    return "point_nav";
  }

  get taskName() {
    return "Point-Goal Navigation";
  }

  get defaultActions() {
    return ["stop", "move_forward", "turn_left", "turn_right"];
  }

  get sensorSuite() {
    return new SensorSuite({ sensors: { gps: { dim: 3 }, compass: { dim: 1 } } });
  }
}

/** The number of turn actions. Metrics receive only step records. */
class TurnsTaken extends BaseMetric {
  info = {
    name: "turns_taken",
    summary: "Number of turn actions.",
    unit: "1",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: [] },
  };

  #turns = 0;

  reset() {
    this.#turns = 0;
  }

  update({ action }) {
    if (action === "turn_left" || action === "turn_right") this.#turns++;
  }

  getMetric() {
    return this.#turns;
  }
}

export default function register({ tasks, metrics }) {
  tasks.register("point_nav", "Point-Goal Navigation")(PointNavTask);
  metrics.register("turns_taken")(TurnsTaken);
}
