import { readFaults, type SandboxControl, setFault } from "#demo/faults/sandbox-control.ts";
import type { PlayFaultRequest, SandboxFaults } from "#lib/contract/sandbox-faults.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/**
 * Makes the demo's cluster play a fault, and lists the faults then. The intent is audited before the request to the
 * cluster, the outcome after it. Throws `invalid_request` if the cluster does not know the fault.
 */
export async function playFault({
  ctx,
  control,
  input,
}: {
  ctx: ServiceContext;
  control: SandboxControl;
  input: PlayFaultRequest;
}): Promise<SandboxFaults> {
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

async function audit(
  ctx: ServiceContext,
  input: PlayFaultRequest,
  outcome: "intent" | "applied" | "refused" | "unknown",
): Promise<void> {
  await appendChange(ctx, {
    code: "sandbox.fault",
    outcome,
    detail: { ...input },
  });
}
