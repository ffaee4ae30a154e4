import type { ConfigStatus } from "#lib/contract/system.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { serializeConfigStatus } from "#lib/server/services/system/config-status.ts";

/** How this process sees the config file. */
export async function getConfigStatus({ ctx }: { ctx: ServiceContext }): Promise<ConfigStatus> {
  return serializeConfigStatus(ctx.runtime.configStatus());
}
