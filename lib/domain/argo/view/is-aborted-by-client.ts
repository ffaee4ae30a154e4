import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { parseAbortMessage } from "./parse-abort-message.ts";

/**
 * Whether the abort that is in force was asked for by a client, such as a person, rather than decided by the
 * controller.
 * False if that is not known.
 */
export function isAbortedByClient({ status }: RolloutObject): boolean {
  const progressing = status.conditions?.find(({ type }) => type === "Progressing");
  if (!status.abort || progressing?.reason !== "RolloutAborted") return false;
  const abort = parseAbortMessage(progressing.message);
  return abort !== undefined && abort.cause === undefined;
}
