import { resolve } from "node:path";
import { Command } from "commander";
import { createRegistries } from "../../registry/registries.js";
import { bundleRun } from "../../runs/bundle/bundle-run.js";
import type { BundleManifest } from "../../runs/bundle/manifest.js";
import { interruptible } from "../interrupt.js";
import { printJson, say } from "../output.js";

interface BundleFlags {
  readonly out?: string;
  readonly sign?: string;
  readonly scenes: boolean;
  readonly videos?: boolean;
  readonly json?: boolean;
}

export function bundleCommand(): Command {
  return new Command("bundle")
    .description("put a run and all that is needed to check it elsewhere into one file")
    .argument("<run>", "run directory")
    .option("--out <file>", "the file to be made (default: <run id>.bundle.tgz)")
    .option("--sign <key.pem>", "sign it with an Ed25519 private key")
    .option("--no-scenes", "leave out the scenes' files, where a licence forbids passing them on")
    .option("--videos", "put the rollouts' films in as well")
    .option("--json", "print the manifest as one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  robot-eval bundle runs/20260101T120000Z-vln-challenge-random --out result.bundle.tgz
  robot-eval bundle runs/20260101T120000Z-vln-challenge-random --sign key.pem --no-scenes`,
    )
    .action(bundle);
}

async function bundle(path: string, flags: BundleFlags): Promise<void> {
  const out = flags.out ?? `${resolve(path).split(/[\\/]/).at(-1)}.bundle.tgz`;
  const interrupt = interruptible("stopping");
  const manifest = await bundleRun({
    path,
    out,
    registries: createRegistries(),
    scenes: flags.scenes,
    videos: flags.videos ?? false,
    key: flags.sign,
    signal: interrupt.signal,
  }).finally(() => interrupt.release());
  if (flags.json) printJson(manifest);
  tellWhatLacks(manifest);
  const signed = flags.sign === undefined ? "" : ", signed";
  say(`${manifest.files.length} files${signed}: ${out}   check it: robot-eval verify ${out}`);
}

function tellWhatLacks({ scenes, plugins }: BundleManifest): void {
  const left = scenes.filter((scene) => scene.left_out !== undefined);
  const asked = left.filter((scene) => scene.left_out === "on request");
  if (asked.length > 0) {
    const scenes = asked.length === 1 ? "a scene" : `${asked.length} scenes`;
    say(`note: the files of ${scenes} are left out; whoever checks it needs them`);
  }
  for (const { task, scene_id, left_out } of left.filter((scene) => !asked.includes(scene))) {
    say(`note: ${task}, scene ${scene_id} is left out: ${left_out}`);
  }
  if (plugins.length > 0) {
    say(`note: plugins are not in it; whoever checks it needs ${plugins.join(", ")}`);
  }
}
