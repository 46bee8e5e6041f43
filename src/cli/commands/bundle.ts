import { resolve } from "node:path";
import { createRegistries } from "../../registry/registries.js";
import { bundleRun } from "../../runs/bundle/bundle-run.js";
import type { BundleManifest } from "../../runs/bundle/manifest.js";
import { CliCommand } from "../cli-command.js";
import { withInterrupt } from "../interrupt.js";
import { printJson, say } from "../output.js";
import { permissionOptions } from "../permission-options.js";

interface BundleFlags {
  readonly out?: string;
  readonly sign?: string;
  /** A folder; false with --no-scenes, true if neither is given. */
  readonly scenes: string | boolean;
  readonly connectivity?: string;
  readonly plugin?: readonly string[];
  readonly videos?: boolean;
  readonly json?: boolean;
}

export function bundleCommand(): CliCommand {
  return new CliCommand("bundle")
    .argument("<run>", "run directory")
    .output("--out <file>", "the file to write (default: <run id>.bundle.tgz)", "file")
    .option("--sign <key.pem>", "sign it with an Ed25519 private key")
    .option(
      "--no-scenes",
      "leave out the scenes' files, for example if their licence forbids redistribution",
    )
    .option("--videos", "include the rollout videos")
    .option("--json", "print the manifest as one JSON document")
    .with(permissionOptions("scenes", "connectivity", "plugin"))
    .remarks(`
Examples:
  robot-eval bundle runs/20260101T120000Z-vln-challenge-random --out result.bundle.tgz
  robot-eval bundle runs/20260101T120000Z-vln-challenge-random --sign key.pem --no-scenes`)
    .action(bundle);
}

async function bundle(path: string, flags: BundleFlags): Promise<void> {
  const out = flags.out ?? `${resolve(path).split(/[\\/]/).at(-1)}.bundle.tgz`;
  const manifest = await withInterrupt("stopping", (signal) =>
    bundleRun({
      ...{ path, out, signal, key: flags.sign, videos: flags.videos ?? false },
      registries: createRegistries(),
      scenes: flags.scenes !== false,
      permissions: {
        scenes: typeof flags.scenes === "string" ? flags.scenes : undefined,
        connectivity: flags.connectivity,
        plugins: flags.plugin,
      },
    }),
  );
  if (flags.json) printJson(manifest);
  tellOmissions(manifest);
  const signed = flags.sign === undefined ? "" : ", signed";
  say(`${manifest.files.length} files${signed}: ${out}   check it: robot-eval verify ${out}`);
}

function tellOmissions({ scenes, plugins }: BundleManifest): void {
  const left = scenes.filter((scene) => scene.left_out !== undefined);
  const asked = left.filter((scene) => scene.left_out === "on request");
  if (asked.length > 0) {
    const scenes = asked.length === 1 ? "a scene" : `${asked.length} scenes`;
    say(`note: the files of ${scenes} are left out; they are needed to verify the bundle`);
  }
  for (const { task, scene_id, left_out } of left.filter((scene) => !asked.includes(scene))) {
    say(`note: ${task}, scene ${scene_id} is left out: ${left_out}`);
  }
  if (plugins.length > 0) {
    say(`note: plugins are not included; ${plugins.join(", ")} is needed to verify the bundle`);
  }
}
