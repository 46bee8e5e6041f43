import type { TaskRegistry } from "../core/task/registry.js";
import { ExternalTask } from "../tasks/external/task.js";
import { ImageNavTask } from "../tasks/image-nav/task.js";
import { OpeningTask } from "../tasks/manipulation/opening.js";
import { PickAndPlaceTask } from "../tasks/manipulation/pick-place.js";
import { StackingTask } from "../tasks/manipulation/stacking.js";
import { ManipulationTask } from "../tasks/manipulation/task.js";
import { ObjectNavTask } from "../tasks/objectnav/task.js";
import { RearrangeTask } from "../tasks/rearrange/task.js";
import { VLNTask } from "../tasks/vln/task.js";

export function registerTasks(tasks: TaskRegistry): void {
  tasks.register("vln", "Vision-Language Navigation")(VLNTask);
  tasks.register("objectnav", "Object-Goal Navigation")(ObjectNavTask);
  tasks.register("image_nav", "Image-Goal Navigation")(ImageNavTask);
  tasks.register("manipulation", "Robotic Manipulation")(ManipulationTask);
  tasks.register("pick_place", "Pick and Place")(PickAndPlaceTask);
  tasks.register("stacking", "Stacking")(StackingTask);
  tasks.register("opening", "Opening")(OpeningTask);
  tasks.register("rearrange", "Rearrangement")(RearrangeTask);
  tasks.register("external", "Task of a Simulator")(ExternalTask);
}
