import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import type { Release } from "#lib/contract/rollout.ts";
import { isAbortOnRequest, wordMessage } from "#lib/domain/controller-words.ts";

type Named = Pick<Release, "revision" | "runKey" | "attempt">;

/** Shortens the hash of a version; the first digits tell the versions of a rollout apart. */
export function shortenKey(key: string): string {
  return key.slice(0, 7);
}

/** Names a release within its rollout: "revision 12, attempt 2". */
export function nameRelease(release: Named): string {
  return `${release.revision === null ? "version" : "revision"} ${numberRelease(release)}`;
}

/** Names it below a heading that says "Revision": "12, attempt 2". */
export function numberRelease({ revision, runKey, attempt }: Named): string {
  const number = revision === null ? shortenKey(runKey) : String(revision);
  return attempt > 1 ? `${number}, attempt ${attempt}` : number;
}

type Worded = Pick<Release, "sentence" | "message" | "acts">;

/** Words why a release waits, or its message; empty for "Aborted on request" if an act says who aborted it. */
export function wordReleaseMessage({ sentence, message, acts }: Worded): string {
  if (sentence !== null) return sentence;
  const isTold = isAbortOnRequest(message) === true && acts.latest.some(({ action }) => action === "abort");
  return isTold ? "" : wordMessage(message);
}

type NamedRun = Pick<AnalysisRunSummary, "name" | "revision" | "type" | "stepIndex"> & {
  rollout: { namespace: string; name: string } | null;
};

/** Names a run for people: `payments/checkout, revision 12, step 4`; by its own name if no rollout owns it. */
export function nameRun({ name, rollout, revision, type, stepIndex }: NamedRun): string {
  if (rollout === null) return name;
  const parts = [`${rollout.namespace}/${rollout.name}`];
  if (revision !== null) parts.push(`revision ${revision}`);
  if (type === "Step" && stepIndex !== null) parts.push(`step ${stepIndex + 1}`);
  else if (type === "Background") parts.push("background");
  return parts.join(", ");
}
