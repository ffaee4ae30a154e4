import type { Release } from "#lib/contract/rollout.ts";

/** Names a release within its rollout: "revision 12, attempt 2". */
export function nameRelease({ revision, runKey, attempt }: Pick<Release, "revision" | "runKey" | "attempt">): string {
  const name = revision === null ? `version ${runKey}` : `revision ${revision}`;
  return attempt > 1 ? `${name}, attempt ${attempt}` : name;
}
