import type { ActionRequest } from "#lib/contract/action.ts";
import { type ActionParams, type ActionSubject, readActionParams } from "#lib/domain/acting/action-params.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { ActionAttempt } from "#lib/server/acting/act/action-attempt.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { isBlank } from "#lib/util/is-blank.ts";

/** Builds the request as it is hashed, stored and audited. */
export function attemptOf({
  ctx,
  path,
  input,
  subject,
}: {
  ctx: ActingContext;
  path: ObjectRef;
  input: ActionRequest & ActionParams;
  subject?: ActionSubject;
}): ActionAttempt {
  const { action, expect, breakGlass, approval } = input;
  const text = input.reason?.toWellFormed().trim() ?? "";
  const reason = isBlank(text) ? undefined : text;
  const params = readActionParams(input);
  return { ctx, path, request: { action, params, subject, expect, breakGlass, approval, reason }, id: undefined };
}
