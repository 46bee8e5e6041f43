import { existsSync } from "node:fs";
import { isRecord } from "../../core/record.js";
import { readJsonLines } from "../directory/json-lines.js";
import type { RunWriter } from "../directory/run-writer.js";
import { SetAside } from "../directory/set-aside.js";
import type { Source } from "./source.js";

/**
 * Copies lines that a run has set aside. All of them were retried: the other reason is an early stop, and
 * such runs are not merged. Their trajectory files no longer exist.
 */
export async function carrySetAside({ run }: Source, writer: RunWriter): Promise<void> {
  for await (const line of new SetAside(run.path).read()) {
    await writer.setAside.add({ ...line, trajectory: null }, "tried_again");
  }
}

/** Copies log entries about faults, each with the id of its run. */
export async function carryFaults({ run, info }: Source, writer: RunWriter): Promise<void> {
  const { run_id, selection, started_at, finished_at, versions, resumed } = info;
  const part = { run_id, path: run.path, selection, started_at, finished_at, versions };
  writer.log.add({ level: "info", event: "run_merged", ...part, ...(resumed ? { resumed } : {}) });
  const path = run.file("log");
  if (!existsSync(path)) return;
  try {
    for await (const { value } of readJsonLines(path, { toleratesUnfinishedEnd: true })) {
      if (!isRecord(value) || value.event !== "episode_fault") continue;
      const { time, level: _, event: __, ...detail } = value;
      const when = new Date(String(time));
      writer.log.add({ ...detail, level: "error", event: "episode_fault", run_id }, when);
    }
  } catch {
    // Ignore a damaged log: it only helps debugging and must not prevent the merge.
  }
}
