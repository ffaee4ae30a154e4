import type { AttentionReason } from "#lib/domain/delivery/detail.ts";
import { nameVersion } from "#lib/domain/oversight/end-of-concern.ts";
import type { RolloutFacts } from "#lib/domain/oversight/rollout-facts.ts";
import type { Evidence, Rule } from "#lib/domain/oversight/rule.ts";

const waits: Readonly<Partial<Record<AttentionReason, string>>> = {
  inconclusive: "Undecided",
  pause: "Paused",
  blueGreenPromotion: "Switch of the active service waiting",
  gate: "Waiting for approval",
};

/** A rollout waits for a person for longer than its scope allows. */
export const waitingTooLong: Rule<RolloutFacts> = {
  id: "waiting-too-long",
  about: "rollout",
  severity: "warning",
  name: "Waiting too long",
  explanation:
    "The rollout has waited for a person for longer than the limit of its scope. Two versions serve traffic meanwhile, or a release is held up.",
  advice: "Decide in the inbox: continue, accept, or abort. Acknowledge it if it may wait.",
  find: ({ wait, limits, now, weight }) => {
    const words = wait && waits[wait.reason];
    if (wait === undefined || words === undefined) return [];
    const minutes = wait.reason === "inconclusive" ? limits.inconclusiveMinutes : limits.waitingMinutes;
    if (Date.parse(now) - Date.parse(wait.since) < minutes * 60_000) return [];
    const evidence: Evidence[] = [
      { label: "Waiting since", value: wait.since, at: wait.since },
      { label: "Limit", value: `${minutes} minutes` },
      ...(weight === null ? [] : [{ label: "Weight on the new version", value: `${weight} %` }]),
    ];
    const title = `${words} for more than ${formatMinutes(minutes)}`;
    return [{ key: `${wait.reason} ${wait.since}`, severity: "warning", title, since: wait.since, evidence }];
  },
};

/** Formats `45 minutes`, `1 hour`, `4 hours` or `2 days`. */
function formatMinutes(minutes: number): string {
  if (minutes % 1440 === 0 && minutes > 1440) return `${minutes / 1440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? "1 hour" : `${minutes / 60} hours`;
  return `${minutes} minutes`;
}

/** How long an aborted version may still get traffic: the controller changes the route within seconds. */
export const trafficAfterAbortMs = 60_000;

/** The rollout was aborted, and its new version still gets traffic. */
export const trafficAfterAbort: Rule<RolloutFacts> = {
  id: "traffic-after-abort",
  about: "rollout",
  severity: "critical",
  name: "Aborted, but still serving",
  badge: "Aborted, still serving",
  explanation:
    "The release was aborted, but its version still gets traffic: the route was not changed, pods of the stable version are missing, or the active service still selects the aborted version.",
  advice:
    "Check the route and the stable pods. Roll back to the stable revision if the controller does not send the traffic back.",
  find: (facts) => {
    const last = facts.observations.at(-1);
    const state = last?.state;
    // The provider knows more about this case than its numbers say.
    if (state === undefined || !state.isAborted || state.isDeleted || facts.troubles.length > 0) return [];
    const isServed = typeof state.servedKey === "string" && state.servedKey === state.runKey;
    const serves =
      isServed || (state.servedKey === undefined || state.servedKey === null ? (facts.weight ?? 0) > 0 : false);
    if (!serves || state.runKey === state.stableKey) return [];
    const since = firstAborted(facts)?.observedAt ?? facts.now;
    // A weight that was read sooner may have been taken back since.
    const seenAt = isServed ? facts.now : (facts.weightAt ?? facts.now);
    if (Date.parse(seenAt) - Date.parse(since) < trafficAfterAbortMs) return [];
    const name = nameVersion(state.runKey, facts);
    const evidence: Evidence[] = [
      { label: "Aborted", value: state.abortText, at: since },
      isServed
        ? { label: "Active service", value: `selects ${name}` }
        : { label: facts.weightFrom === "route" ? "Weight of the route" : "Weight", value: `${facts.weight} %` },
    ];
    const title = isServed
      ? `Aborted, but the active service still selects ${name}`
      : `Aborted, but ${name} still gets ${facts.weight} % of the traffic`;
    const key = `${state.runKey} ${state.abortedAt ?? ""}`;
    return [{ key, severity: "critical", title, since, evidence, runKey: state.runKey }];
  },
};

/** Returns the first observation of the abort that is in force. */
function firstAborted({ observations }: RolloutFacts) {
  const lastOther = observations.findLastIndex(({ state }) => !state.isAborted);
  return observations[lastOther + 1];
}
