import type { Link } from "#lib/contract/link.ts";
import { linksOf } from "#lib/server/pages/links/list-links.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { imagesOf, type ReleaseRow } from "#lib/server/records/release-row.ts";

/** Returns the links of a release, for the time that it took; one that has not ended lasts until now. */
export function linksOfRelease(runtime: Pick<Runtime, "config" | "now">, row: ReleaseRow): Link[] {
  const { cluster, namespace, name, kind } = row;
  return linksOf(runtime, "release", {
    ...{ cluster, namespace, name, kind },
    podHash: row.run_key,
    revision: row.revision,
    image: imagesOf(row.images)[0],
    from: row.started_at.toISOString(),
    to: (row.ended_at ?? runtime.now()).toISOString(),
  });
}
