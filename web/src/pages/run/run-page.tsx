import { useEffect, useMemo, useRef, useState } from "react";
import type { MetricSummary } from "../../../../src/core/interfaces/result.js";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { LoadedDocument } from "../../components/loaded-document.js";
import { useRunVersion } from "../../live.js";
import type { PageProps } from "../../route.js";
import { scaleOf } from "../../scale.js";
import { Distribution } from "./distribution.js";
import { EndReasons } from "./end-reasons.js";
import { EpisodeSection } from "./episode-section.js";
import { Latency } from "./latency.js";
import { PrimaryMetrics } from "./primary-metrics.js";
import { Provenance } from "./provenance.js";
import { RunHead } from "./run-head.js";
import { SceneList } from "./scene-list.js";
import { SectionLinks } from "./section-links.js";
import { TaskMetrics } from "./task-metrics.js";
import { useEpisodes } from "./use-episodes.js";
import { Warnings } from "./warnings.js";

/** Minimum interval between reloads of a live run, in milliseconds. */
const REFRESH_MS = 1000;

interface RunPageProps extends PageProps {
  readonly run: string;
}

export function RunPage(props: RunPageProps) {
  const version = useThrottled(useRunVersion(props.run), REFRESH_MS);
  return (
    <LoadedDocument address={addresses.run(props.run)} version={version}>
      {(document) => <RunView document={document} version={version} {...props} />}
    </LoadedDocument>
  );
}

function RunView({
  run,
  document,
  version,
  query,
  navigate,
}: RunPageProps & { readonly document: RunDocument; readonly version: number }) {
  const episodes = useEpisodes(run, document);
  const tasks = useMemo(() => worstFirst(document), [document]);
  const { rows } = episodes;
  const shared = { run, document, tasks, query, navigate };
  return (
    <div className="stack">
      <RunHead document={document} />
      <SectionLinks tab={query.tab} navigate={navigate} />
      <PrimaryMetrics document={document} tasks={tasks} />
      <Warnings document={document} />
      <TaskMetrics document={document} tasks={tasks} />
      <div className="columns">
        <EndReasons run={run} tasks={tasks} rows={rows} />
        <Latency run={run} document={document} rows={rows} />
      </div>
      <div className="columns">
        <Distribution rows={rows} {...shared} />
        <SceneList run={run} version={version} tasks={tasks} />
      </div>
      <EpisodeSection episodes={episodes} {...shared} />
      <Provenance info={document.info} summary={document.summary} />
    </div>
  );
}

/** A run's tasks, worst first. */
function worstFirst({ summary, metrics }: RunDocument): readonly string[] {
  const goodness = (task: string) => {
    const name = summary.primary_metrics[task] ?? "";
    const metric = summary.per_task[task]?.[name];
    return metric ? goodnessOf(metric, metrics[name]?.range) : -1;
  };
  return Object.keys(summary.per_task).sort((a, b) => goodness(a) - goodness(b));
}

/** Normalises a mean to [0, 1], where 0 is worst, because tasks may have different metrics. */
function goodnessOf(
  { mean, direction }: MetricSummary,
  range: readonly [number | null, number | null] | undefined,
): number {
  if (mean === null) return -1;
  const [low, high] = scaleOf(range, [mean]);
  const share = (mean - low) / (high - low);
  return direction === "lower" ? 1 - share : share;
}

/** A value that is updated at most every `ms` milliseconds. */
function useThrottled<T>(value: T, ms: number): T {
  const [held, setHeld] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, last.current + ms - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      setHeld(value);
    }, wait);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return held;
}
