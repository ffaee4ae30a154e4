import type { ConfigStatus } from "#lib/contract/system.ts";
import { readsEverything } from "#lib/domain/policy/rights.ts";
import { serializeConfigStatus, withoutNames } from "#lib/server/platform/config/config-status.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/**
 * Returns how this process sees the config file. Names of clusters and bindings require the right to read everything.
 */
export async function getConfigStatus({ ctx }: { ctx: ServiceContext }): Promise<ConfigStatus> {
  const status = serializeConfigStatus(ctx.runtime.configStatus());
  return readsEverything(ctx.actor.rights) ? status : withoutNames(status);
}
