import { useMemo } from "react";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { FilterBox } from "../../components/filter-box.js";
import { episodeLanguage, orderEpisodes } from "../../filter/episodes.js";
import { parseOrder } from "../../filter/order.js";
import { useFilter } from "../../filter/use-filter.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import type { PageProps } from "../../route.js";
import { episodeColumns } from "./episode-columns.js";
import { EpisodeTable } from "./episode-table.js";
import { SortChoice } from "./sort-choice.js";
import type { Episodes } from "./use-episodes.js";

interface EpisodeSectionProps extends PageProps {
  readonly run: string;
  readonly document: RunDocument;
  readonly tasks: readonly string[];
  readonly episodes: Episodes;
}

/** The episodes, failures first, with a task selection and a filter. */
export function EpisodeSection(props: EpisodeSectionProps) {
  const { run, document, tasks, episodes, query, navigate } = props;
  const t = useT();
  const say = useSentence();
  const task = tasks.find((name) => name === query.task);
  const filter = query.filter ?? "";
  const order = parseOrder(query.sort, "outcome");
  // The document of a live run changes but its metrics do not, so the filter fields are memoised.
  const names = Object.keys(document.metrics).join(" ");
  const language = useMemo(() => episodeLanguage(names.split(" ")), [names]);
  const ofTask = useMemo(
    () => (task ? episodes.rows.filter((row) => row.task === task) : episodes.rows),
    [episodes.rows, task],
  );
  const { kept, errors, suggest } = useFilter(ofTask, filter, language);
  const rows = useMemo(
    () => orderEpisodes(kept, { column: order.column, descending: order.descending }),
    [kept, order.column, order.descending],
  );
  const columns = useMemo(
    () => episodeColumns(document, task, `${filter} ${order.column}`),
    [document, task, filter, order.column],
  );
  return (
    <section id="episodes" aria-labelledby="episodes-title" className="stack">
      <h2 id="episodes-title">{t("run.section.episodes")}</h2>
      {tasks.length > 1 && (
        <fieldset className="tabs">
          <legend className="visually-hidden">{t("run.task")}</legend>
          {[undefined, ...tasks].map((name) => (
            <button
              key={name ?? ""}
              type="button"
              aria-pressed={task === name}
              onClick={() => navigate({ task: name ?? null })}
            >
              {name ?? t("run.all_tasks")}
            </button>
          ))}
        </fieldset>
      )}
      <div className="toolbar">
        <FilterBox
          label={t("filter.label")}
          example="outcome:failure scene:apartment/1* spl<0.5 end:max_steps"
          value={filter}
          onChange={(text) => navigate({ filter: text }, "replace")}
          errors={errors}
          suggest={suggest}
        />
        <SortChoice
          order={order}
          metrics={Object.keys(document.metrics)}
          onSort={(sort) => navigate({ sort })}
        />
      </div>
      <p className="muted small" role="status">
        {t("run.rows_shown", { shown: rows.length, all: ofTask.length })}
        {!episodes.complete && ` ${t("run.rows_coming")}`}
      </p>
      {episodes.problem && (
        <p className="filter-error" role="alert">
          {say(episodes.problem.message)} {say(episodes.problem.hint ?? "")}
        </p>
      )}
      <EpisodeTable
        run={run}
        rows={rows}
        columns={columns}
        order={order}
        onSort={(sort) => navigate({ sort })}
      />
    </section>
  );
}
