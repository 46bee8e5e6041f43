import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { cacheFolder, isPrivate } from "../../../config/cache-folder.js";
import { makeFolder } from "../../../config/output-path.js";
import type { ParityVerdict } from "../../../core/interfaces/result.js";
import { writeAtomic } from "../../../runs/directory/files.js";
import type { WorldParity } from "./documents.js";

/** Raised when parity is judged by other criteria, so that verdicts by the old ones no longer count. */
const FORMAT = "robot-eval-parity-verdict/3";

const verdictSchema = z.strictObject({
  format: z.literal(FORMAT),
  world: z.string(),
  world_sha256: z.string(),
  frozen_engine: z.string(),
  engine: z.string(),
  checked_at: z.string(),
  passed: z.boolean(),
  rollouts: z.number(),
  compared_steps: z.number(),
  chaotic_steps: z.number(),
  max_qpos_error: z.number().nullable(),
  success_agreement: z.number(),
});

/** Remembers the result of a parity check on this machine. Without a private cache folder, nothing is remembered. */
export async function rememberVerdict(parity: WorldParity, checkedAt: Date): Promise<void> {
  const { world, world_sha256, frozen_engine, engine } = parity;
  const { passed, rollouts, compared_steps, chaotic_steps } = parity;
  const { max_qpos_error, success_agreement } = parity;
  const verdict: ParityVerdict = {
    format: FORMAT,
    world,
    world_sha256,
    frozen_engine,
    engine,
    checked_at: checkedAt.toISOString(),
    passed,
    rollouts: rollouts.length,
    compared_steps,
    chaotic_steps,
    // JSON has no infinity.
    max_qpos_error: Number.isFinite(max_qpos_error) ? max_qpos_error : null,
    success_agreement,
  };
  const folder = cacheFolder("parity");
  try {
    makeFolder(folder, 0o700);
    if (!isPrivate(folder)) return;
    await writeAtomic(fileOf(world_sha256, engine), JSON.stringify(verdict));
  } catch {
    // `run` then says that parity was not checked.
  }
}

/** The remembered result of a world on a version of the engine; undefined if there is none. */
export function rememberedVerdict(worldSha256: string, engine: string): ParityVerdict | undefined {
  try {
    if (!isPrivate(cacheFolder("parity"))) return undefined;
    const raw: unknown = JSON.parse(readFileSync(fileOf(worldSha256, engine), "utf8"));
    const { data } = verdictSchema.safeParse(raw);
    return data?.world_sha256 === worldSha256 && data.engine === engine ? data : undefined;
  } catch {
    return undefined;
  }
}

function fileOf(worldSha256: string, engine: string): string {
  return join(cacheFolder("parity"), `${worldSha256}-mujoco-${engine}.json`);
}
