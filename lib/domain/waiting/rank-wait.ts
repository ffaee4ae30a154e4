import type { Attention, AttentionReason } from "#lib/domain/delivery/detail.ts";

/** Groups of waits, in the order of the inbox: the release waits for a decision, has failed, or needs a look. */
export const waitGroups = ["decide", "fix", "look"] as const;
export type WaitGroup = (typeof waitGroups)[number];

/** Every rollout has one need, the most urgent first. */
export const rolloutNeeds = [...waitGroups, "underway", "other", "healthy"] as const;
export type RolloutNeed = (typeof rolloutNeeds)[number];

export const groupOfReason: Readonly<Record<AttentionReason, WaitGroup>> = {
  inconclusive: "decide",
  gate: "decide",
  pause: "decide",
  blueGreenPromotion: "decide",
  degraded: "fix",
  finding: "look",
};

/** Returns the group of a wait. A critical finding has to be fixed, such as bad values on live traffic. */
export function groupOfWait({ reason, severity }: Pick<Attention, "reason" | "severity">): WaitGroup {
  return reason === "finding" && severity === "critical" ? "fix" : groupOfReason[reason];
}

export type RankedWait = {
  isSnoozed: boolean;
  reason: AttentionReason;
  /** Traffic on the new version in percent; null if it is not known. */
  traffic: number | null;
  severity: Attention["severity"];
};

const severities: Record<Attention["severity"], number> = { critical: 0, warning: 1, info: 2 };

/** Above every place of a wait that is not snoozed. */
export const snoozedPlace = 10_000_000;

/** Two places per thousandth of a percent, so that an unknown weight fits between two known ones. */
export const placesPerPercent = 2_000;
const lastPlace = 100 * placesPerPercent;

/** The distance between groups. It exceeds the last place within a group. */
export const groupPlaces = 3_000_000;

/** Returns whether a wait is a critical repair of a version that serves traffic: it comes before every decision. */
export function isUrgent({ reason, severity, traffic }: Omit<RankedWait, "isSnoozed">): boolean {
  return groupOfWait({ reason, severity }) === "fix" && severity === "critical" && traffic !== null && traffic > 0;
}

/**
 * Ranks a wait: the smaller, the higher in the inbox. Snoozed ones come last. Before that come urgent ones, and then the
 * others by need. Waits of one rank are ordered by age, oldest first. `waitRank` in
 * `lib/server/pages/inbox/wait-rank.ts` is the same in SQL.
 */
export function rankWait({ isSnoozed, ...wait }: RankedWait): number {
  if (isSnoozed) return snoozedPlace + rankNeed(wait);
  return isUrgent(wait) ? rankNeed(wait) - waitGroups.length * groupPlaces : rankNeed(wait);
}

/**
 * Ranks a wait by group. Within a group, more live traffic on the new
 * version comes first, and unknown traffic before none; then the higher severity.
 */
function rankNeed({ reason, traffic, severity }: Omit<RankedWait, "isSnoozed">): number {
  const place = traffic === null ? lastPlace - 1 : lastPlace - 2 * Math.round(clip(traffic) * (placesPerPercent / 2));
  const group = waitGroups.indexOf(groupOfWait({ reason, severity }));
  return group * groupPlaces + place * 10 + severities[severity];
}

function clip(percent: number): number {
  return Math.min(100, Math.max(0, percent));
}
