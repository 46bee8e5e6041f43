import type { RunInfo } from "../../core/interfaces/result.js";
import { parseShard, selectItems } from "../../dataset/select.js";
import type { RunPlan } from "../prepare.js";
import type { Checked, Finding } from "./documents.js";
import { againstOwn } from "./own-data.js";
import {
  newTally,
  readLines,
  repeatsOf,
  stopsEarly,
  type Tallies,
  type Tally,
} from "./read-lines.js";

/**
 * That the run's lines are one for each episode that was selected, and that these episodes are those of the
 * digest that was made when the run began. Where some have no record the digest cannot be made again.
 *
 * @param own the plan of whoever checks: the episodes must be among its own
 */
export async function checkData(checked: Checked, own: RunPlan | undefined): Promise<Finding> {
  const { info } = checked;
  const { tasks, ...found } = await readLines(checked);
  const problem = found.problem ?? (await strayFrom(info, tasks));
  if (problem !== undefined) return { status: "failed", text: problem };
  const wrong = [
    ...Object.entries(info.data ?? {}).flatMap(([task, data]) => {
      const tally = tasks.get(task);
      return problemOf(info, task, data.episodes, tally) ?? digestProblem(task, data, tally) ?? [];
    }),
    ...(own ? againstOwn(own, info, tasks) : []),
  ];
  if (wrong.length > 0) return { status: "failed", text: wrong.join("; ") };
  return summary(info, tasks, own !== undefined);
}

/** Lines of episodes that another shard has. */
async function strayFrom(info: RunInfo, tasks: Tallies) {
  const { shard } = info.selection;
  if (shard === undefined) return undefined;
  const keys = [...tasks.values()].flatMap(({ episodes }) => [...episodes.keys()]);
  const own = new Set<string>();
  const options = { key: (key: string) => key, shard: parseShard(shard, "run.json") };
  for await (const key of selectItems(keys, options)) own.add(key);
  const stray = keys.find((key) => !own.has(key));
  return stray === undefined ? undefined : `${stray} is not of shard ${shard}`;
}

/** A run that came to its end has a line for everything that was selected. */
function problemOf(
  info: RunInfo,
  task: string,
  episodes: number,
  tally: Tally = newTally(),
): string | undefined {
  const [there, all] = [tally.lines, episodes * repeatsOf(info)];
  if (there > all) return `${task} has ${there} results, and ${all} were to be`;
  if (there === all || isPart(info)) return undefined;
  return `${task} has ${there} of ${all} results, and the run says that it is done`;
}

function digestProblem(
  task: string,
  recorded: { readonly episodes: number; readonly sha256: string },
  tally: Tally | undefined,
): string | undefined {
  const now = tally?.digester.digest();
  if (now?.episodes !== recorded.episodes || now.sha256 === recorded.sha256) return undefined;
  return `the episodes of ${task} are not those that the run was begun with`;
}

function summary(info: RunInfo, tasks: Tallies, isOwn: boolean): Finding {
  const counts = [...tasks].map(([task, { episodes }]) => {
    const sums = [...episodes.values()];
    const recorded = sums.filter((sum) => sum !== undefined).length;
    return { recorded, listed: sums.length, all: info.data?.[task]?.episodes ?? Number.NaN };
  });
  const sum = (pick: (one: (typeof counts)[number]) => number) =>
    counts.reduce((total, one) => total + pick(one), 0);
  const [recorded, listed, all] = [
    sum((one) => one.recorded),
    sum((one) => one.listed),
    sum((one) => one.all),
  ];
  const invalid =
    recorded < listed ? [`${listed - recorded} have no record, since they are invalid`] : [];
  if (isOwn) {
    const own = `${recorded} episodes, each the one of your dataset`;
    return { status: "ok", text: [own, ...invalid].join("; ") };
  }
  if (recorded === all) return { status: "ok", text: `all ${all} episodes, unchanged` };
  const why = [...(listed < all ? [whyPart(info)] : []), ...invalid];
  const of = Number.isNaN(all) ? "" : ` of ${all}`;
  return {
    status: "unknown",
    text: [`${recorded}${of} episodes are recorded`, ...why, "--benchmark tells more"].join("; "),
  };
}

function whyPart({ selection, status }: RunInfo): string {
  if (selection.shard !== undefined) return `it is shard ${selection.shard}`;
  return status === "done" ? "it stopped early" : `the run was not finished, it is ${status}`;
}

/** Not all that was selected need be there. */
function isPart(info: RunInfo): boolean {
  return info.status !== "done" || info.selection.shard !== undefined || stopsEarly(info);
}
