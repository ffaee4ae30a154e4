import type { Controller } from "#lib/contract/controller.ts";
import { processStart, scrapeMark } from "#lib/domain/controllers/component.ts";
import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import { summaryMs } from "#lib/domain/controllers/summarize.ts";
import { type KnownController, readControllers } from "#lib/server/oversight/controllers/read-controllers.ts";
import { readSamples } from "#lib/server/oversight/controllers/sample-rows.ts";
import { seesCluster } from "#lib/server/people/permission/read-scope.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { serializeController } from "./serialize-controller.ts";

/** Lists the controllers of the clusters that the caller sees. There are few: one page contains them all. */
export async function listControllers({
  ctx,
}: {
  ctx: ServiceContext;
}): Promise<{ items: Controller[]; nextCursor: null }> {
  const { runtime, actor } = ctx;
  const clusters = runtime.config().config.clusters.filter(({ name }) => seesCluster(actor.rights, name));
  const known = await readControllers(runtime.pool, clusters);
  const items = await Promise.all(
    known.map(async (each) => serializeController(await withSummarySamples(runtime.pool, each), actor.rights)),
  );
  return { items, nextCursor: null };
}

/** Adds the newest samples of the series that the summary shows. */
export async function withSummarySamples(connection: Connection, known: KnownController): Promise<ControllerFacts> {
  const { cluster, component, scrape, now } = known;
  const shown = component.series.filter(({ shows }) => shows !== undefined).map(({ key }) => key);
  if (scrape === undefined || shown.length === 0) return { ...known, samples: [] };
  const from = new Date(Date.parse(now) - summaryMs);
  const keys = [...shown, scrapeMark.key, processStart];
  return { ...known, samples: await readSamples(connection, { cluster, component: component.name, from, keys }) };
}
