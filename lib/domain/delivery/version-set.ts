import type { ReleaseState } from "#lib/domain/delivery/derive-releases.ts";
import type { AttentionReason } from "#lib/domain/delivery/detail.ts";
import { splitImage } from "#lib/domain/kube/read-image-version.ts";
import { groupOfReason } from "#lib/domain/waiting/rank-wait.ts";
import { formatCount } from "#lib/util/words.ts";

/** How far a rollout has got with a version, the most urgent first. */
export const standings = [
  "inconclusive",
  "waiting",
  "degraded",
  "aborted",
  "underway",
  "notBegun",
  "leaving",
  "unknown",
  "promoted",
] as const;
export type Standing = (typeof standings)[number];

export type StandingCounts = Record<Standing, number>;

/** An image reference in its parts. The version is the tag or the digest; the repository is everything before it. */
export type ImageParts = { repository: string; versions: string[] };

/** Splits an image reference such as `registry:5000/shop/app:v1@sha256:ab`. */
export function parseImage(image: string): ImageParts {
  const { repository, tag, digest } = splitImage(image);
  return { repository, versions: [tag, digest].filter((version) => version !== undefined) };
}

/** The version that a set is about; with a repository, only in images of that repository. */
export type WantedVersion = { version: string; repository?: string | undefined };

/** Returns whether an image has the version. */
export function hasVersion(image: string, { version, repository }: WantedVersion): boolean {
  const parts = parseImage(image);
  return parts.versions.includes(version) && (repository === undefined || parts.repository === repository);
}

export type StandingFacts = {
  /** Whether the revision that the rollout wants has the version, and whether pods that serve have it. */
  wants: boolean;
  serves: boolean;
  /** Of the release of the wanted revision; null without one. */
  releaseState: ReleaseState | null;
  attention: AttentionReason | null;
  phase: string;
};

/** Returns how far a rollout has got with a version. */
export function findStanding({ wants, serves, releaseState, attention, phase }: StandingFacts): Standing {
  if (!wants && !serves) return "notBegun";
  // After an abort of the next version this one goes on serving.
  if (!wants) return releaseState === "aborted" ? "promoted" : "leaving";
  if (attention === "inconclusive") return "inconclusive";
  if (releaseState === "aborted") return "aborted";
  if (attention !== null && groupOfReason[attention] === "decide") return "waiting";
  if (attention === "degraded" || phase === "Degraded") return "degraded";
  if (releaseState === "promoted") return "promoted";
  if (releaseState === "progressing" || releaseState === "paused") return "underway";
  if (phase === "Healthy") return "promoted";
  return phase === "Progressing" || phase === "Paused" ? "underway" : "unknown";
}

/** In the order of the sentence. */
export const standingWords: Readonly<Record<Standing, string>> = {
  promoted: "promoted",
  inconclusive: "inconclusive",
  waiting: "waiting for a person",
  degraded: "degraded",
  aborted: "aborted",
  underway: "in progress",
  leaving: "being replaced",
  notBegun: "not begun",
  unknown: "unknown",
};

/** Counts members by standing. */
export function countStandings(members: readonly { standing: Standing }[]): StandingCounts {
  const counts = Object.fromEntries(standings.map((standing) => [standing, 0])) as StandingCounts;
  for (const { standing } of members) counts[standing] += 1;
  return counts;
}

/** Returns "v2.31.0: promoted in 31 of 40, inconclusive in 2, aborted in 1, not begun in 6". */
export function formatSetSentence(version: string, counts: StandingCounts): string {
  return `${version}: ${formatStandings(counts)}`;
}

/** The same without the version. */
export function formatStandings(counts: Readonly<StandingCounts>): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const told = (Object.keys(standingWords) as Standing[]).filter((each) => each === "promoted" || counts[each] > 0);
  const parts = told.map((standing) => {
    const part = `${standingWords[standing]} in ${formatCount(counts[standing])}`;
    return standing === "promoted" ? `${part} of ${formatCount(total)}` : part;
  });
  return parts.join(", ");
}
