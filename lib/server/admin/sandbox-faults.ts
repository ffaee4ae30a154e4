import type { PlayFaultRequest, SandboxFaults } from "#lib/contract/sandbox-faults.ts";
import { notStarted, readFaults, type SandboxControl, setFault } from "#lib/server/admin/sandbox-control.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { assertAdmin } from "#lib/server/people/permission/assert-admin.ts";
import { requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { auditActorOf } from "#lib/server/platform/actor/actor.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/** Lists the faults that the demo's cluster plays. Throws `not_found` unless the demo was started with faults. */
export async function listSandboxFaults({ ctx }: { ctx: ServiceContext }): Promise<SandboxFaults> {
  assertAdmin(ctx);
  return readFaults(controlOf(ctx));
}

/**
 * Makes the demo's cluster play a fault. The intent is audited before the request to the cluster, the outcome after it.
 * Throws like `listSandboxFaults`, and `invalid_request` if the cluster does not know the fault.
 */
export async function playSandboxFault({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: PlayFaultRequest;
}): Promise<SandboxFaults> {
  await requireAdmin(ctx, { code: "sandbox.fault", detail: { ...input } });
  const control = controlOf(ctx);
  await audit(ctx, input, "intent");
  try {
    await setFault(control, input);
  } catch (error) {
    const isRefusal = isServiceError(error) && error.code === "invalid_request";
    await audit(ctx, input, isRefusal ? "refused" : "unknown");
    throw error;
  }
  await audit(ctx, input, "applied");
  return readFaults(control);
}

function controlOf({ runtime }: ServiceContext): SandboxControl {
  const { demo, clusters } = runtime.config().config;
  const [tokenFile, server] = [demo?.faultTokenFile, clusters[0]?.server];
  if (tokenFile === undefined || server === undefined) throw notStarted();
  return { server, tokenFile };
}

async function audit(
  { actor, runtime, requestId }: ServiceContext,
  input: PlayFaultRequest,
  outcome: "intent" | "applied" | "refused" | "unknown",
): Promise<void> {
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: auditActorOf(actor),
      source: "gatehouse",
      code: "sandbox.fault",
      outcome,
      detail: { ...input },
      requestId,
    },
  });
}
