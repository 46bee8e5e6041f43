import { useMemo } from "react";
import type { RunCard, RunsDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { FilterBox } from "../../components/filter-box.js";
import { LoadedDocument } from "../../components/loaded-document.js";
import { parseOrder } from "../../filter/order.js";
import { orderRuns, runLanguage } from "../../filter/runs.js";
import { useFilter } from "../../filter/use-filter.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { useLiveCards } from "../../live.js";
import { hrefOf, type PageProps } from "../../route.js";
import { CompareBar } from "./compare-bar.js";
import { pageRangeOf, RunPages } from "./run-pages.js";
import { RunsTable } from "./runs-table.js";

export function RunsPage(props: PageProps) {
  return (
    <LoadedDocument address={addresses.runs()}>
      {(document) => <RunsList document={document} {...props} />}
    </LoadedDocument>
  );
}

function RunsList({ document, query, navigate }: PageProps & { readonly document: RunsDocument }) {
  const t = useT();
  const live = useLiveCards();
  const cards = useMemo(() => merged(document.runs, live), [document, live]);
  const { kept, errors, suggest } = useFilter(cards, query.q ?? "", runLanguage);
  const { sort } = query;
  const order = useMemo(() => parseOrder(sort, "-started"), [sort]);
  const ordered = useMemo(() => orderRuns(kept, order), [kept, order]);
  const page = pageRangeOf(query.page, ordered.length);
  const selected = (query.select ?? "")
    .split(",")
    .filter((id) => cards.some((run) => run.id === id));
  const toggle = (id: string) => {
    const others = selected.filter((other) => other !== id);
    // At most two are selected: a third replaces the first.
    const next = others.length < selected.length ? others : [...selected, id].slice(-2);
    navigate({ select: next.join(",") }, "replace");
  };
  const turnTo = (number: number) => {
    navigate({ page: number === 1 ? null : String(number) });
    window.scrollTo({ top: 0 });
  };
  const pages = <RunPages page={page} rows={ordered.length} onPage={turnTo} />;
  if (cards.length === 0 && document.damaged.length === 0) return <NoRuns live={document.live} />;
  return (
    <div className="stack">
      <h1>{t("runs.title")}</h1>
      {document.stress && (
        <p>
          <a className="button" href={hrefOf({ page: "stress" })}>
            {t("stress.title")}
          </a>{" "}
          {t("stress.link_note")}
        </p>
      )}
      <div className="toolbar">
        <FilterBox
          label={t("filter.label")}
          example="agent:random status:running vln"
          value={query.q ?? ""}
          onChange={(q) => navigate({ q, page: null }, "replace")}
          errors={errors}
          suggest={suggest}
        />
        <CompareBar selected={selected} onClear={() => navigate({ select: null }, "replace")} />
      </div>
      <p className="muted" role="status">
        {t("runs.shown", { shown: kept.length, all: cards.length })}
      </p>
      {pages}
      <RunsTable
        runs={ordered.slice(page.first, page.end)}
        order={order}
        onSort={(by) => navigate({ sort: by, page: null })}
        selected={selected}
        onToggle={toggle}
      />
      {pages}
      <DamagedRuns damaged={document.damaged} />
    </div>
  );
}

/** The loaded list with the live updates applied. */
function merged(
  runs: readonly RunCard[],
  live: ReadonlyMap<string, RunCard | null>,
): readonly RunCard[] {
  if (live.size === 0) return runs;
  const known = new Set(runs.map(({ id }) => id));
  const added = [...live.values()].filter((card) => card !== null && !known.has(card.id));
  const kept = runs.map((card) => (live.has(card.id) ? live.get(card.id) : card));
  return [...added, ...kept].filter((card): card is RunCard => Boolean(card));
}

const COMMAND = "robot-eval run configs/benchmarks/unified_smoke.yaml --agent random --out runs";

function NoRuns({ live }: { readonly live: boolean }) {
  const t = useT();
  return (
    <section className="empty-state">
      <h1>{t("runs.none")}</h1>
      <p>{t("runs.none_how")}</p>
      <pre>
        <code>{COMMAND}</code>
      </pre>
      {live && <p className="muted">{t("runs.none_live")}</p>}
    </section>
  );
}

const SHOWN = 100;

/** Run folders that cannot be read, with the reason. */
function DamagedRuns({ damaged }: Pick<RunsDocument, "damaged">) {
  const t = useT();
  const say = useSentence();
  if (damaged.length === 0) return null;
  return (
    <section className="card notice" aria-labelledby="damaged">
      <h2 id="damaged">{t("runs.damaged", { n: damaged.length })}</h2>
      <ul className="plain-list">
        {damaged.slice(0, SHOWN).map(({ id, problem }) => (
          <li key={id}>
            <code>{id}</code>
            <p className="preserve">{say(problem.message)}</p>
            {problem.where && <p className="muted">{problem.where}</p>}
            {problem.hint && <p className="muted">{say(problem.hint)}</p>}
          </li>
        ))}
      </ul>
      {damaged.length > SHOWN && (
        <p className="muted">{t("runs.damaged_more", { n: damaged.length - SHOWN })}</p>
      )}
    </section>
  );
}
