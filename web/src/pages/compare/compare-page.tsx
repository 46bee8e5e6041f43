import { useMemo } from "react";
import type { CompareDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { useDocument } from "../../api.js";
import { Loading } from "../../components/loading.js";
import { ProblemBox } from "../../components/problem-box.js";
import type { PageProps } from "../../route.js";
import { ChangedEnds } from "./changed-ends.js";
import { ChangedKeys } from "./changed-keys.js";
import { CompareHead } from "./compare-head.js";
import { DifferenceTable } from "./difference-table.js";
import { FlippedEpisodes } from "./flipped-episodes.js";
import { Ghosts } from "./ghosts.js";
import { ScatterSection } from "./scatter-section.js";
import { Unjudged } from "./unjudged.js";

interface ComparePageProps extends PageProps {
  readonly a: string;
  readonly b: string;
}

export function ComparePage(props: ComparePageProps) {
  const document = useDocument(addresses.compare(props.a, props.b));
  if (document.state === "loading") return <Loading />;
  if (document.state === "failed")
    return <ProblemBox problem={document.problem} status={document.status} />;
  return <CompareView document={document.data} {...props} />;
}

/** Differences of the metrics, then the episodes, then other changes. */
function CompareView({
  a,
  b,
  document,
  query,
  navigate,
}: ComparePageProps & { readonly document: CompareDocument }) {
  const { comparison, episodes } = document;
  const idOf = useMemo(() => new Map(episodes.map(({ key, id }) => [key, id])), [episodes]);
  const pair = { a, b };
  return (
    <div className="stack">
      <CompareHead pair={pair} comparison={comparison} />
      <DifferenceTable comparison={comparison} />
      <div className="columns">
        <ScatterSection
          pair={pair}
          comparison={comparison}
          episodes={episodes}
          query={query}
          navigate={navigate}
        />
        <FlippedEpisodes pair={pair} comparison={comparison} idOf={idOf} query={query} />
      </div>
      <Ghosts
        pair={pair}
        comparison={comparison}
        episodes={episodes}
        query={query}
        navigate={navigate}
      />
      <div className="columns">
        <ChangedKeys changed={comparison.changed} />
        <ChangedEnds ends={comparison.changed_ends} />
        <Unjudged comparison={comparison} />
      </div>
    </div>
  );
}
