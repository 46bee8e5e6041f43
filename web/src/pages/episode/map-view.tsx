import { addresses } from "../../addresses.js";
import { useT } from "../../i18n/index.js";

interface MapViewProps {
  readonly run: string;
  readonly episode: string;
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
}

/** The map is loaded when it is opened. */
export function MapView({ run, episode, open, setOpen }: MapViewProps) {
  const t = useT();
  return (
    <details
      className="card episode-map"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t("episode.map")}</summary>
      {open && <img src={addresses.map(run, episode)} alt={t("episode.map.alt")} />}
    </details>
  );
}
