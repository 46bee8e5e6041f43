import type { EpisodeDocument } from "../../../src/server/view/documents.js";

type Records = EpisodeDocument["records"];
type Values = readonly (number | null)[];

interface Series {
  readonly name: string;
  readonly values: Values;
}

/** One plot over the records of an episode. */
export interface PlotSpec {
  readonly id: string;
  /** The name in the records, shown if the page has no title for it. */
  readonly name: string;
  readonly unit: string;
  readonly series: readonly Series[];
  /** Values are constant until the next record. */
  readonly stepped: boolean;
  /** Axis labels; series values are indices into these. */
  readonly categories: readonly string[] | null;
  readonly threshold: number | null;
  /** Whether the condition holds at each record; these are shaded. */
  readonly holds: readonly boolean[] | null;
}

const PLAIN = { unit: "", stepped: false, categories: null, threshold: null, holds: null } as const;

/** Numbers that have their own plot, or are not useful as a curve. */
const KNOWN = new Set(["heading", "distance_to_goal", "gripper_state"]);
/** More lines in one plot would be indistinguishable; the rest is in the raw state. */
const MAX_LINES = 16;

/** The plots that an episode's records have data for. */
export function plotsOf({ records, episode, dimensions }: EpisodeDocument): PlotSpec[] {
  const radius = episode.goals.radius;
  return [
    ...actionPlots(records, dimensions.action),
    ...numberPlot(records, "distance_to_goal", "m", typeof radius === "number" ? radius : null),
    ...vectors("qpos", jointsOf(records), dimensions.qpos, false),
    ...numberPlot(records, "gripper_state", "", null),
    ...otherNumbers(records).flatMap((key) =>
      numberPlot(records, key, key.endsWith("_m") ? "m" : "", null),
    ),
  ];
}

export function conditionPlots(records: Records): PlotSpec[] {
  const names = new Set(
    records.flatMap(({ state }) => (state.conditions ?? []).map(({ name }) => name)),
  );
  return [...names].map((name) => {
    const found = records.map(({ state }) => state.conditions?.find((one) => one.name === name));
    const threshold = found.find((one) => one !== undefined)?.threshold;
    return {
      ...PLAIN,
      id: `condition-${name}`,
      name,
      series: [{ name, values: found.map((one) => finite(one?.value)) }],
      threshold: finite(threshold),
      holds: found.map((one) => one?.holds === true),
    };
  });
}

/** The records at which stages and success hold. */
export function bandsOf(records: Records): { name: string; holds: boolean[] }[] {
  const names = new Set(records.flatMap(({ state }) => Object.keys(state.stages ?? {})));
  const bands = [...names].map((name) => ({
    name,
    holds: records.map(({ state }) => state.stages?.[name] === true),
  }));
  const judged = records.some(({ state }) => typeof state.success === "boolean");
  if (judged)
    bands.push({ name: "success", holds: records.map(({ state }) => state.success === true) });
  return bands;
}

function actionPlots(records: Records, names: readonly string[]): PlotSpec[] {
  const actions = records.map(({ action }) => action);
  const words = actions.map((action) =>
    typeof action === "string" ? (action.split(":")[0] ?? action) : null,
  );
  const categories = [...new Set(words.filter((word) => word !== null))].sort();
  // Vector actions may include the named action stop.
  const named = words.filter((word) => word !== null).length;
  if (named > (actions.some(Array.isArray) ? actions.length / 2 : 0)) {
    const values = words.map((word) => (word === null ? null : categories.indexOf(word)));
    return [
      {
        ...PLAIN,
        id: "action",
        name: "action",
        stepped: true,
        categories,
        series: [{ name: "action", values }],
      },
    ];
  }
  const rows = actions.map((action) => (Array.isArray(action) ? (action as number[]) : null));
  return vectors("action", rows, names, true);
}

function jointsOf(records: Records) {
  return records.map(({ state }) => state.qpos ?? null);
}

/** @param names of the dimensions; those without a name are labelled by their index */
function vectors(
  id: string,
  rows: readonly (readonly number[] | null)[],
  names: readonly string[],
  stepped: boolean,
): PlotSpec[] {
  const width = Math.min(MAX_LINES, Math.max(0, ...rows.map((row) => row?.length ?? 0)));
  if (width === 0) return [];
  const series = Array.from({ length: width }, (_, k) => ({
    name: names[k] ?? String(k),
    values: rows.map((row) => finite(row?.[k])),
  }));
  return [{ ...PLAIN, id, name: id, stepped, series }];
}

function numberPlot(
  records: Records,
  key: string,
  unit: string,
  threshold: number | null,
): PlotSpec[] {
  const values = records.map(({ state }) => finite(state[key]));
  if (values.every((value) => value === null)) return [];
  return [{ ...PLAIN, id: key, name: key, unit, threshold, series: [{ name: key, values }] }];
}

function otherNumbers(records: Records): string[] {
  const keys = new Set(
    records.flatMap(({ state }) =>
      Object.entries(state).flatMap(([key, value]) => (typeof value === "number" ? [key] : [])),
    ),
  );
  return [...keys].filter((key) => !KNOWN.has(key));
}

function finite(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
