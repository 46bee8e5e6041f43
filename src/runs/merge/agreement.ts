import { isDeepStrictEqual } from "node:util";
import { ConfigError, DataError, show } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { identityText, isSameIdentity } from "../../core/policy-identity.js";
import { configDifferences, isLocation } from "../compare/config-diff.js";
import type { Source } from "./source.js";

/** Number of differing keys shown with values; further ones are only named. */
const MOST_SHOWN = 5;

export interface AgreementOptions {
  readonly partial?: boolean | undefined;
  /** The name for a policy whose servers had different addresses. */
  readonly agent?: string | undefined;
}

/** Rejects runs that are not parts of one evaluation. */
export function checkAgreement(
  [first, ...others]: readonly Source[],
  options: AgreementOptions,
): void {
  if (!first) return;
  checkShards([first, ...others]);
  for (const other of others) {
    checkVersion(first, other);
    checkSeed(first, other);
    checkAgent(first, other, options.agent);
    checkPolicies(first, other);
    checkConfig(first, other);
    if (isSameSelection(first, other)) checkData(first, other);
    else if (!options.partial) throw otherSelections(first, other);
  }
  if (options.agent !== undefined && withoutAddress(first.info.agent) === first.info.agent) {
    throw new ConfigError("bad_agent", `the agent is ${first.info.agent}, not a policy server`, {
      where: "--agent",
      hint: "remove --agent: it is only for policies served at different addresses",
    });
  }
}

/** The selection without the shard. */
export function selectionOf({ selection }: RunInfo): RunInfo["selection"] {
  const { shard, ...rest } = selection;
  return rest;
}

export function isSameSelection(a: Source, b: Source): boolean {
  return isDeepStrictEqual(selectionOf(a.info), selectionOf(b.info));
}

function checkShards(sources: readonly Source[]): void {
  const seen = new Map<number, Source>();
  let count: number | undefined;
  for (const source of sources) {
    if (!source.shard) continue;
    const { index, count: own } = source.shard;
    count ??= own;
    if (own !== count) {
      throw new ConfigError(
        "other_shards",
        `${source.label} does not match parts of ${count}: episodes would be duplicated or missing`,
        { where: source.run.path, hint: "run all shards with the same number of parts" },
      );
    }
    const before = seen.get(index);
    if (before && isSameSelection(before, source)) {
      throw new ConfigError("same_shard", `${source.label} is given twice`, {
        where: `${before.run.path}, ${source.run.path}`,
        hint: "remove one of the two runs",
      });
    }
    seen.set(index, source);
  }
}

function checkVersion(a: Source, b: Source): void {
  const [then, now] = [a.info.versions.robot_eval, b.info.versions.robot_eval];
  if (then === now) return;
  throw new ConfigError(
    "other_version",
    `the runs were made with different versions of robot-eval, ${then} and ${now}`,
    {
      where: both(a, b),
      hint: "run all shards with the same version",
    },
  );
}

function checkSeed(a: Source, b: Source): void {
  if (a.info.seed === b.info.seed) return;
  throw new ConfigError("other_seed", `the seeds differ: ${a.info.seed} and ${b.info.seed}`, {
    where: both(a, b),
    hint: "run all shards with the same seed",
  });
}

function checkAgent(a: Source, b: Source, agentName: string | undefined): void {
  const [one, other] = [a.info.agent, b.info.agent];
  if (one === other) return;
  const moved = withoutAddress(one) === withoutAddress(other);
  if (moved && agentName !== undefined) return;
  throw new ConfigError("other_agent", `the agents differ: ${show(one)} and ${show(other)}`, {
    where: both(a, b),
    hint: moved
      ? "if these servers run the same policy, name it with --agent"
      : "run all shards with the same agent",
  });
}

/** Runs without declared policies are not checked: they were made before policies had names. */
function checkPolicies(a: Source, b: Source): void {
  for (const [task, policy] of Object.entries(a.info.policies ?? {})) {
    const other = b.info.policies?.[task];
    if (other === undefined || isSameIdentity(policy, other)) continue;
    throw new ConfigError(
      "other_policy",
      `the policies of ${task} differ: ${identityText(policy)} and ${identityText(other)}`,
      { where: both(a, b), hint: "run all shards with the same policy and checkpoint" },
    );
  }
}

/** Reduces `ws://gpu7:8000` to `ws://`, because the address of a server does not identify its policy. */
function withoutAddress(agent: string): string {
  return agent.replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^,]*/g, "$1");
}

function checkConfig(a: Source, b: Source): void {
  const differing = configDifferences(a.info.config, b.info.config).filter(
    ({ key }) => key !== "agent" && key !== "evaluation.seed" && !isLocation(key),
  );
  if (differing.length === 0) return;
  const shown = differing.slice(0, MOST_SHOWN);
  const texts = shown.map(({ key, a, b }) => `${key} (${show(a, 40)} and ${show(b, 40)})`);
  const more = differing.slice(MOST_SHOWN).map(({ key }) => key);
  throw new ConfigError("other_config", `the runs differ in ${[...texts, ...more].join(", ")}`, {
    where: both(a, b),
    hint: "run all shards with the same benchmark and --set options",
  });
}

function checkData(a: Source, b: Source): void {
  const [one, other] = [a.info.data ?? {}, b.info.data ?? {}];
  for (const task of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (one[task]?.sha256 === other[task]?.sha256) continue;
    const [n, m] = [one[task]?.episodes ?? 0, other[task]?.episodes ?? 0];
    const numbers = n === m ? `${n} each` : `${n} and ${m}`;
    throw new DataError(
      "other_data",
      `the runs took their shards of ${task} from different episodes (${numbers})`,
      {
        where: both(a, b),
        hint: "the dataset changed between the runs: run all shards on the same dataset",
      },
    );
  }
}

function otherSelections(a: Source, b: Source): ConfigError {
  return new ConfigError(
    "other_selection",
    `the runs have different selections, ${selectionText(a)} and ${selectionText(b)}, so completeness cannot be checked`,
    { where: both(a, b), hint: "add --partial to merge them anyway" },
  );
}

export function selectionText({ info }: Source): string {
  const parts = Object.entries(selectionOf(info)).map(([name, value]) => `--${name} ${value}`);
  return parts.length > 0 ? parts.join(" ") : "all episodes";
}

function both(a: Source, b: Source): string {
  return `${a.run.path}, ${b.run.path}`;
}
