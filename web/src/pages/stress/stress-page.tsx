import type { StressDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { LoadedDocument } from "../../components/loaded-document.js";
import type { PageProps } from "../../route.js";
import { HeatMap } from "./heat-map.js";
import { LevelDetail } from "./level-detail.js";
import { Ranking } from "./ranking.js";
import "./stress.css";
import { StressHead } from "./stress-head.js";
import { TellingEpisodes } from "./telling-episodes.js";

/** Where a policy breaks: success by axis and level, paired with the unperturbed episodes. */
export function StressPage(props: PageProps) {
  return (
    <LoadedDocument address={addresses.stress()}>
      {(document) => <StressView document={document} {...props} />}
    </LoadedDocument>
  );
}

function StressView({
  document: { report, ids },
  query,
  navigate,
}: PageProps & { readonly document: StressDocument }) {
  const { axes, ranking } = report;
  const axis = axes.find((one) => one.axis === query.axis);
  const level = axis?.levels.find((one) => String(one.level) === query.level);
  const order = new Map(ranking.map((rank, index) => [rank.axis, index]));
  const at = (name: string) => order.get(name) ?? ranking.length;
  const sorted = [...axes].sort((a, b) => at(a.axis) - at(b.axis));
  return (
    <div className="stack">
      <StressHead report={report} />
      <HeatMap
        axes={sorted}
        tests={report.tests}
        selected={level && axis ? `${axis.axis} ${level.level}` : null}
        onSelect={(name, number) => navigate({ axis: name, level: String(number) }, "replace")}
      />
      {axis && level && <LevelDetail axis={axis} level={level} baseline={report.baseline.run} />}
      <Ranking ranking={ranking} />
      <TellingEpisodes axes={sorted} ids={ids} />
    </div>
  );
}
