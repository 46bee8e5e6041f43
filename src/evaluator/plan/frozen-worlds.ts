import { DataError } from "../../core/errors.js";
import type { ParityVerdict, UncheckedParity } from "../../core/interfaces/result.js";
import { versions } from "../../runs/directory/versions.js";
import { rememberedVerdict } from "../check/parity/verdicts.js";
import type { RunPlan, TaskPlan } from "./prepare.js";

type WorldVerdict = ParityVerdict | UncheckedParity;

/** What is known about the parity of the frozen worlds of a run, and what the user should know of it. */
export async function parityOf({ tasks, loaded }: RunPlan): Promise<{
  readonly verdicts: readonly WorldVerdict[];
  readonly warnings: readonly string[];
}> {
  const known = new Map<string, KnownWorld>();
  for (const task of tasks) {
    if (task.simulatorName !== "frozen") continue;
    for (const one of await knownWorldsOf(task)) known.set(one.verdict.world_sha256, one);
  }
  const all = [...known.values()];
  return {
    verdicts: all.map(({ verdict }) => verdict),
    warnings: all.flatMap(({ verdict, notes }) => [
      ...notes.map((note) => `${verdict.world}: ${note}`),
      ...warningsAbout(verdict, loaded.file),
    ]),
  };
}

interface KnownWorld {
  readonly verdict: WorldVerdict;
  readonly notes: readonly string[];
}

async function knownWorldsOf({
  task,
  episodes,
  simulatorConfig,
}: TaskPlan): Promise<readonly KnownWorld[]> {
  // Only runs of frozen worlds load it.
  const { readFrozenDescription } = await import("../../simulator/frozen/world-files.js");
  const engine = versions(simulatorConfig.engine).mujoco ?? "unknown";
  const found: KnownWorld[] = [];
  for (const id of new Set(episodes.map(({ sceneId }) => sceneId))) {
    try {
      const path = await task.scenes?.locate(id);
      if (path === undefined) continue;
      const { description, sha256 } = await readFrozenDescription(path);
      const { world, engine: frozen, notes } = description;
      const verdict = rememberedVerdict(sha256, engine) ?? {
        world,
        world_sha256: sha256,
        frozen_engine: frozen.version,
        engine,
        passed: null,
      };
      found.push({ verdict, notes });
    } catch (error) {
      // Its episodes are invalid and say why.
      if (!(error instanceof DataError)) throw error;
    }
  }
  return found;
}

function warningsAbout(verdict: WorldVerdict, file: string): readonly string[] {
  const { world, frozen_engine, engine, passed } = verdict;
  const other =
    frozen_engine === engine
      ? []
      : [
          `${world} was frozen with MuJoCo ${frozen_engine} and is played on ${engine}: contacts may differ, so results may not be those of the original`,
        ];
  if (passed === true) return other;
  const problem =
    passed === null
      ? `the parity of ${world} with its original was never checked on this machine`
      : `${world} does not agree with its original, as robot-eval parity found on this machine`;
  return [...other, `${problem}: robot-eval parity ${file}`];
}
