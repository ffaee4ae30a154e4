import type { Release } from "#lib/contract/rollout.ts";

type Named = Pick<Release, "revision" | "runKey" | "attempt">;

/** Names a release within its rollout: "revision 12, attempt 2". */
export function nameRelease(release: Named): string {
  return `${release.revision === null ? "version" : "revision"} ${numberRelease(release)}`;
}

/** Names it below a heading that says "Revision": "12, attempt 2". */
export function numberRelease({ revision, runKey, attempt }: Named): string {
  const number = revision === null ? runKey : String(revision);
  return attempt > 1 ? `${number}, attempt ${attempt}` : number;
}
