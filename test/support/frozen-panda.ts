import { createHash } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { OriginalFrame } from "../../src/simulator/frozen/frames.js";
import type { OriginalRecord } from "../../src/simulator/frozen/rollouts.js";
import { temporaryFolder } from "./cli.js";

/*
 * Our Panda and a cube, recorded by MuJoCo 3.14.0 for Python and a controller of OSC_POSE that shares no code with ours:
 * python/tests/freeze/panda.py. Rollout 0 is random; rollout 1 grasps the cube and lifts it.
 */
export const PANDA = fileURLToPath(new URL("../golden/frozen-panda", import.meta.url));

export interface WritableRecord extends OriginalRecord {
  readonly rollouts: Writable<OriginalRecord["rollouts"][number]>[];
}
type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface PandaChanges {
  readonly record?: (record: WritableRecord) => unknown;
  /** Receives and returns the description as JSON without spaces; checksums of the record and the model are updated later. */
  readonly description?: (text: string) => string;
  readonly model?: (text: string) => string;
}

/** A copy of the world with changes and matching checksums; returns its benchmark. */
export function changedPanda({
  record = () => {},
  description = (same) => same,
  model = (same) => same,
}: PandaChanges): string {
  const folder = join(temporaryFolder(), "frozen-panda");
  cpSync(PANDA, folder, { recursive: true });
  const at = (name: string) => join(folder, "frozen-panda.worlds", `Panda.${name}`);
  const rollouts: WritableRecord = JSON.parse(
    gunzipSync(readFileSync(at("parity.json.gz"))).toString(),
  );
  record(rollouts);
  const packed = gzipSync(JSON.stringify(rollouts));
  writeFileSync(at("parity.json.gz"), packed);
  const text = model(readFileSync(at("xml"), "utf8"));
  writeFileSync(at("xml"), text);
  const before = JSON.parse(readFileSync(at("world.json"), "utf8"));
  before.frames = before.frames.filter((frame: OriginalFrame) => isOf(rollouts, frame));
  const described = JSON.parse(description(JSON.stringify(before)));
  described.parity.sha256 = hash(packed);
  described.model.sha256 = hash(text);
  writeFileSync(at("world.json"), JSON.stringify(described));
  return join(folder, "benchmark.yaml");
}

/** Whether the record still has the state that a frame shows. */
function isOf({ rollouts }: OriginalRecord, { episode_id, step }: OriginalFrame): boolean {
  return rollouts.some((one) => one.episode_id === episode_id && step <= one.actions.length);
}

/** Leaves the first steps of one rollout, which suffice for most differences. */
export function shorten(
  record: WritableRecord,
  rollout: number,
  steps: number,
): WritableRecord["rollouts"][number] {
  const one = record.rollouts[rollout];
  if (!one) throw new Error(`no rollout ${rollout}`);
  one.actions = one.actions.slice(0, steps);
  one.qpos = one.qpos.slice(0, steps + 1);
  one.ee_pos = one.ee_pos.slice(0, steps + 1);
  one.success = one.success.slice(0, steps + 1);
  if (one.observations) one.observations = one.observations.slice(0, steps + 1);
  record.rollouts.splice(0, Number.POSITIVE_INFINITY, one);
  return one;
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
