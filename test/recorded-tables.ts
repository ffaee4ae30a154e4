import { watchedResources } from "#lib/server/clusters/sources/watched-resources.ts";

type Recorded = Pick<(typeof watchedResources)[number], "recordedAs">;

/** Returns the table with the objects of a watched kind. */
export function tableOf({ recordedAs }: Recorded): string {
  return recordedAs === "event" ? "kube_event" : recordedAs.replaceAll("-", "_");
}

/** The tables with the objects of the watched kinds. */
export const recordedTables: readonly string[] = [...new Set(watchedResources.map(tableOf))];
