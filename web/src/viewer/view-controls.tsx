import { useT } from "../i18n/index.js";
import type { CameraMode } from "./content.js";

export const MIN_CUT = 0.3;
export const MAX_CUT = 3;
/** Above tables and below lamps, so that furniture is complete and rooms are open. */
export const USUAL_CUT = 1.4;

const CAMERAS: readonly CameraMode[] = ["follow", "free", "top"];

interface ViewControlsProps {
  readonly camera: CameraMode;
  readonly setCamera: (camera: CameraMode) => void;
  /** Height of the cut in metres above the robot's base; null: no cut. */
  readonly cut: number | null;
  readonly setCut: (cut: number) => void;
  /** Whether the scene can be cut. */
  readonly cuttable: boolean;
}

/** Camera mode and cut height. The slider's upper end means no cut. */
export function ViewControls({ camera, setCamera, cut, setCut, cuttable }: ViewControlsProps) {
  const t = useT();
  const height = cut === null ? t("episode.cutOff") : `${cut.toFixed(1)} m`;
  return (
    <div className="view-controls">
      <fieldset>
        <legend className="visually-hidden">{t("episode.camera")}</legend>
        {CAMERAS.map((mode) => (
          <button
            key={mode}
            type="button"
            aria-pressed={camera === mode}
            onClick={() => setCamera(mode)}
          >
            {t(`episode.camera.${mode}`)}
          </button>
        ))}
      </fieldset>
      {cuttable && (
        <label className="view-cut">
          <span>{t("episode.cut")}</span>
          <input
            type="range"
            min={MIN_CUT}
            max={MAX_CUT}
            step={0.1}
            value={cut ?? MAX_CUT}
            aria-valuetext={height}
            onChange={(event) => setCut(Number(event.currentTarget.value))}
          />
          <output>{height}</output>
        </label>
      )}
    </div>
  );
}
