import { setTimeout as sleep } from "node:timers/promises";
import type { ActionAccepted } from "#lib/contract/action.ts";
import { isProblemCode } from "#lib/contract/problem.ts";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import { readStoredAnswer } from "#lib/server/acting/act/action-attempt.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { type ActionRow, findAction, StoredPlan } from "#lib/server/records/action-store.ts";
import { readStoredRequest } from "#lib/server/records/stored-request.ts";
import { basePathOf } from "#lib/util/base-path.ts";

const waitForTwinMs = 40_000;

/** Returns the answer that the same request got before; waits while the first request is still running. */
export async function answerAgain({ ctx, row }: { ctx: ActingContext; row: ActionRow }): Promise<ActionAccepted> {
  const endsAt = Date.now() + waitForTwinMs;
  let twin = row;
  while (twin.state === "requested" && Date.now() < endsAt) {
    await sleep(100);
    twin = (await findAction(ctx.runtime.pool, row.id)) ?? twin;
  }
  if (twin.state === "requested")
    throw new ServiceError("conflict", "The same request is still in progress.", { actionId: twin.id });
  if (twin.state === "refused") {
    const { code = "", answer } = StoredPlan.safeParse(twin.plan).data?.refusal ?? {};
    const extra = { ...readStoredAnswer(answer), actionId: twin.id };
    throw new ServiceError(isProblemCode(code) ? code : "conflict", twin.message, extra);
  }
  return acceptedOf({
    ctx,
    id: twin.id,
    path: twin,
    subject: readStoredRequest(twin).subject ?? undefined,
    state: twin.state === "effective" || twin.state === "not-effective" ? "applied" : twin.state,
    auditSeq: Number(twin.intent_seq ?? 0),
  });
}

/** Builds the answer to an accepted action. */
export function acceptedOf({
  ctx,
  id,
  path,
  subject,
  state,
  auditSeq,
}: Pick<ActionAccepted, "id" | "state" | "auditSeq"> & {
  ctx: ActingContext;
  path: ObjectRef;
  subject: ActionSubject | undefined;
}): ActionAccepted {
  const address = formatObjectRef(path).split("/").map(encodeURIComponent).join("/");
  const api = `${basePathOf(ctx.runtime.config().config.publicUrl)}/api/v1`;
  const of = subject?.kind === "Experiment" ? "experiments" : "analysis-runs";
  return {
    id,
    state,
    auditSeq,
    links: {
      self: `${api}/actions/${id}`,
      ...(isRolloutKind(path.kind) ? { rollout: `${api}/rollouts/${address}` } : {}),
      ...(subject === undefined ? {} : { subject: `${api}/${of}/${encodeURIComponent(subject.uid)}` }),
      audit: `${api}/audit/${auditSeq}`,
    },
  };
}
