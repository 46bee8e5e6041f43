import { useMemo } from "react";
import type { CompareDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { LoadedDocument } from "../../components/loaded-document.js";
import type { PageProps } from "../../route.js";
import { ChangedEnds, ChangedKeys } from "./changes.js";
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
  return (
    <LoadedDocument address={addresses.compare(props.a, props.b)}>
      {(document) => <CompareView document={document} {...props} />}
    </LoadedDocument>
  );
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
  const shared = { pair, comparison, episodes, query, navigate };
  return (
    <div className="stack">
      <CompareHead pair={pair} comparison={comparison} />
      <DifferenceTable comparison={comparison} />
      <div className="columns">
        <ScatterSection {...shared} />
        <FlippedEpisodes idOf={idOf} {...shared} />
      </div>
      <Ghosts {...shared} />
      <div className="columns">
        <ChangedKeys changed={comparison.changed} />
        <ChangedEnds ends={comparison.changed_ends} />
        <Unjudged comparison={comparison} />
      </div>
    </div>
  );
}
