import { describe, expect, it } from "vitest";
import {
  ActionSpace,
  BaseTask,
  getTask,
  listTasks,
  PickAndPlaceTask,
  registerTask,
  SensorSuite,
  VLNTask,
} from "../../src/index.js";

// The design's unit tests, chapters 14.1 and 11.1 (second), in their order. Its example tasks omit the
// abstract members, which TypeScript rejects; this base class has them.
abstract class ExampleTask extends BaseTask {
  override get taskName(): string {
    return "Test";
  }
  override get actionSpace(): ActionSpace {
    return new ActionSpace({ name: "discrete", actions: ["stop"] });
  }
  override get sensorSuite(): SensorSuite {
    return new SensorSuite({ sensors: {} });
  }
  override get primaryMetric(): string {
    return "success";
  }
  override checkEpisodeComplete(): boolean {
    return false;
  }
}

describe("test_task_registration", () => {
  it("TaskRegistry registers a task by decorator, lists its type and creates an instance", () => {
    @registerTask("test_task")
    class TestTask extends ExampleTask {
      override get taskType(): string {
        return "test_task";
      }
    }
    expect(listTasks()).toContain("test_task");
    const task = getTask("test_task", {});
    expect(task).toBeInstanceOf(TestTask);
    expect(task.taskType).toBe("test_task");
  });

  it("TaskRegistry returns the class when no config is given", () => {
    @registerTask("test_task_class")
    class TestTask extends ExampleTask {
      override get taskType(): string {
        return "test_task_class";
      }
    }
    expect(getTask("test_task_class")).toBe(TestTask);
  });

  it("TaskRegistry registers a task by a call, as the design does with its own tasks", () => {
    class CalledTask extends ExampleTask {
      override get taskType(): string {
        return "called_task";
      }
    }
    expect(registerTask("called_task", "Called")(CalledTask)).toBe(CalledTask);
    expect(getTask("called_task")).toBe(CalledTask);
  });

  it("TaskRegistry rejects an unregistered task type", () => {
    expect(() => getTask("no_such_task")).toThrow('unknown task "no_such_task"');
  });
});

describe("test_vln_task_compatibility", () => {
  it("VLNTask is of type vln and can move forward", () => {
    const task = new VLNTask({});
    expect(task.taskType).toBe("vln");
    expect(task.actionSpace.actions).toContain("move_forward");
  });
});

describe("test_manipulation_task_creation", () => {
  it("PickAndPlaceTask is of type pick_place with a hybrid action space", () => {
    const task = new PickAndPlaceTask({ dof: 7 });
    expect(task.taskType).toBe("pick_place");
    expect(task.actionSpace.name).toBe("hybrid");
    expect(task.actionSpace.actions).toEqual(["stop"]);
    expect(task.actionSpace.shape).toEqual([7]);
  });
});
