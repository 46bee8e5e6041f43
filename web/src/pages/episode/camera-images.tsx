import { useEffect, useRef, useState } from "react";
import type { FrameStrip } from "../../../../src/server/view/documents.js";
import { type Address, addresses } from "../../addresses.js";
import { useDocument } from "../../api.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import type { Playback } from "../../viewer/playback.js";
import { useIndex } from "../../viewer/use-playback.js";

interface CameraImagesProps {
  readonly run: string;
  readonly episode: string;
  readonly playback: Playback;
}

/** The camera images nearest to the time cursor. Requested when scrolled into view, because rendering takes time. */
export function CameraImages({ run, episode, playback }: CameraImagesProps) {
  const t = useT();
  const say = useSentence();
  const section = useRef<HTMLElement>(null);
  const seen = useVisible(section);
  const address: Address<FrameStrip> | null = seen ? addresses.frames(run, episode) : null;
  const loaded = useDocument(address);
  return (
    <section ref={section} className="card episode-cameras">
      <h2>{t("episode.cameras")}</h2>
      {loaded.state === "loading" && (
        <p className="muted" role="status">
          {t("episode.cameras.loading")}
        </p>
      )}
      {loaded.state === "failed" && (
        <p>{t("episode.cameras.failed", { why: say(loaded.problem.message) })}</p>
      )}
      {loaded.state === "ready" && <Pictures strip={loaded.data} playback={playback} />}
    </section>
  );
}

function Pictures({
  strip,
  playback,
}: {
  readonly strip: FrameStrip;
  readonly playback: Playback;
}) {
  const t = useT();
  const index = useIndex(playback);
  const frame = nearest(strip.frames, index);
  if (!frame) return null;
  return (
    <div className="camera-pictures">
      {strip.sensors.map((sensor) => {
        const source = frame.images[sensor];
        return (
          source && (
            <figure key={sensor}>
              <img
                src={source}
                alt={`${sensor}, ${t("episode.cameras.step", { step: frame.step })}`}
              />
              <figcaption>
                <code>{sensor}</code> {t("episode.cameras.step", { step: frame.step })}
              </figcaption>
            </figure>
          )
        );
      })}
    </div>
  );
}

function nearest(frames: FrameStrip["frames"], step: number): FrameStrip["frames"][number] | null {
  let best: FrameStrip["frames"][number] | null = null;
  for (const frame of frames) {
    if (!best || Math.abs(frame.step - step) < Math.abs(best.step - step)) best = frame;
  }
  return best;
}

function useVisible(element: { readonly current: HTMLElement | null }): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, [element]);
  return seen;
}
