import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import type { Link } from "#lib/contract/link.ts";
import type { LinkFacts } from "#lib/domain/links/link-values.ts";
import { linksOf } from "#lib/server/pages/links/list-links.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { RunRow } from "#lib/server/records/run-row.ts";

type LinksOfRun = { ofRun: Link[]; ofMetric(metric: { name: string; query: string | null }): Link[] };

/** Returns the links of a run and of its metrics, for the time that it took; one that has not ended lasts until now. */
export function linksOfRun(
  runtime: Pick<Runtime, "config" | "now">,
  row: Omit<RunRow, "measurements">,
  {
    name,
    kind,
    image,
    creator,
  }: {
    name: string | null;
    kind: string | null;
    image: string | undefined;
    creator: AnalysisRunDetail["createdBy"];
  },
): LinksOfRun {
  const facts: LinkFacts = {
    cluster: row.cluster,
    namespace: row.namespace,
    name,
    kind,
    podHash: row.pod_hash,
    revision: row.revision,
    image,
    from: row.started_at?.toISOString(),
    to: (row.completed_at ?? runtime.now()).toISOString(),
    run: row.name,
    creatorKind: creator?.kind,
    creator: creator?.name,
  };
  return {
    ofRun: linksOf(runtime, "run", facts),
    ofMetric: ({ name: metric, query }) => linksOf(runtime, "metric", { ...facts, metric, query }),
  };
}
