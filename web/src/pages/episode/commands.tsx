import { useRef, useState } from "react";
import type { EpisodeDocument } from "../../../../src/server/view/documents.js";
import { Facts } from "../../components/facts.js";
import { useT } from "../../i18n/index.js";

/** Commands that reproduce the episode, and the hashes to check them by. */
export function Commands({ document }: { readonly document: EpisodeDocument }) {
  const t = useT();
  const { line, records, rerun, replay } = document;
  const scene: unknown = records[0]?.state.scene_sha256;
  const facts: readonly (readonly [string, string | number | null])[] = [
    [t("episode.hash.seed"), line.seed],
    [t("episode.hash.agentSeed"), line.agent_seed],
    [t("episode.hash.initial"), line.initial_state_hash],
    [t("episode.hash.final"), line.final_state_hash],
    [t("episode.hash.scene"), typeof scene === "string" ? scene : null],
    [t("episode.hash.trajectory"), line.trajectory],
  ];
  return (
    <section className="card episode-commands">
      <h2>{t("episode.commands")}</h2>
      <Command title={t("episode.command.rerun")} command={rerun} />
      <Command title={t("episode.command.replay")} command={replay} />
      <details>
        <summary>{t("episode.hashes")}</summary>
        <Facts
          className="facts hashes"
          facts={facts.map(([name, value]) => [
            name,
            value === null ? null : <code key={name}>{value}</code>,
          ])}
        />
      </details>
    </section>
  );
}

function Command({ title, command }: { readonly title: string; readonly command: string }) {
  const t = useT();
  const code = useRef<HTMLElement>(null);
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  const copy = async () => {
    const done = await copied(command);
    if (!done && code.current) window.getSelection()?.selectAllChildren(code.current);
    setState(done ? "copied" : "refused");
  };
  return (
    <div className="command">
      <h3>{title}</h3>
      <div className="command-row">
        <code ref={code}>{command}</code>
        <button type="button" onClick={copy} aria-label={`${t("episode.copy")}: ${title}`}>
          {t(state === "copied" ? "episode.copied" : "episode.copy")}
        </button>
      </div>
      <p role="status" className="muted">
        {state === "refused" && t("episode.copyByHand")}
      </p>
    </div>
  );
}

/** The clipboard API requires https or localhost; `execCommand` is the fallback. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
