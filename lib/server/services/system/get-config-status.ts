import type { ConfigStatus } from "#lib/contract/system.ts";
import { readsEverything } from "#lib/domain/policy/rights.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { serializeConfigStatus, withoutNames } from "#lib/server/services/system/config-status.ts";

/** How this process sees the config file; names of clusters and bindings only for who reads everything. */
export async function getConfigStatus({ ctx }: { ctx: ServiceContext }): Promise<ConfigStatus> {
  const status = serializeConfigStatus(ctx.runtime.configStatus());
  return readsEverything(ctx.actor.rights) ? status : withoutNames(status);
}
