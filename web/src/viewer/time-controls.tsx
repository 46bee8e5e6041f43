import { useT } from "../i18n/index.js";
import { type Playback, SPEEDS } from "./playback.js";
import { useIndex, usePlaying, useSpeed } from "./use-playback.js";

interface TimeControlsProps {
  readonly playback: Playback;
  /** The step of each record. */
  readonly steps: readonly number[];
  /** The time of each record in seconds, if records have a clock. */
  readonly times: readonly (number | undefined)[];
}

/** Buttons for play, step and speed, and the position of the cursor. */
export function TimeControls({ playback, steps, times }: TimeControlsProps) {
  const t = useT();
  const playing = usePlaying(playback);
  const speed = useSpeed(playback);
  const index = useIndex(playback);
  const time = times[index];
  return (
    <>
      <div className="time-buttons">
        <IconButton
          name={t("episode.stepBack")}
          path="M18 5v14l-9-7zM6 5h2.5v14H6z"
          press={() => playback.step(-1)}
        />
        <IconButton
          name={t(playing ? "episode.pause" : "episode.play")}
          path={playing ? "M6 5h4v14H6zM14 5h4v14h-4z" : "M7.5 4.5v15l12-7.5z"}
          press={() => playback.toggle()}
          primary
        />
        <IconButton
          name={t("episode.stepOn")}
          path="M6 5v14l9-7zM15.5 5H18v14h-2.5z"
          press={() => playback.step(1)}
        />
      </div>
      <output className="time-now">
        {t("episode.timeOf", {
          step: steps[index] ?? index,
          last: steps[playback.end] ?? playback.end,
        })}
        {time !== undefined && ` · ${time.toFixed(2)} s`}
      </output>
      <label className="field">
        <span className="time-speed">{t("episode.speed")}</span>
        <select
          value={speed}
          onChange={(event) => playback.setSpeed(Number(event.currentTarget.value))}
        >
          {SPEEDS.map((value) => (
            <option key={value} value={value}>
              {value}×
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

interface TimeSliderProps {
  readonly playback: Playback;
  /** The position in words, for screen readers. */
  readonly text?: string;
}

/** Moves the time cursor; dragging pauses the playback. */
export function TimeSlider({ playback, text }: TimeSliderProps) {
  const t = useT();
  return (
    <input
      type="range"
      min={0}
      max={playback.end}
      value={useIndex(playback)}
      aria-label={t("episode.time")}
      aria-valuetext={text}
      onChange={(event) => {
        playback.pause();
        playback.seek(Number(event.currentTarget.value));
      }}
    />
  );
}

interface IconButtonProps {
  readonly name: string;
  readonly path: string;
  readonly press: () => void;
  readonly primary?: boolean;
}

function IconButton({ name, path, press, primary = false }: IconButtonProps) {
  return (
    <button
      type="button"
      className={primary ? "time-button primary" : "time-button"}
      aria-label={name}
      title={name}
      onClick={press}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" fill="currentColor">
        <path d={path} />
      </svg>
    </button>
  );
}
