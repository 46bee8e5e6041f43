import { useMemo } from "react";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { useDocument } from "../../api.js";
import { Loading } from "../../components/loading.js";
import { ProblemBox } from "../../components/problem-box.js";
import { useRunVersion } from "../../live.js";
import type { PageProps } from "../../route.js";
import { useThrottled } from "../../throttle.js";
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
import { worstFirst } from "./worst-first.js";

/** Minimum interval between reloads of a live run, in milliseconds. */
const REFRESH_MS = 1000;

interface RunPageProps extends PageProps {
  readonly run: string;
}

export function RunPage(props: RunPageProps) {
  const version = useThrottled(useRunVersion(props.run), REFRESH_MS);
  const document = useDocument(addresses.run(props.run), version);
  if (document.state === "loading") return <Loading />;
  if (document.state === "failed")
    return <ProblemBox problem={document.problem} status={document.status} />;
  return <RunView document={document.data} version={version} {...props} />;
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
        <Distribution
          run={run}
          document={document}
          tasks={tasks}
          rows={rows}
          query={query}
          navigate={navigate}
        />
        <SceneList run={run} version={version} tasks={tasks} />
      </div>
      <EpisodeSection
        run={run}
        document={document}
        tasks={tasks}
        episodes={episodes}
        query={query}
        navigate={navigate}
      />
      <Provenance info={document.info} summary={document.summary} />
    </div>
  );
}
