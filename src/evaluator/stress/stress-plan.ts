import type { LoadedConfig } from "../../config/load.js";
import { ConfigError, show } from "../../core/errors.js";
import type { PerturbationAxis } from "../../core/perturbation/axis.js";
import { loadPlugins } from "../../registry/plugins.js";
import type { Registries } from "../../registry/registries.js";
import { at } from "../../registry/resolved-task.js";
import type { StressAxis, StressLevel } from "../../runs/stress/documents.js";
import { missingFor } from "../plan/perturbation.js";
import { resolveTasks, type TaskSetup } from "../plan/resolve-tasks.js";

/** What a stress test perturbs. */
export interface StressSelection {
  /** Names of axes. Default: all that a task of the benchmark offers. */
  readonly axes?: readonly string[] | undefined;
  /** Default: all levels of each axis. */
  readonly levels?: readonly number[] | undefined;
  /** Settings by axis. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

export interface StressPlan {
  readonly axes: readonly StressAxis[];
  /** SPEC of the agents that decide whether a perturbed episode can be solved. */
  readonly expert: string;
}

/** Resolves the axes of a stress test. @throws ConfigError before anything is written */
export async function planStress(
  loaded: LoadedConfig,
  registries: Registries,
  selection: StressSelection,
): Promise<StressPlan> {
  rejectPerturbed(loaded);
  await loadPlugins(loaded, registries);
  const setups = resolveTasks(loaded, registries);
  const { axes: names, levels } = selection;
  checkLevels(levels);
  rejectUnused(selection, names ?? registries.axes.list());
  const axes = [...new Set(names ?? registries.axes.list())].flatMap((name) => {
    const axis = at("--axis", () => registries.axes.get(name));
    const skipped = setups.flatMap((setup) => {
      const reason = missingFor(axis, setup, loaded);
      return reason === undefined ? [] : [{ task: setup.task.name, reason }];
    });
    if (skipped.length === setups.length) {
      if (names === undefined) return [];
      throw notOffered(name, skipped);
    }
    const chosen = chooseLevels(name, axis, levels, names !== undefined);
    if (chosen.length === 0) return [];
    const settings = selection.settings?.[name] ?? {};
    return [draftOf(name, axis, chosen, settings, skipped)];
  });
  return { axes, expert: expertFor(setups) };
}

function rejectPerturbed(loaded: LoadedConfig): void {
  if (!loaded.config.evaluation.perturbation) return;
  throw new ConfigError("perturbed", "the benchmark is perturbed already", {
    where: loaded.locate(["evaluation", "perturbation"]),
    hint: "remove evaluation.perturbation: stress compares with unperturbed episodes",
  });
}

function checkLevels(levels: readonly number[] = []): void {
  for (const level of levels) {
    if (Number.isInteger(level) && level >= 1 && level <= 3) continue;
    throw new ConfigError("bad_level", `there is no level ${show(level)}`, {
      where: "--levels",
      hint: "levels are 1, 2 and 3; unperturbed episodes always run",
    });
  }
}

/** Rejects settings of an axis that does not run. */
function rejectUnused({ settings = {} }: StressSelection, names: readonly string[]): void {
  const unused = Object.keys(settings).find((name) => !names.includes(name));
  if (unused === undefined) return;
  throw new ConfigError("unused_settings", `there are settings for ${unused}, which does not run`, {
    hint: `add --axis ${unused}`,
  });
}

function notOffered(
  name: string,
  skipped: readonly { readonly task: string; readonly reason: string }[],
): ConfigError {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  return new ConfigError(
    "axis_not_offered",
    `the axis ${name} cannot be used here: ${reasons.join("; ")}`,
    { where: "--axis", hint: "without --axis, all axes run that the benchmark offers" },
  );
}

function chooseLevels(
  name: string,
  { levels }: PerturbationAxis,
  asked: readonly number[] | undefined,
  isNamed: boolean,
): number[] {
  const own = levels.map((_, i) => i + 1);
  if (!asked) return own;
  const chosen = own.filter((level) => asked.includes(level));
  if (chosen.length > 0 || !isNamed) return chosen;
  throw new ConfigError("bad_level", `the axis ${name} has no level ${asked.join(", ")}`, {
    where: "--levels",
    hint: own.length === 1 ? "it has level 1 only" : `it has levels 1 to ${own.length}`,
  });
}

function draftOf(
  name: string,
  axis: PerturbationAxis,
  levels: readonly number[],
  settings: StressAxis["settings"],
  skipped: StressAxis["skipped_tasks"],
): StressAxis {
  const { description, kind, parameter, unit, neutral, needsExpert = false } = axis;
  return {
    ...{ axis: name, description, kind, parameter, unit, neutral, settings },
    skipped_tasks: skipped,
    levels: levels.map((level): StressLevel => {
      const run = `${name}-${level}`;
      return {
        ...{ level, value: axis.levels[level - 1] ?? neutral, run, status: "waiting" },
        expert_run: needsExpert ? `${run}-expert` : null,
        ...{ n: 0, baseline: null, success: null, difference: null, ci95: null, ci_method: "none" },
        ...{ test: null, p: null, lost: 0, gained: 0, unsolvable: 0, invalid: 0 },
        ...{ stopped_early: null, p_holm: null, significant: false, per_task: {} },
      };
    }),
    break_point: { state: "unknown", value: null, level: null, ci95: null },
    telling_episodes: [],
  };
}

function expertFor(setups: readonly TaskSetup[]): string {
  return setups
    .map(({ task }) => {
      const expert = task.instance.family === "manipulation" ? "expert" : "shortest-path";
      return `${task.name}=${expert}`;
    })
    .join(",");
}
