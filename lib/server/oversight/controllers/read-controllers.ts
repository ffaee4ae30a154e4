import { components } from "#lib/domain/component-list.ts";
import type { Component } from "#lib/domain/controllers/component.ts";
import type { ControllerFacts, ControllerWorkload } from "#lib/domain/controllers/facts.ts";
import type { ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
import { isImageNamed, readImageTag } from "#lib/domain/kube/read-image-version.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { isLikeAny, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

export type ControllerCluster = Pick<ClusterConfig, "name" | "controllers">;
/** The state of a controller, without its samples. */
export type KnownController = Omit<ControllerFacts, "samples">;

/**
 * Lists the controllers of these clusters, in the order of the clusters and components: those that the config names,
 * those that a Prometheus had, and those of which a workload is recorded.
 */
export async function readControllers(
  connection: Connection,
  clusters: readonly ControllerCluster[],
): Promise<KnownController[]> {
  const names = clusters.map(({ name }) => name);
  const now = (await readDatabaseTime(connection)).toISOString();
  const scrapes = await readScrapes(connection, names);
  const workloads = await readWorkloads(connection, names);
  return clusters.flatMap(({ name: cluster, controllers }) =>
    components.flatMap((component): KnownController[] => {
      const key = `${cluster}/${component.name}`;
      const stored = scrapes.get(key);
      const isConfigured = controllers.endpoints.some((endpoint) => endpoint.component === component.name);
      const isInPrometheus = controllers.prometheus !== undefined && stored?.via === "prometheus";
      const via = isConfigured ? "endpoint" : isInPrometheus ? "prometheus" : undefined;
      const own = workloads.get(key) ?? [];
      // A component that neither the config nor a Prometheus has is left out, unless it runs.
      if (via === undefined && own.length === 0) return [];
      // A state that was read by another way does not apply.
      return [{ cluster, component, now, via, scrape: stored?.via === via ? stored : undefined, workloads: own }];
    }),
  );
}

/** Returns the controller of one component in one cluster; undefined if the cluster has none. */
export async function readController(
  connection: Connection,
  cluster: ControllerCluster,
  component: string,
): Promise<KnownController | undefined> {
  return (await readControllers(connection, [cluster])).find((known) => known.component.name === component);
}

async function readScrapes(connection: Connection, clusters: readonly string[]): Promise<Map<string, ScrapeState>> {
  const rows = await prismaOn(connection).controllerScrape.findMany({
    where: { cluster: { in: [...clusters] } },
    select: { cluster: true, component: true, state: true },
  });
  return new Map(rows.map(({ cluster, component, state }) => [`${cluster}/${component}`, state]));
}

const patterns = components.flatMap(({ images }) => images.map((image) => `%${image}:%`));

async function readWorkloads(
  connection: Connection,
  clusters: readonly string[],
): Promise<Map<string, ControllerWorkload[]>> {
  const query = tables
    .selectFrom("deployment")
    .select(["cluster", "namespace", "kind", "name", "images", "desired", "ready", "conditions"])
    .where(({ ref }) => isOneOf(ref("cluster"), clusters))
    .where("presence", "=", "live")
    .where(({ cast }) => isLikeAny(cast("images", "text"), patterns))
    .orderBy("namespace")
    .orderBy("name");
  const found = new Map<string, ControllerWorkload[]>();
  for (const { cluster, images, ...row } of await readRows(connection, query)) {
    for (const image of images) {
      const component = componentOf(image);
      if (component === undefined) continue;
      const key = `${cluster}/${component.name}`;
      found.set(key, [...(found.get(key) ?? []), { ...row, tag: readImageTag(image) }]);
    }
  }
  return found;
}

function componentOf(image: string): Component | undefined {
  const named = components.filter(
    ({ images, imageTags }) => isImageNamed(image, images) && (imageTags?.test(readImageTag(image) ?? "") ?? true),
  );
  return named[0];
}
