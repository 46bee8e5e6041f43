import { StopRunError } from "./errors.js";
import { cleanText } from "./text.js";

/** What a policy declares about itself in the handshake. Foreign text: see `cleanIdentity`. */
export interface PolicyIdentity {
  readonly name: string;
  readonly version?: string | undefined;
  /** Which weights it runs; two checkpoints of one policy differ only here. */
  readonly checkpoint?: string | undefined;
  readonly metadata?: PolicyMetadata | undefined;
}

type PolicyMetadata = Readonly<Record<string, string | number | boolean>>;

/** The declared policies of a run, by task. Tasks whose agent declares nothing are absent. */
export type PolicyIdentities = Readonly<Record<string, PolicyIdentity>>;

/** Maximum lengths, in UTF-16 units. A checkpoint is often a path, which differs at its end. */
const MOST_NAME = 100;
const MOST_CHECKPOINT = 500;
const MOST_VALUE = 500;
const MOST_ENTRIES = 32;

/** Truncates what a policy declared and removes control characters, so that it can be stored and shown. */
export function cleanIdentity({
  name,
  version,
  checkpoint,
  metadata,
}: PolicyIdentity): PolicyIdentity {
  return {
    name: cleanText(name, MOST_NAME),
    ...(version === undefined ? {} : { version: cleanText(version, MOST_NAME) }),
    ...(checkpoint === undefined ? {} : { checkpoint: cleanText(checkpoint, MOST_CHECKPOINT) }),
    ...(metadata === undefined ? {} : { metadata: cleanMetadata(metadata) }),
  };
}

function cleanMetadata(metadata: PolicyMetadata): PolicyMetadata {
  return Object.fromEntries(
    Object.entries(metadata)
      .slice(0, MOST_ENTRIES)
      .map(([key, value]) => [
        cleanText(key, MOST_NAME),
        typeof value === "string" ? cleanText(value, MOST_VALUE) : value,
      ]),
  );
}

/** True if both are the same policy with the same weights. Metadata may differ, such as the host's name. */
export function isSameIdentity(
  a: PolicyIdentity | undefined,
  b: PolicyIdentity | undefined,
): boolean {
  return a?.name === b?.name && a?.version === b?.version && a?.checkpoint === b?.checkpoint;
}

/**
 * Rejects other policies than those that the run began with, after a resumption or in another thread. A task without
 * a recorded policy is not checked: its run was made before policies had names.
 */
export function checkSamePolicies(
  policies: PolicyIdentities,
  first: PolicyIdentities = {},
  where: string,
): void {
  for (const [task, policy] of Object.entries(first)) {
    if (!isSameIdentity(policies[task], policy)) throw otherPolicy(policies[task], policy, where);
  }
}

export function otherPolicy(
  found: PolicyIdentity | undefined,
  first: PolicyIdentity | undefined,
  where: string,
): StopRunError {
  const text = (policy: PolicyIdentity | undefined) =>
    policy === undefined ? "a policy that declares no name" : identityText(policy);
  return new StopRunError(
    "other_policy",
    `this is ${text(found)}, but the run began with ${text(first)}`,
    {
      where,
      hint: "serve the same name, version and checkpoint at every address during the whole run, or start a new run",
    },
  );
}

/** `openvla 7b, checkpoint step-2000` */
export function identityText({ name, version, checkpoint }: PolicyIdentity): string {
  const versioned = version === undefined ? name : `${name} ${version}`;
  return checkpoint === undefined ? versioned : `${versioned}, checkpoint ${checkpoint}`;
}

/** The declared policies in one line; undefined if there are none. Names of tasks only where policies differ. */
export function policiesText(policies: PolicyIdentities | undefined): string | undefined {
  const entries = Object.entries(policies ?? {});
  const texts = new Set(entries.map(([, identity]) => identityText(identity)));
  if (texts.size <= 1) return [...texts][0];
  return entries.map(([task, identity]) => `${task}: ${identityText(identity)}`).join("; ");
}

/** What acts in a run, for people: the declared policies and how they were reached. */
export function agentText({
  agent,
  policies,
}: {
  readonly agent: string;
  readonly policies?: PolicyIdentities | undefined;
}): string {
  const declared = policiesText(policies);
  return declared === undefined ? agent : `${declared} (${agent})`;
}
