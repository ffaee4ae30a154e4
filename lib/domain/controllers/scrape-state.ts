import { processStart } from "./component.ts";
import type { FoldedScrape, SeriesPresence } from "./fold-samples.ts";
import { isLater } from "./increases.ts";

/**
 * Why a scrape failed. `not-found`: the configured Prometheus has no fresh series of the component. `credentials`: a
 * file with our token or certificate cannot be read. `denied`: our token is not accepted.
 */
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
  "denied",
] as const;
export type ScrapeFailure = (typeof scrapeFailures)[number];

/** `absent`: nothing answers there, or the path does not exist. That is no sign of bad health. */
export const probeStates = ["ok", "failing", "absent"] as const;
export type ProbeState = (typeof probeStates)[number];

export type ScrapeVia = "endpoint" | "prometheus";

/** The outcome of one attempt. Times are in ISO 8601. */
export type ScrapeAttempt = {
  at: string;
  via: ScrapeVia;
  everySeconds: number;
  durationMs: number;
  result: { ok: true; folded: FoldedScrape } | { ok: false; code: ScrapeFailure; message: string };
  /** Absent if no probe is configured. */
  probe?: { state: ProbeState; message: string | null };
};

/**
 * A time in which a probe fails again and again. Kubernetes restarts a container whose probe fails: in between nothing
 * answers there, or the new process has not failed yet. `quiet`: for how many attempts in a row it did not fail.
 */
export type ProbeFailure = {
  since: string;
  lastAt: string;
  message: string | null;
  quiet: { state: Exclude<ProbeState, "failing">; attempts: number } | null;
};

/** The state of the scrapes of one component. Times are in ISO 8601. */
export type ScrapeState = {
  /** Of the newest attempt. */
  at: string;
  via: ScrapeVia;
  everySeconds: number;
  durationMs: number;
  error: { code: ScrapeFailure; message: string; since: string } | null;
  lastOkAt: string | null;
  /** Since when every scrape succeeded; null while they fail. */
  upSince: string | null;
  /** Since when every scrape failed; null while they succeed. */
  failingSince: string | null;
  consecutiveFailures: number;
  /** As last read from the metrics. */
  version: string | null;
  /** By `process_start_time_seconds`. */
  startedAt: string | null;
  /** How often it was started again while Gatehouse scraped it. */
  restarts: number;
  probe: { state: ProbeState; message: string | null; since: string; failure: ProbeFailure | null } | null;
  /** By the key of the series, at the last successful scrape. */
  presence: Readonly<Record<string, SeriesPresence>>;
};

/** Returns the state after an attempt. A failed one keeps the values of the last successful one. */
export function advanceScrape(before: ScrapeState | undefined, attempt: ScrapeAttempt): ScrapeState {
  const { at, via, everySeconds, durationMs, result } = attempt;
  const probe = advanceProbe(before, attempt);
  if (!result.ok)
    return {
      ...{ at, via, everySeconds, durationMs, probe },
      error: { code: result.code, message: result.message, since: errorSince(before, attempt, result.code) },
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
    restarts: (before?.restarts ?? 0) + (isLater(parse(before?.startedAt), parse(startedAt)) ? 1 : 0),
    presence: folded.presence,
  };
}

function errorSince(before: ScrapeState | undefined, { at }: ScrapeAttempt, code: ScrapeFailure): string {
  return before?.error?.code === code ? before.error.since : at;
}

function advanceProbe(before: ScrapeState | undefined, attempt: ScrapeAttempt): ScrapeState["probe"] {
  const { at, probe } = attempt;
  if (probe === undefined) return null;
  const since = before?.probe?.state === probe.state ? before.probe.since : at;
  return { ...probe, since, failure: advanceFailure(before?.probe?.failure ?? undefined, { ...attempt, probe }) };
}

/** The probe was well at each attempt of this time, and at least twice. */
const wellMs = 60_000;
/**
 * Kubernetes waits up to five minutes before it restarts a container. A process away for longer than this is not coming
 * back.
 */
const awayMs = 600_000;

function advanceFailure(
  before: ProbeFailure | undefined,
  { at, everySeconds, probe: { state, message } }: ScrapeAttempt & Required<Pick<ScrapeAttempt, "probe">>,
): ProbeFailure | null {
  if (state === "failing") return { since: before?.since ?? at, lastAt: at, message, quiet: null };
  if (before === undefined) return null;
  const attempts = (before.quiet?.state === state ? before.quiet.attempts : 0) + 1;
  const quietMs = (attempts - 1) * everySeconds * 1000;
  if (attempts > 1 && quietMs >= (state === "ok" ? wellMs : awayMs)) return null;
  return { ...before, quiet: { state, attempts } };
}

function startOf({ values }: FoldedScrape): string | undefined {
  // Of several processes, that of the newest.
  const seconds = values.filter(({ series }) => series === processStart).map(({ value }) => value);
  const date = new Date(Math.max(...seconds) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function parse(at: string | null | undefined): number | undefined {
  return at === null || at === undefined ? undefined : Date.parse(at);
}
