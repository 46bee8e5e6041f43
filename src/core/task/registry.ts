import type { ZodType } from "zod";
import { Registry } from "../registry.js";
import type { BaseTask, TaskClass, TaskConfig, TaskDeps } from "./base.js";

interface TaskEntry {
  readonly taskClass: TaskClass;
  readonly taskName: string;
}

/** Tasks by type. `register` works as a call and as a class decorator. */
export class TaskRegistry {
  readonly #tasks = new Registry<TaskEntry>("task");

  constructor(private readonly deps: TaskDeps = {}) {}

  /**
   * @example registry.register("vln", "Vision-Language Navigation")(VLNTask)
   */
  register(taskType: string, taskName?: string) {
    return <C extends TaskClass>(taskClass: C, _context?: ClassDecoratorContext<C>): C => {
      this.#tasks.register(taskType, { taskClass, taskName: taskName ?? taskClass.name });
      return taskClass;
    };
  }

  get(taskType: string): TaskClass;
  get(taskType: string, config: TaskConfig): BaseTask;
  get(taskType: string, config?: TaskConfig): TaskClass | BaseTask {
    const { taskClass } = this.#tasks.get(taskType);
    if (config === undefined) return taskClass;
    const task = new taskClass(config, this.deps);
    task.checkConfig();
    return task;
  }

  /** The schema of a task's config, built from the robots and metrics registered so far. */
  configSchema(taskType: string): ZodType | undefined {
    const { configSchema } = this.#tasks.get(taskType).taskClass;
    return typeof configSchema === "function" ? configSchema(this.deps) : configSchema;
  }

  /** The display name given at registration. */
  nameOf(taskType: string): string {
    return this.#tasks.get(taskType).taskName;
  }

  has(taskType: string): boolean {
    return this.#tasks.has(taskType);
  }

  list(): string[] {
    return this.#tasks.list();
  }
}
