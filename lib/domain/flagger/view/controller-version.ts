import { gte, parse } from "semver";

/**
 * Flagger's reaction to a primary that fails during a promotion. `stuck`: it waits for ever. `outage`: it sends all
 * traffic to the failed primary and removes the canary. `canary-serves`: it sends all traffic to the canary.
 */
export type FailureMode = "stuck" | "outage" | "canary-serves";

/**
 * Reads a version from `flagger_info`'s label or from an image reference: `1.44.0`, `v1.44.0`,
 * `ghcr.io/fluxcd/flagger:1.44.0@sha256:...`. Undefined if the text has none, such as `main-0a1b2c3`.
 */
export function readFlaggerVersion(text: string): string | undefined {
  const [reference = ""] = text.trim().split("@");
  const tag = reference.includes("/") || reference.includes(":") ? tagOf(reference) : reference;
  return parse(tag)?.raw.replace(/^v/, "");
}

/**
 * Returns Flagger's reaction to a failed promotion (#1603 in 1.36.1, #1931 in 1.44.0). An unknown version counts as one
 * that causes an outage, and a pre-release as older than its release.
 */
export function readFailureMode(version: string | undefined): FailureMode {
  const known = readFlaggerVersion(version ?? "");
  if (known === undefined) return "outage";
  if (gte(known, "1.44.0")) return "canary-serves";
  // A pre-release of 1.36.1 may have its rollback already.
  return gte(known, "1.36.1-0") ? "outage" : "stuck";
}

/** Returns whether Flagger supports `spec.suspend` (#1431 in 1.32.0); true for an unknown version. */
export function knowsSuspend(version: string | undefined): boolean {
  const known = readFlaggerVersion(version ?? "");
  return known === undefined || gte(known, "1.32.0");
}

function tagOf(reference: string): string {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  return name.includes(":") ? name.slice(name.indexOf(":") + 1) : "";
}
