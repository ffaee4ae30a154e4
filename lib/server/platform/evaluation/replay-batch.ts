import type { Proposal, RunBacktest, RunReplay, RunToReplay } from "#lib/domain/delivery/backtest.ts";
import { endedPhases } from "#lib/domain/delivery/run-phase.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";

/** A run with some of its measurements; a longer run comes in several batches. */
export type RunPart = {
  readonly kind: string;
  /** As stored. */
  readonly spec: unknown;
  /** Version of the cluster's controller; absent if it is not known. */
  readonly controllerVersion?: string | undefined;
  readonly run: RunToReplay;
  /** JSON list of `MeasurementRow`; undefined without measurements. */
  readonly rows: string | undefined;
  /** The state that the previous batch returned for this run. */
  readonly state?: unknown;
  readonly isLast: boolean;
};

/**
 * A finished measurement in the order of the query's columns: number, first letter of the phase, value, message, start
 * and end in epoch milliseconds, and whether the value was altered for storage.
 */
type MeasurementRow = [
  seq: number,
  phase: string,
  value: string | null,
  message: string | null,
  startedAt: number | null,
  finishedAt: number | null,
  isAltered: boolean,
];

export type ReplayBatch = { readonly metric: string; readonly proposal: Proposal; readonly runs: readonly RunPart[] };

/** `settled`: the rest of its measurements is not needed. */
export type PartOutcome =
  | { readonly result: RunBacktest }
  | { readonly state: unknown; readonly isSettled: boolean }
  | { readonly unreadable: true };

const phaseOfLetter = new Map(endedPhases.map((phase) => [phase.charAt(0), phase]));

/** Replays parts of runs, each to the end of its part. Runs with the same rules are prepared only once. */
export function replayBatch({ metric, proposal, runs }: ReplayBatch): PartOutcome[] {
  const prepared = new Map<string, ((run: RunToReplay, state?: unknown) => RunReplay) | undefined>();
  return runs.map(({ kind, spec, controllerVersion, run, rows, state, isLast }) => {
    const key = `${kind} ${controllerVersion} ${JSON.stringify(spec)}`;
    if (!prepared.has(key)) prepared.set(key, prepare({ kind, spec, controllerVersion, metric, proposal }));
    const replay = prepared.get(key)?.(run, state);
    if (replay === undefined) return { unreadable: true };
    addRows(replay, rows);
    return isLast ? { result: replay.finish() } : { state: replay.state, isSettled: replay.isSettled() };
  });
}

function prepare({
  kind,
  spec,
  controllerVersion,
  metric,
  proposal,
}: Pick<RunPart, "kind" | "spec" | "controllerVersion"> & Pick<ReplayBatch, "metric" | "proposal">) {
  const { readRules, backtesting } = measuringProviderOf(kind);
  const rules = readRules(spec);
  return rules === undefined ? undefined : backtesting?.prepareReplay({ rules, metric, proposal, controllerVersion });
}

function addRows(replay: RunReplay, rows: string | undefined): void {
  if (rows === undefined) return;
  // The rows come from our own query.
  for (const [seq, letter, value, message, startedAt, finishedAt, isAltered] of JSON.parse(rows) as MeasurementRow[]) {
    const phase = phaseOfLetter.get(letter) ?? "Error";
    const taken = { seq, phase, startedAt: startedAt ?? undefined, finishedAt: finishedAt ?? undefined, isAltered };
    if (message !== null) replay.add({ ...taken, message, ...(value === null ? {} : { value }) });
    else replay.add(value === null ? taken : Object.assign(taken, { value }));
  }
}
