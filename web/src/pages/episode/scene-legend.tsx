import { useT } from "../../i18n/index.js";
import type { ViewerContent } from "../../viewer/content.js";
import { MARK } from "../../viewer/palette.js";

/** The legend of the 3D view, for the elements that it shows. */
export function SceneLegend({ content }: { readonly content: ViewerContent }) {
  const t = useT();
  const [trace] = content.traces;
  const walks = trace !== undefined && trace.kind !== "hand";
  const radius = content.goalRadius;
  return (
    <ul className="scene-legend" aria-label={t("episode.view.legend")}>
      {walks && <Entry look="ring" color={MARK.start} text={t("episode.legend.start")} />}
      {content.goals.length > 0 && (
        <Entry
          look="ring"
          color={MARK.goal}
          text={
            radius === null
              ? t("episode.legend.goal")
              : t("episode.legend.goalRadius", { radius: String(radius) })
          }
        />
      )}
      {content.reference.length > 1 && (
        <Entry look="dashes" color={MARK.reference} text={t("episode.legend.reference")} />
      )}
      {trace !== undefined && trace.points.length > 1 && (
        <Entry
          look="line"
          color={`linear-gradient(to right, ${MARK.pathFirst}, ${MARK.pathLast})`}
          text={t("episode.legend.taken")}
        />
      )}
      {(trace?.collisions.length ?? 0) > 0 && (
        <Entry look="cross" color={MARK.collision} text={t("episode.legend.collision")} />
      )}
    </ul>
  );
}

interface EntryProps {
  readonly look: "ring" | "line" | "dashes" | "cross";
  readonly color: string;
  readonly text: string;
}

function Entry({ look, color, text }: EntryProps) {
  const style = look === "line" ? { background: color } : { color };
  return (
    <li>
      <i data-look={look} style={style} aria-hidden="true" />
      {text}
    </li>
  );
}
