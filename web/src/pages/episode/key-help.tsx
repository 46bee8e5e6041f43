import { useEffect, useRef } from "react";
import { useT } from "../../i18n/index.js";

const KEYS = [
  { keys: ["Space"], text: "episode.keys.space" },
  { keys: ["←", "→"], text: "episode.keys.arrows" },
  { keys: ["Home", "End"], text: "episode.keys.ends" },
  { keys: ["N", "P"], text: "episode.keys.events" },
  { keys: ["F", "T", "O"], text: "episode.keys.cameras" },
  { keys: ["[", "]"], text: "episode.keys.speed" },
  { keys: ["?"], text: "episode.keys.help" },
] as const;

export function KeyHelp({ open, close }: { readonly open: boolean; readonly close: () => void }) {
  const t = useT();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="key-help" aria-label={t("episode.keys")} onClose={close}>
      <h2>{t("episode.keys")}</h2>
      <dl>
        {KEYS.map(({ keys, text }) => (
          <div key={text} className="key-row">
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        {t("episode.keys.close")}
      </button>
    </dialog>
  );
}
