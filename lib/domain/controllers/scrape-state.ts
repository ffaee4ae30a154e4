import type { FoldedScrape, SeriesPresence } from "./fold-samples.ts";

/** Why a scrape failed. `not-found`: the configured Prometheus has no fresh series of it. */
export const scrapeFailures = [
  "unreachable",
  "timeout",
  "refused",
  "too-large",
  "not-metrics",
  "truncated",
  "malformed",
  "not-found",
  "credentials",
] as const;
export type ScrapeFailure = (typeof scrapeFailures)[number];

/** `absent`: nothing answers there, or it does not know the path. That is no sign of bad health. */
export const probeStates = ["ok", "failing", "absent"] as const;
export type ProbeState = (typeof probeStates)[number];

export type ScrapeVia = "endpoint" | "prometheus";

/** What one attempt gave. Times are in ISO 8601. */
export type ScrapeAttempt = {
  at: string;
  via: ScrapeVia;
  everySeconds: number;
  durationMs: number;
  result: { ok: true; folded: FoldedScrape } | { ok: false; code: ScrapeFailure; message: string };
  /** Absent if no probe is configured. */
  probe?: { state: ProbeState; message: string | null };
};

/** What is known of the scrapes of one component. Times are in ISO 8601. */
export type ScrapeState = {
  /** Of the newest attempt. */
  at: string;
  via: ScrapeVia;
  everySeconds: number;
  durationMs: number;
  error: { code: ScrapeFailure; message: string } | null;
  lastOkAt: string | null;
  /** Since when every scrape succeeded; null while they fail. */
  upSince: string | null;
  /** Since when every scrape failed; null while they succeed. */
  failingSince: string | null;
  consecutiveFailures: number;
  /** As the metrics last said it. */
  version: string | null;
  /** By `process_start_time_seconds`. */
  startedAt: string | null;
  /** How often it was started again while Gatehouse scraped it. */
  restarts: number;
  probe: { state: ProbeState; message: string | null; since: string } | null;
  /** By the key of the series, at the last successful scrape. */
  presence: Readonly<Record<string, SeriesPresence>>;
};

/** Two readings of one start differ by rounding. */
const sameStartMs = 2000;

/** Returns the state after an attempt. A failed one keeps what the last successful one said. */
export function advanceScrape(before: ScrapeState | undefined, attempt: ScrapeAttempt): ScrapeState {
  const { at, via, everySeconds, durationMs, result } = attempt;
  const probe = advanceProbe(before, attempt);
  if (!result.ok)
    return {
      ...{ at, via, everySeconds, durationMs, probe },
      error: { code: result.code, message: result.message },
      lastOkAt: before?.lastOkAt ?? null,
      upSince: null,
      failingSince: before?.failingSince ?? at,
      consecutiveFailures: (before?.consecutiveFailures ?? 0) + 1,
      version: before?.version ?? null,
      startedAt: before?.startedAt ?? null,
      restarts: before?.restarts ?? 0,
      presence: before?.presence ?? {},
    };
  const { folded } = result;
  const startedAt = startOf(folded) ?? before?.startedAt ?? null;
  return {
    ...{ at, via, everySeconds, durationMs, probe, startedAt },
    error: null,
    lastOkAt: at,
    upSince: before?.upSince ?? at,
    failingSince: null,
    consecutiveFailures: 0,
    version: folded.version ?? null,
    restarts: (before?.restarts ?? 0) + (isOtherStart(before?.startedAt ?? null, startedAt) ? 1 : 0),
    presence: folded.presence,
  };
}

function advanceProbe(before: ScrapeState | undefined, { at, probe }: ScrapeAttempt): ScrapeState["probe"] {
  if (probe === undefined) return null;
  const since = before?.probe?.state === probe.state ? before.probe.since : at;
  return { ...probe, since };
}

function startOf({ values }: FoldedScrape): string | undefined {
  const seconds = values.find(({ series }) => series === "process-start")?.value;
  const date = seconds === undefined ? undefined : new Date(seconds * 1000);
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function isOtherStart(before: string | null, after: string | null): boolean {
  return before !== null && after !== null && Date.parse(after) - Date.parse(before) > sameStartMs;
}
