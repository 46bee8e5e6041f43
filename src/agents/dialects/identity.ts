import type { DialectName } from "../../api/dialects/dialect.js";
import { cleanIdentity, type PolicyIdentity } from "../../core/policy-identity.js";

/** Keys under which servers of the dialects name themselves; `model_server` is vla-eval's. */
const NAMES = ["name", "policy_name", "model_server", "model"];
const CHECKPOINTS = ["checkpoint", "checkpoint_dir", "checkpoint_path"];

/**
 * What a policy of another protocol declares about itself. Their metadata has no fixed keys; undefined if it has
 * neither a name nor a checkpoint.
 */
export function dialectIdentity(
  about: Readonly<Record<string, unknown>>,
  dialect: DialectName,
): PolicyIdentity | undefined {
  const text = (keys: readonly string[]) =>
    keys.map((key) => about[key]).find((value): value is string => typeof value === "string");
  const checkpoint = text(CHECKPOINTS);
  const name = text(NAMES) ?? (checkpoint === undefined ? undefined : dialect);
  if (name === undefined) return undefined;
  const used = new Set([...NAMES, ...CHECKPOINTS, "version"]);
  const metadata = Object.entries(about).filter(
    (entry): entry is [string, string | number | boolean] =>
      !used.has(entry[0]) && ["string", "number", "boolean"].includes(typeof entry[1]),
  );
  return cleanIdentity({
    name,
    version: text(["version"]),
    checkpoint,
    ...(metadata.length > 0 ? { metadata: Object.fromEntries(metadata) } : {}),
  });
}
