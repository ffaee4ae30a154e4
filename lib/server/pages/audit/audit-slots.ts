import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/**
 * Limits exports and full verifications: both read the whole chain, and an export holds rows until its reader takes them.
 */
export const auditSlots = { perPerson: 2, perProcess: 8 };

// Next bundles each route separately, so the counts are kept on the process's one runtime and not in this module.
const handle = Symbol.for("gatehouse.audit-slots");
type Holder = WebRuntime & { [handle]?: Map<string, number> };

/**
 * Takes one of the slots for reading the whole chain, and returns the function that frees it. Throws `rate_limited`.
 */
export function takeAuditSlot({ runtime, actor }: Pick<ServiceContext, "runtime" | "actor">): () => void {
  const holder = runtime as Holder;
  holder[handle] ??= new Map();
  const taken = holder[handle];
  const key = actorKey(actor);
  const own = taken.get(key) ?? 0;
  const { perPerson, perProcess } = auditSlots;
  if (own >= perPerson)
    refuse(`You have ${perPerson} exports or verifications of the audit log in progress, which is the limit`);
  if ([...taken.values()].reduce((sum, count) => sum + count, 0) >= perProcess)
    refuse(
      `${perProcess} exports or verifications of the audit log are in progress, which is the limit of this process`,
    );
  taken.set(key, own + 1);
  let isFree = false;
  return () => {
    if (isFree) return;
    isFree = true;
    const left = (taken.get(key) ?? 1) - 1;
    if (left === 0) taken.delete(key);
    else taken.set(key, left);
  };
}

function refuse(what: string): never {
  throw new ServiceError("rate_limited", `${what}; try again when one has finished.`, { retryAfterSeconds: 30 });
}
