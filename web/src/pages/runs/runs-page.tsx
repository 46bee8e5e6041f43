import { useMemo } from "react";
import type { RunCard, RunsDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { useDocument } from "../../api.js";
import { FilterBox } from "../../components/filter-box.js";
import { Loading } from "../../components/loading.js";
import { ProblemBox } from "../../components/problem-box.js";
import { parseOrder } from "../../filter/order.js";
import { orderRuns, runLanguage } from "../../filter/runs.js";
import { useFilter } from "../../filter/use-filter.js";
import { useT } from "../../i18n/index.js";
import { useLiveCards } from "../../live.js";
import type { PageProps } from "../../route.js";
import { CompareBar } from "./compare-bar.js";
import { DamagedRuns } from "./damaged-runs.js";
import { NoRuns } from "./no-runs.js";
import { RunPages, runPageOf } from "./run-pages.js";
import { RunsTable } from "./runs-table.js";

export function RunsPage(props: PageProps) {
  const runs = useDocument(addresses.runs());
  if (runs.state === "loading") return <Loading />;
  if (runs.state === "failed") return <ProblemBox problem={runs.problem} status={runs.status} />;
  return <RunsList document={runs.data} {...props} />;
}

function RunsList({ document, query, navigate }: PageProps & { readonly document: RunsDocument }) {
  const t = useT();
  const live = useLiveCards();
  const cards = useMemo(() => merged(document.runs, live), [document, live]);
  const { kept, errors, suggest } = useFilter(cards, query.q ?? "", runLanguage);
  const { sort } = query;
  const order = useMemo(() => parseOrder(sort, "-started"), [sort]);
  const ordered = useMemo(() => orderRuns(kept, order), [kept, order]);
  const page = runPageOf(query.page, ordered.length);
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
