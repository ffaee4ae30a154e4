import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { parseAbortMessage } from "./parse-abort-message.ts";

/**
 * Returns whether the current abort was requested by a client, such as a person, rather than decided by the controller.
 * False if that is unknown.
 */
export function isAbortedByClient({ status }: RolloutObject): boolean {
  const progressing = status.conditions?.find(({ type }) => type === "Progressing");
  if (!status.abort || progressing?.reason !== "RolloutAborted") return false;
  const abort = parseAbortMessage(progressing.message);
  return abort !== undefined && abort.cause === undefined;
}
