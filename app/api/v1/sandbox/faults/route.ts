import { endpoints } from "#lib/contract/endpoint-table.ts";
import { faultsNeedFlag } from "#lib/contract/sandbox-faults.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { assertAdmin, requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

export const GET = endpoint({
  endpoint: endpoints.listSandboxFaults,
  handler: async ({ ctx }) => {
    assertAdmin(ctx);
    const control = controlOf(ctx);
    const { readFaults } = await import("#demo/faults/sandbox-control.ts");
    return readFaults(control);
  },
});

export const POST = endpoint({
  endpoint: endpoints.playSandboxFault,
  auditsRefusals: true,
  handler: async ({ ctx, input }) => {
    await requireAdmin(ctx, { code: "sandbox.fault", detail: { ...input } });
    const control = controlOf(ctx);
    const { playFault } = await import("#demo/faults/play-fault.ts");
    return playFault({ ctx, control, input });
  },
});

/** Returns the control endpoint of the demo's cluster. Throws `not_found` unless the demo was started with faults. */
function controlOf({ runtime }: ServiceContext) {
  const { demo, clusters } = runtime.config().config;
  const [tokenFile, server] = [demo?.faultTokenFile, clusters[0]?.server];
  if (tokenFile === undefined || server === undefined) throw new ServiceError("not_found", faultsNeedFlag);
  return { server, tokenFile };
}
