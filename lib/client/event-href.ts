import { safeCallbackPath } from "#lib/util/safe-callback-path.ts";

/** Only compared with: whatever origin the page has, the path must not leave it. */
const anyOrigin = "https://gatehouse.invalid";

/** Returns the address of an event's evidence: a page of ours, or the front page for any other text. */
export function eventHref(path: string): string {
  return safeCallbackPath(path, anyOrigin);
}
