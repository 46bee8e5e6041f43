import { z } from "zod";
import { benchmarkIndex } from "../config/benchmark-index.js";
import { findBenchmark } from "../config/named.js";
import { PROFILES } from "../core/profiles.js";
import type { Registries } from "../registry/registries.js";
import { type RobotDescriptor, robotFileOf } from "../robots/descriptor.js";

/** A named entry, as shown by `list` and `describe`. */
interface CatalogEntry {
  readonly name: string;
  readonly summary: string;
  /** All other fields, in display order. */
  readonly details: () => Readonly<Record<string, unknown>>;
}

type Catalog = (registries: Registries) => readonly CatalogEntry[];

/** What can be listed. Add a line to add a kind. */
export const CATALOGS: Readonly<Record<string, Catalog>> = {
  benchmarks: () =>
    benchmarkIndex().map(({ name, title, ...details }) => ({
      name,
      summary: title,
      details: () => ({ ...details, file: findBenchmark(name).file }),
    })),
  tasks: ({ tasks }) =>
    tasks.list().map((name) => {
      const task = tasks.get(name, {});
      return {
        name,
        summary: tasks.nameOf(name),
        details: () => ({
          family: task.family,
          action_space: { ...task.actionSpace },
          sensors: task.sensorSuite.sensors,
          metrics: task.defaultMetrics,
          primary_metric: task.primaryMetric,
        }),
      };
    }),
  metrics: ({ metrics }) =>
    metrics.list().map((name) => {
      const { info } = metrics.get(name, {});
      return { name, summary: info.summary, details: () => ({ ...info }) };
    }),
  simulators: ({ simulators }) =>
    [...simulators.entries()].map(([name, { description, families, sensors }]) => ({
      name,
      summary: description,
      details: () => ({ families, sensors }),
    })),
  agents: ({ agents }) =>
    [...agents.entries()].map(([name, { description, argument, privileged }]) => ({
      name: argument === undefined ? name : `${name}:${argument}`,
      summary: description,
      details: () => ({ privileged: privileged === true }),
    })),
  robots: ({ robots }) =>
    [...robots.entries()].map(([name, robot]) => ({
      name,
      summary: robot.description,
      details: () => ({
        dof: robot.dofs.length,
        dofs: robot.dofs,
        joints: robot.joints,
        ...modelOf(robot),
        body: bodyOf(robot),
      }),
    })),
  predicates: ({ predicates }) =>
    [...predicates.entries()].map(([name, { summary, params }]) => ({
      name,
      summary,
      details: () => ({
        parameters: z.toJSONSchema(params, { io: "input", unrepresentable: "any" }),
      }),
    })),
  presets: ({ presets }) =>
    [...presets.entries()].map(([name, { summary, stages }]) => ({
      name,
      summary,
      details: () => ({ stages }),
    })),
  axes: ({ axes }) =>
    [...axes.entries()].map(([name, { description, kind, parameter, unit, neutral, levels }]) => ({
      name,
      summary: description,
      details: () => ({ kind, parameter, unit, neutral, levels }),
    })),
  formats: ({ formats }) =>
    [...formats.entries()].map(([name, format]) => ({
      name,
      summary: format.description,
      details: () => ({
        task_types: format.taskTypes,
        profile: format.profile,
        submissions: format.submission !== undefined,
      }),
    })),
  results: ({ results }) =>
    [...results.entries()].map(([name, { description }]) => ({
      name,
      summary: description,
      details: () => ({}),
    })),
  profiles: () =>
    Object.values(PROFILES).map(({ name, description, ...rules }) => ({
      name,
      summary: description,
      details: () => rules,
    })),
};

/** What a policy's author needs to know about a robot besides its joints; empty for one without a body model. */
function modelOf({ model, dofs, gripperDof }: RobotDescriptor): Readonly<Record<string, unknown>> {
  if (!model) return {};
  const { gripper } = model;
  return {
    home: model.home,
    end_effector: model.endEffectorSite,
    gripper:
      gripper && gripperDof !== undefined
        ? {
            dof: dofs[gripperDof]?.name,
            open: gripper.open,
            closed: gripper.closed,
            opening_m: gripper.openingM,
          }
        : "none",
    ...(model.drives ? { drives: model.drives } : {}),
    cameras: model.cameras ?? {},
  };
}

/** Source of a robot's body model. */
function bodyOf(robot: RobotDescriptor): string {
  const file = robotFileOf(robot);
  if (file !== undefined) return String(file);
  if (!robot.model) return "none: known by name";
  return robot.model.mjcf ? "its own" : "the scene's";
}
