import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction, Release } from "#lib/contract/rollout.ts";
import { wordMessage } from "#lib/domain/controller-words.ts";
import { endSentence } from "#lib/util/words.ts";

type Known = Pick<Release, "runKey" | "state" | "message" | "acts">;

type WarnInput = {
  offer: Pick<AllowedAction, "revisions">;
  params: ActionParams;
  /** Newest first: of several releases of a revision, the last counts. */
  releases: readonly Known[];
};

/** Warns of going back to a revision whose release was aborted, and says why it was; undefined for any other. */
export function warnOfAborted({ offer, params, releases }: WarnInput): string | undefined {
  const chosen = offer.revisions?.find(({ revision }) => revision === params.toRevision);
  const release = chosen && releases.find(({ runKey }) => runKey === chosen.podHash);
  if (release?.state !== "aborted") return undefined;
  const { message, acts } = release;
  const fact = `The release of revision ${params.toRevision} was aborted`;
  const reason = acts.latest.find(({ action }) => action === "abort")?.reason ?? "";
  if (reason !== "") return `${fact}: "${reason}"`;
  return endSentence([fact, wordMessage(message)].filter((part) => part !== "").join(": "));
}
