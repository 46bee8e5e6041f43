import type { RunInfo } from "../../../core/interfaces/result.js";
import { parseShard, selectItems } from "../../../dataset/select.js";
import { repeatsOf, stopsEarly } from "../../../runs/recorded/recorded-config.js";
import type { RunPlan } from "../../plan/prepare.js";
import type { Checked, EpisodeCount, Finding } from "./documents.js";
import { againstOwn } from "./own-data.js";
import { type LinesByTask, newTaskLines, readLines, type TaskLines } from "./read-lines.js";

/** A finding, and how many of the expected episodes the bundle has. */
export type DataFinding = Finding & { readonly episodes: EpisodeCount };

/**
 * Checks that the run has one line for each selected episode, and that these episodes have the digest recorded
 * at the start. The digest cannot be recomputed if some episodes have no trajectory.
 *
 * @param own the checker's plan: the run must have each of its episodes once, and no other
 */
export async function checkData(checked: Checked, own: RunPlan | undefined): Promise<DataFinding> {
  const { info } = checked;
  const { tasks, ...found } = await readLines(checked);
  const compared = own && againstOwn(own, info, tasks);
  const episodes = countOf(tasks, compared ? compared.expected : claimedBy(info));
  const failed = (text: string): DataFinding => ({ status: "failed", text, episodes });
  const problem = found.problem ?? (await strayFrom(info, tasks));
  if (problem !== undefined) return failed(problem);
  const wrong = [
    ...Object.entries(info.data ?? {}).flatMap(([task, data]) => {
      const lines = tasks.get(task);
      return problemOf(info, task, data.episodes, lines) ?? digestProblem(task, data, lines) ?? [];
    }),
    ...(compared?.problems ?? []),
  ];
  if (wrong.length > 0) return failed(wrong.join("; "));
  return { ...summary(info, episodes, compared?.missing), episodes };
}

/** A line whose episode belongs to another shard. */
async function strayFrom(info: RunInfo, tasks: LinesByTask) {
  const { shard } = info.selection;
  if (shard === undefined) return undefined;
  const keys = [...tasks.values()].flatMap(({ episodes }) => [...episodes.keys()]);
  const own = new Set<string>();
  const options = { key: (key: string) => key, shard: parseShard(shard, "run.json") };
  for await (const key of selectItems(keys, options)) own.add(key);
  const stray = keys.find((key) => !own.has(key));
  return stray === undefined ? undefined : `${stray} is not of shard ${shard}`;
}

/** A finished run has a line for every selected episode. */
function problemOf(
  info: RunInfo,
  task: string,
  episodes: number,
  lines: TaskLines = newTaskLines(),
): string | undefined {
  const [there, all] = [lines.lines.length, episodes * repeatsOf(info)];
  if (there > all) return `${task} has ${there} results, expected ${all}`;
  if (there === all || isPart(info)) return undefined;
  return `${task} has ${there} of ${all} results, but the run's status is done`;
}

function digestProblem(
  task: string,
  recorded: { readonly episodes: number; readonly sha256: string },
  lines: TaskLines | undefined,
): string | undefined {
  const now = lines?.digester.digest();
  if (now?.episodes !== recorded.episodes || now.sha256 === recorded.sha256) return undefined;
  return `the episodes of ${task} differ from those at the start of the run`;
}

function countOf(tasks: LinesByTask, of: number | null): EpisodeCount {
  const lines = [...tasks.values()].flatMap((lines) => lines.lines);
  const invalid = lines.filter(({ outcome }) => outcome === "invalid").length;
  return { judged: lines.length - invalid, invalid, of };
}

/** The number of results that the run claims; null if it records none. */
function claimedBy(info: RunInfo): number | null {
  const sets = Object.values(info.data ?? {});
  if (sets.length === 0) return null;
  return sets.reduce((sum, { episodes }) => sum + episodes, 0) * repeatsOf(info);
}

/** @param missing episodes of the checker's benchmark that the run lacks; undefined without one */
function summary(
  info: RunInfo,
  { judged, invalid, of }: EpisodeCount,
  missing: readonly string[] | undefined,
): Finding {
  const [first] = missing ?? [];
  const reasons = [
    ...(invalid > 0
      ? [`${invalid} ${invalid === 1 ? "is" : "are"} invalid, without a record`]
      : []),
    ...(first === undefined ? [] : [`missing: ${first}${more(missing?.length ?? 0)}`]),
    ...(judged + invalid === of ? [] : [whyPart(info)]),
  ];
  const chosen = selectionText(info);
  if (judged === of) {
    if (missing) return { status: "ok", text: `all ${of} episodes, each the one of your dataset` };
    if (chosen === undefined) return { status: "ok", text: `all ${of} episodes, unchanged` };
    const text = `all ${of} episodes that the run itself selected with ${chosen}`;
    return { status: "unknown", text: `${text}; --benchmark tells whether that is all` };
  }
  const counted = of === null ? `${judged} episodes` : `${judged} of ${of} episodes`;
  return { status: "partial", text: [counted, ...reasons].join("; ") };
}

function more(count: number): string {
  return count > 1 ? ` and ${count - 1} more` : "";
}

function selectionText({ selection }: RunInfo): string | undefined {
  const flags = Object.entries(selection).map(([name, value]) => `--${name} ${String(value)}`);
  return flags.length === 0 ? undefined : flags.join(" ");
}

function whyPart(info: RunInfo): string {
  const chosen = selectionText(info);
  if (chosen !== undefined) return `the run was made with ${chosen}`;
  if (info.merged)
    return "the run was merged from others and does not record its number of episodes";
  if (info.status !== "done") return `the run is not finished: its status is ${info.status}`;
  return info.duel ? "the run was stopped by a duel" : "the run records an early stop";
}

/** Whether the run may lack selected episodes. */
function isPart(info: RunInfo): boolean {
  return info.status !== "done" || info.selection.shard !== undefined || stopsEarly(info);
}
