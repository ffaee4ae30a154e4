import type { ConfigStatus, ConfirmConfigRequest } from "#lib/contract/system.ts";
import { readsEverything } from "#lib/domain/policy/rights.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { confirmChange } from "#lib/server/platform/config/config-events.ts";
import { serializeConfigStatus, withoutNames } from "#lib/server/platform/config/config-status.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/**
 * Puts a held config file into effect: here at once, in every other process with its next check. Throws `conflict` if
 * none is held, or if the held one is not the one that the admin saw.
 */
export async function confirmConfig({
  ctx,
  input,
  runtime,
}: Call<ConfirmConfigRequest> & { runtime: Pick<WebRuntime, "checkConfig"> }): Promise<ConfigStatus> {
  const { trouble, digest: replaces } = ctx.runtime.configStatus();
  const asked = {
    code: "config.confirmed",
    reason: input.reason,
    detail: { digest: trouble?.digest ?? null, replaces },
  };
  await requireAdmin(ctx, asked);
  if (trouble?.state !== "held" || trouble.digest === undefined)
    throw new ServiceError("conflict", "No config file is held: there is nothing to confirm.");
  const { digest, removals } = trouble;
  if (input.digest !== undefined && input.digest !== digest)
    throw new ServiceError("conflict", "The config file has changed since you looked. Look again.");
  await appendChange(ctx, {
    code: "config.confirmed",
    reason: input.reason,
    detail: { digest, replaces, clusters: removals.clusters, bindings: removals.bindings },
    within: (client) => confirmChange(client, { digest, replaces }),
  });
  await runtime.checkConfig();
  return serializeConfigStatus(ctx.runtime.configStatus());
}

/**
 * Returns how this process sees the config file. Names of clusters and bindings require the right to read everything.
 */
export async function getConfigStatus({ ctx }: { ctx: ServiceContext }): Promise<ConfigStatus> {
  const status = serializeConfigStatus(ctx.runtime.configStatus());
  return readsEverything(ctx.actor.rights) ? status : withoutNames(status);
}
