import { useT } from "../../i18n/index.js";
import type { Playback } from "../../viewer/playback.js";
import type { TellingStep } from "./telling-step.js";

interface OpenedAtProps {
  readonly telling: TellingStep;
  readonly step: number;
  readonly playback: Playback;
}

/** Says at which step the page opened and why, with links to it and to the first one. */
export function OpenedAt({ telling, step, playback }: OpenedAtProps) {
  const t = useT();
  if (telling.index === 0) return null;
  return (
    <p className="opened-at small">
      <button type="button" className="quiet" onClick={() => playback.seek(telling.index)}>
        {t(`episode.telling.${telling.reason}`, { step })}
      </button>
      <button type="button" className="quiet" onClick={() => playback.seek(0)}>
        {t("episode.telling.start")}
      </button>
    </p>
  );
}
