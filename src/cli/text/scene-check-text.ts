import type { FolderCheck, SceneCheck } from "../../simulator/navigation/check-folder.js";
import { paint, printResult, table } from "../output.js";

const MEGABYTE = 1e6;

/** Prints what `scene --check` found. Returns whether a scene fails. */
export function tellCheck(folder: string, found: FolderCheck, json: boolean | undefined): boolean {
  const failed = found.scenes.filter(({ loads }) => !loads).length;
  const report = {
    folder,
    loaded: found.scenes.length - failed,
    failed,
    /** Node gives the peak of the whole process in kilobytes on every platform. */
    peak_memory_bytes: process.resourceUsage().maxRSS * 1024,
    ...found,
  };
  printResult(json, report, checkText);
  return failed > 0;
}

type Report = FolderCheck & {
  readonly loaded: number;
  readonly failed: number;
  readonly peak_memory_bytes: number;
};

export function checkText({ scenes, skipped, loaded, failed, ...report }: Report): string {
  const header = [
    ...["scene", "result", "triangles", "textures", "texture MB", "memory MB", "navmesh"],
    ...["islands", "floors", "m2", "s"],
  ];
  const notes = scenes.filter((scene) => scene.loads && scene.warnings.length > 0).length;
  const peak = Math.round(report.peak_memory_bytes / MEGABYTE);
  return [
    table(header, scenes.map(row)),
    `${loaded} of ${scenes.length} scenes load, ${failed} fail; peak memory ${peak} MB`,
    ...(notes > 0 ? [`${notes} have notes: see --json, or robot-eval scene <scene>`] : []),
    ...(skipped.length > 0
      ? [`${skipped.length} files are objects or parts of robots, not scenes`]
      : []),
    ...scenes.flatMap((scene) => (scene.loads ? [] : reason(scene))),
  ].join("\n");
}

function row(check: SceneCheck): string[] {
  const seconds = check.seconds.toFixed(1);
  if (!check.loads) {
    return [check.scene, check.code, ...Array.from({ length: 8 }, () => "–"), seconds];
  }
  return [
    check.scene,
    "loads",
    String(check.triangles),
    String(check.textures),
    (check.texture_bytes / MEGABYTE).toFixed(1),
    (check.memory_bytes / MEGABYTE).toFixed(1),
    check.navmesh,
    String(check.islands),
    String(check.floors),
    check.walkable_m2.toFixed(1),
    seconds,
  ];
}

function reason(check: SceneCheck & { readonly loads: false }): string[] {
  const { scene, code, message, where, hint } = check;
  return [
    paint("red", `${scene}: ${message} (${code})`),
    ...(where !== undefined && !where.endsWith(scene) ? [`  at ${where}`] : []),
    ...(hint !== undefined ? [`  ${hint}`] : []),
  ];
}
