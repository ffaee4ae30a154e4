import type { MeasurementObject, MetricResultObject } from "#lib/domain/argo/analysis-run-object.ts";

export type SequencedMeasurement = {
  /** Counts finished measurements of the metric from 1; one that is in flight has the number that it will get. */
  seq: number;
  /** RFC 3339, as received; where the measurement has none, when it finished or the run began. */
  startedAt: string;
  finishedAt: string | undefined;
  phase: string;
  value: string | undefined;
  message: string;
};

export type MeasurementGap = { afterSeq: number; count: number };
export type KnownMeasurement = { seq: number; startedAt: string };

export type Sequence = {
  measurements: SequencedMeasurement[];
  gaps: MeasurementGap[];
  /** Counters and list contradict each other: the numbers follow the order of startedAt. */
  inconsistent: boolean;
  /** The highest number that is now stored or known to be lost. */
  lastSeq: number;
};

type Counted = Pick<MetricResultObject, "measurements" | "count" | "error">;

/** Whether the counters cannot be true of the list: more finished measurements than were counted, or two in flight. */
export function contradictsCounters(result: Counted): boolean {
  const finished = result.measurements.filter(isFinished).length;
  return result.count + result.error < finished || result.measurements.length - finished > 1;
}

/**
 * Numbers the measurements that the cluster still has. `count` excludes errors, and old measurements are trimmed, so
 * the i-th finished one of the list has number (count + error) - finishedInList + i.
 * `lastSeq` is the highest number stored or lost before, 0 for none; numbers above it that the list no longer has are
 * a gap. `known` is needed only where the counters contradict the list or a measurement changed its place.
 */
export function sequenceMeasurements({
  result,
  lastSeq,
  known,
  fallbackStart,
}: {
  result: Counted;
  lastSeq: number;
  known: readonly KnownMeasurement[];
  fallbackStart: string;
}): Sequence {
  const finished = result.measurements.filter(isFinished);
  const inFlight = result.measurements.filter((measurement) => !isFinished(measurement));
  const total = result.count + result.error;
  if (contradictsCounters(result) || isDisplaced({ finished, total, known, fallbackStart }))
    return sequenceByStart({ list: result.measurements, lastSeq, known, fallbackStart });
  const first = total - finished.length + 1;
  return {
    measurements: [
      ...finished.map((measurement, index) => numbered(measurement, first + index, fallbackStart)),
      ...inFlight.map((measurement) => numbered(measurement, total + 1, fallbackStart)),
    ],
    gaps: first > lastSeq + 1 ? [{ afterSeq: lastSeq, count: first - lastSeq - 1 }] : [],
    inconsistent: false,
    lastSeq: Math.max(lastSeq, total),
  };
}

/** startedAt is the cross-check: a number that is stored with another start cannot be the same measurement. */
function isDisplaced(options: {
  finished: readonly MeasurementObject[];
  total: number;
  known: readonly KnownMeasurement[];
  fallbackStart: string;
}): boolean {
  const { finished, total, known, fallbackStart } = options;
  if (known.length === 0) return false;
  const startBySeq = new Map(known.map((each) => [each.seq, Date.parse(each.startedAt)]));
  return finished.some((measurement, index) => {
    const stored = startBySeq.get(total - finished.length + 1 + index);
    return stored !== undefined && stored !== Date.parse(startOf(measurement, fallbackStart));
  });
}

/** Measurements that are stored keep their number; new ones follow in the order of their start. */
function sequenceByStart(options: {
  list: readonly MeasurementObject[];
  lastSeq: number;
  known: readonly KnownMeasurement[];
  fallbackStart: string;
}): Sequence {
  const { list, known, fallbackStart } = options;
  const seqByStart = new Map(known.map((each) => [Date.parse(each.startedAt), each.seq]));
  let next = Math.max(options.lastSeq, 0, ...known.map((each) => each.seq)) + 1;
  const ordered = list.toSorted(
    (one, other) => Date.parse(startOf(one, fallbackStart)) - Date.parse(startOf(other, fallbackStart)),
  );
  let lastSeq = options.lastSeq;
  const measurements = ordered.map((measurement) => {
    const seq = seqByStart.get(Date.parse(startOf(measurement, fallbackStart))) ?? next++;
    if (isFinished(measurement)) lastSeq = Math.max(lastSeq, seq);
    return numbered(measurement, seq, fallbackStart);
  });
  return { measurements, gaps: [], inconsistent: true, lastSeq };
}

function numbered(measurement: MeasurementObject, seq: number, fallbackStart: string): SequencedMeasurement {
  const { finishedAt, phase, value, message } = measurement;
  return { seq, startedAt: startOf(measurement, fallbackStart), finishedAt, phase, value, message };
}

function startOf(measurement: MeasurementObject, fallbackStart: string): string {
  for (const time of [measurement.startedAt, measurement.finishedAt])
    if (time !== undefined && !Number.isNaN(Date.parse(time))) return time;
  return fallbackStart;
}

function isFinished(measurement: MeasurementObject): boolean {
  return measurement.finishedAt !== undefined && measurement.finishedAt !== "";
}
