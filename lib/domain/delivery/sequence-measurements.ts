import type { Measurement, MetricResult } from "#lib/domain/delivery/measuring.ts";
import { isTime } from "#lib/domain/storable/escape-text.ts";

export type SequencedMeasurement = {
  /** Counts finished measurements of the metric from 1; one in flight has the number that it will get. */
  seq: number;
  /** RFC 3339, as received; if the measurement has none, the time when it finished or the run began. */
  startedAt: string;
  finishedAt: string | undefined;
  phase: string;
  value: string | undefined;
  message: string;
  metadata?: Measurement["metadata"];
  /** Whether another one is known under its number, so that this one was retaken. */
  isTakenAgain: boolean;
  /** Whether it is the finished form of one that is known as in flight. */
  isEnd: boolean;
};

export type MeasurementGap = { afterSeq: number; count: number };
export type KnownMeasurement = {
  seq: number;
  startedAt: string;
  /**
   * Its content, which distinguishes it from another one of the same second; see `contentOf`. Undefined while in
   * flight.
   */
  content?: string | undefined;
};

export type Sequence = {
  measurements: SequencedMeasurement[];
  gaps: MeasurementGap[];
  /** Counters and list contradict each other: the numbers follow the order of startedAt. */
  inconsistent: boolean;
  /** The highest number that is now stored, or known to be lost. */
  lastSeq: number;
  /**
   * The known ones that no longer count because the controller retook them: those that replace them in the list count.
   * Complete only for the numbers from `countedFrom` on.
   */
  superseded: KnownMeasurement[];
  countedFrom: number;
};

type Counted = Pick<MetricResult, "measurements" | "count" | "error">;
type ContentOf = (measurement: Measurement) => string;

/** Returns whether the counters contradict the list: more finished measurements than were counted, or two in flight. */
export function contradictsCounters(result: Counted): boolean {
  const finished = result.measurements.filter(isFinished).length;
  return result.count + result.error < finished || result.measurements.length - finished > 1;
}

/**
 * Numbers the measurements that the cluster still has. `count` excludes errors, and old measurements are trimmed, so
 * the i-th finished one of the list has number (count + error) - finishedInList + i. `lastSeq` is the highest number
 * stored or lost before, 0 for none; numbers above it that the list no longer has are a gap. `known` is needed only if
 * the counters contradict the list or a measurement changed its place.
 *
 * The controller patches a run from a cache that may be stale, without a check of the version. The newest measurements
 * are then replaced by others while the counters stay the same (seen with Argo Rollouts 1.10.2, for 90 s after an
 * outage of the API server, and under load). The replacements have the same numbers, and the newest list counts.
 */
export function sequenceMeasurements({
  result,
  lastSeq,
  known,
  fallbackStart,
  contentOf = () => "",
}: {
  result: Counted;
  lastSeq: number;
  known: readonly KnownMeasurement[];
  fallbackStart: string;
  contentOf?: ContentOf;
}): Sequence {
  const finished = result.measurements.filter(isFinished);
  const inFlight = result.measurements.filter((measurement) => !isFinished(measurement));
  const total = result.count + result.error;
  const first = total - finished.length + 1;
  const numbers = finished.map((measurement, index) => numbered(measurement, first + index, fallbackStart));
  const bySeq = Map.groupBy(known, ({ seq }) => seq);
  const places = numbers.map((each, index) =>
    placeOf(each, { same: bySeq.get(each.seq) ?? nobody, content: () => contentOf(finished[index] ?? none) }),
  );
  if (contradictsCounters(result) || isDisplaced(places))
    return sequenceByStart({ list: result.measurements, lastSeq, known, fallbackStart });
  const listed = new Set(places.flatMap((place) => place.known ?? []));
  return {
    measurements: [
      ...numbers.map((each, index) => {
        const { state, known: same } = places[index] ?? {};
        return { ...each, isTakenAgain: state === "other", isEnd: same !== undefined && same.content === undefined };
      }),
      ...inFlight.map((measurement) => numbered(measurement, total + 1, fallbackStart)),
    ],
    gaps: first > lastSeq + 1 ? [{ afterSeq: lastSeq, count: first - lastSeq - 1 }] : [],
    inconsistent: false,
    lastSeq: Math.max(lastSeq, total),
    superseded: known.filter(
      (each) => each.seq >= first && !listed.has(each) && (each.content !== undefined || each.seq <= total),
    ),
    countedFrom: first,
  };
}

const nobody: readonly KnownMeasurement[] = [];
const none: Measurement = {
  phase: "",
  message: "",
  value: undefined,
  startedAt: undefined,
  finishedAt: undefined,
};

/**
 * How a measurement in the list relates to the known ones: the same, a different one under a known number, or a new
 * number.
 */
type Place = { state: "known" | "other" | "new"; known: KnownMeasurement | undefined };

const unknown: Place = { state: "new", known: undefined };

function placeOf(
  { startedAt }: SequencedMeasurement,
  { same, content }: { same: readonly KnownMeasurement[]; content: () => string },
): Place {
  // The usual case, up to ten thousand times in a run.
  if (same.length === 0) return unknown;
  const start = Date.parse(startedAt);
  const found = same.find(
    (each) => Date.parse(each.startedAt) === start && (each.content === undefined || each.content === content()),
  );
  if (found !== undefined) return { state: "known", known: found };
  return { state: "other", known: undefined };
}

/**
 * Returns whether known measurements were replaced. startedAt is the cross-check: a number stored with another start is
 * not the same measurement. If others of the list are in their old places, or only the newest one changed, it was
 * retaken; else the numbers are wrong.
 */
function isDisplaced(places: readonly Place[]): boolean {
  const others = places.filter(({ state }) => state === "other").length;
  if (others === 0 || places.some(({ state }) => state === "known")) return false;
  return !(others === 1 && places.at(-1)?.state === "other");
}

/** Numbers measurements by start: stored ones keep their number; new ones follow in the order of their start. */
function sequenceByStart(options: {
  list: readonly Measurement[];
  lastSeq: number;
  known: readonly KnownMeasurement[];
  fallbackStart: string;
}): Sequence {
  const { list, known, fallbackStart } = options;
  const seqByStart = new Map(known.map((each) => [Date.parse(each.startedAt), each.seq]));
  let next = known.reduce((highest, { seq }) => Math.max(highest, seq), Math.max(options.lastSeq, 0)) + 1;
  const ordered = list.toSorted(
    (one, other) => Date.parse(startOf(one, fallbackStart)) - Date.parse(startOf(other, fallbackStart)),
  );
  let lastSeq = options.lastSeq;
  const measurements = ordered.map((measurement) => {
    const seq = seqByStart.get(Date.parse(startOf(measurement, fallbackStart))) ?? next++;
    if (isFinished(measurement)) lastSeq = Math.max(lastSeq, seq);
    return numbered(measurement, seq, fallbackStart);
  });
  return { measurements, gaps: [], inconsistent: true, lastSeq, superseded: [], countedFrom: Number.POSITIVE_INFINITY };
}

function numbered(measurement: Measurement, seq: number, fallbackStart: string): SequencedMeasurement {
  const { finishedAt, phase, value, message, metadata } = measurement;
  const startedAt = startOf(measurement, fallbackStart);
  return { seq, startedAt, finishedAt, phase, value, message, metadata, isTakenAgain: false, isEnd: false };
}

function startOf(measurement: Measurement, fallbackStart: string): string {
  for (const time of [measurement.startedAt, measurement.finishedAt])
    if (time !== undefined && isTime(time)) return time;
  return fallbackStart;
}

function isFinished(measurement: Measurement): boolean {
  return measurement.finishedAt !== undefined && measurement.finishedAt !== "";
}
