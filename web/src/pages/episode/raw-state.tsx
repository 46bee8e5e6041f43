import { useState } from "react";
import type { EpisodeDocument } from "../../../../src/server/view/documents.js";
import { useT } from "../../i18n/index.js";
import type { Playback } from "../../viewer/playback.js";
import { useIndex } from "../../viewer/use-playback.js";

interface RawStateProps {
  readonly records: EpisodeDocument["records"];
  readonly playback: Playback;
}

/** The record at the time cursor as in the trajectory file. */
export function RawState({ records, playback }: RawStateProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("episode.state")}</summary>
      {open && <Json records={records} playback={playback} />}
    </details>
  );
}

function Json({ records, playback }: RawStateProps) {
  const t = useT();
  const index = useIndex(playback);
  return (
    <section className="raw-state" aria-label={t("episode.state")}>
      <pre>{pretty(records[index])}</pre>
    </section>
  );
}

/** JSON with lists of numbers on one line. */
function pretty(value: unknown): string {
  return (JSON.stringify(value, null, 2) ?? "").replace(
    /\[\s+(-?[\d.e+-]+(?:,\s+-?[\d.e+-]+)*)\s+\]/g,
    (_, numbers: string) => `[${numbers.replace(/\s+/g, " ")}]`,
  );
}
