import { join } from "node:path";
import type { StressReport } from "./documents.js";
import { isStressFolder, readStress } from "./read-stress.js";

/** The run that a report is about: the run itself, or the baseline of a stress test. */
export async function reportedRun(
  path: string,
): Promise<{ readonly run: string; readonly stress?: StressReport }> {
  if (!(await isStressFolder(path))) return { run: path };
  const stress = await readStress(path);
  return { run: join(path, stress.baseline.run), stress };
}
