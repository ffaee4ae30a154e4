import type { ControllerDetail, ControllerPath, ControllerSeries } from "#lib/contract/controller.ts";
import type { SeriesSpec } from "#lib/domain/controllers/component.ts";
import type { ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
import { type KnownController, readController } from "#lib/server/oversight/controllers/read-controllers.ts";
import { seesCluster } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { withSummarySamples } from "./list-controllers.ts";
import { serializeController } from "./serialize-controller.ts";

/** Returns one controller. Throws `not_found`. */
export async function getController({ ctx, input }: Call<ControllerPath>): Promise<ControllerDetail> {
  const { runtime, actor } = ctx;
  const known = await findController(ctx, input);
  const facts = await withSummarySamples(runtime.pool, known);
  return {
    ...serializeController(facts, actor.rights),
    reach: known.component.reach,
    series: known.component.series.map((spec) => serializeSeries(spec, known.scrape)),
  };
}

/** Returns the controller if the caller may see it. Throws `not_found`. */
export async function findController(
  { runtime, actor }: ServiceContext,
  { cluster: name, component }: ControllerPath,
): Promise<KnownController> {
  const cluster = runtime.config().config.clusters.find((each) => each.name === name);
  const isVisible = cluster !== undefined && seesCluster(actor.rights, name);
  const known = isVisible ? await readController(runtime.pool, cluster, component) : undefined;
  if (known === undefined) throw new ServiceError("not_found", `There is no controller ${component} in ${name}.`);
  return known;
}

export function serializeSeries(
  { key, label, unit, kind }: SeriesSpec,
  scrape: Pick<ScrapeState, "presence"> | undefined,
): ControllerSeries {
  return { key, label, unit, kind, presence: scrape?.presence[key] ?? "not-available" };
}
