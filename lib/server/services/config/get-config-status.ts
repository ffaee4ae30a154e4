import type { ConfigStatus } from "#lib/contract/system.ts";
import { readsEverything } from "#lib/domain/policy/rights.ts";
import { serializeConfigStatus, withoutNames } from "#lib/server/config/config-status.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/** How this process sees the config file; names of clusters and bindings only for who reads everything. */
export async function getConfigStatus({ ctx }: { ctx: ServiceContext }): Promise<ConfigStatus> {
  const status = serializeConfigStatus(ctx.runtime.configStatus());
  return readsEverything(ctx.actor.rights) ? status : withoutNames(status);
}
