import type { ControllerFacts, ControllerWorkload } from "./facts.ts";
import type { ScrapeFailure, ScrapeState, ScrapeVia } from "./scrape-state.ts";

/**
 * `up`: it answers. `unwell`: it answers, but its probe fails. `down`: it does not answer, or none of its pods is
 * ready. `unknown`: it was not scraped lately, no scrape is configured, or Gatehouse cannot scrape it: this is no sign
 * of its health.
 */
export type ControllerState = "up" | "unwell" | "down" | "unknown";

/**
 * Why it is in this state. `scaled-down`: it has no pods because none are desired. `prometheus-silent`: the Prometheus
 * does not answer, or not to us. `no-credentials`: our token or certificate cannot be read. `denied`: our token is not
 * accepted.
 */
export const stateReasons = [
  ...(["answers", "pods-ready", "probe-failing", "not-answering", "no-pods", "scaled-down"] as const),
  ...(["one-failure", "not-asked", "not-configured", "not-in-prometheus"] as const),
  ...(["prometheus-silent", "no-credentials", "denied"] as const),
] as const;
export type StateReason = (typeof stateReasons)[number];

export type Assessment = {
  state: ControllerState;
  reason: StateReason;
  /** Since when, in ISO 8601; undefined if that is not known. */
  since: string | undefined;
};

/** One failed scrape may be a lost packet or a restart. */
const failuresUntilDown = 2;

/** Judges whether a controller is up, by the newest scrape and its recorded workloads. */
export function assessController(facts: Omit<ControllerFacts, "samples">): Assessment {
  const { scrape, workloads } = facts;
  const desired = sum(workloads, "desired");
  if (scrape !== undefined && isFresh(scrape, facts)) {
    if (scrape.error === null && scrape.probe?.state === "failing")
      return { state: "unwell", reason: "probe-failing", since: scrape.probe.since };
    if (scrape.error === null) return { state: "up", reason: "answers", since: scrape.upSince ?? undefined };
    const since = scrape.failingSince ?? undefined;
    if (workloads.length > 0 && desired === 0) return { state: "down", reason: "scaled-down", since };
    const blindness = findBlindness(scrape.via, scrape.error.code);
    if (blindness !== undefined) {
      // The record of its pods does not depend on how its metrics are read.
      return workloads.length > 0 && sum(workloads, "ready") === 0
        ? { state: "down", reason: "no-pods", since: availableSince(workloads) }
        : { state: "unknown", reason: blindness, since: scrape.error.since };
    }
    return scrape.consecutiveFailures >= failuresUntilDown
      ? { state: "down", reason: "not-answering", since }
      : { state: "unknown", reason: "one-failure", since };
  }
  if (workloads.length > 0) {
    const since = availableSince(workloads);
    if (desired === 0) return { state: "down", reason: "scaled-down", since: undefined };
    return sum(workloads, "ready") > 0
      ? { state: "up", reason: "pods-ready", since }
      : { state: "down", reason: "no-pods", since };
  }
  if (scrape !== undefined) return { state: "unknown", reason: "not-asked", since: scrape.at };
  return { state: "unknown", reason: facts.via === undefined ? "not-configured" : "not-asked", since: undefined };
}

/** Returns why a failed scrape is no sign of the controller's own state; undefined if it is one. */
function findBlindness(via: ScrapeVia, code: ScrapeFailure): StateReason | undefined {
  if (code === "not-found") return "not-in-prometheus";
  if (via === "prometheus") return "prometheus-silent";
  if (code === "credentials") return "no-credentials";
  return code === "denied" ? "denied" : undefined;
}

/** Returns whether the last attempt is recent enough to count. */
function isFresh({ at, everySeconds }: ScrapeState, { now, via }: Pick<ControllerFacts, "now" | "via">): boolean {
  return via !== undefined && Date.parse(now) - Date.parse(at) <= (3 * everySeconds + 15) * 1000;
}

function sum(workloads: readonly ControllerWorkload[], field: "desired" | "ready"): number {
  return workloads.reduce((total, workload) => total + workload[field], 0);
}

/** The last change of the condition `Available`; undefined for several workloads. */
function availableSince(workloads: readonly ControllerWorkload[]): string | undefined {
  const [workload, ...others] = workloads;
  if (others.length > 0) return undefined;
  return workload?.conditions.find(({ type }) => type === "Available")?.lastTransitionTime ?? undefined;
}
