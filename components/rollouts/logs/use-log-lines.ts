import { useEffect, useMemo, useState } from "react";
import { addLines, emptyBuffer, type LogBuffer, leaveOutKnown } from "#components/rollouts/logs/log-buffer.ts";
import { readLogStream } from "#lib/client/read-log-stream.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { LogRecord } from "#lib/contract/log.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

export type LogRequest = {
  pods: readonly string[];
  /** The Job of an analysis run, if they are of one. */
  job: string | null;
  container: string | null;
  follow: boolean;
  previous: boolean;
  /** ISO 8601. */
  sinceTime: string | null;
  untilTime: string | null;
};

export type LogState = {
  buffer: LogBuffer;
  /** `lost`: the connection was cut, and is opened again if the log is followed. */
  status: "loading" | "open" | "ended" | "lost" | "failed";
  error: Error | null;
  /** Why the answer ended, if not because the log did. */
  ended: string;
  /** By pod: why its log is missing. */
  problems: ReadonlyMap<string, string>;
};

const startState: LogState = { buffer: emptyBuffer, status: "loading", error: null, ended: "", problems: new Map() };
/** Kept in the page, per column. */
const maxLines = 20_000;
/** Lines are shown this often: each one by itself would keep the page busy. */
const flushMs = 120;
const retryMs = 2_000;

/** Reads lines of logs while the component is mounted; a followed log is opened again when its answer ends. */
export function useLogLines(rollout: ObjectRef, request: LogRequest): LogState & { retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState(startState);
  const path = `${rolloutApiPath(rollout)}/logs/lines`;
  const key = JSON.stringify(request);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` starts it again.
  useEffect(() => {
    const wanted = JSON.parse(key) as LogRequest;
    const stop = new AbortController();
    setState(startState);
    if (wanted.pods.length > 0) void readAll({ path, wanted, signal: stop.signal, setState });
    return () => stop.abort();
  }, [path, key, attempt]);
  return useMemo(() => ({ ...state, retry: () => setAttempt((count) => count + 1) }), [state]);
}

type Reading = {
  path: string;
  wanted: LogRequest;
  signal: AbortSignal;
  setState: (update: (state: LogState) => LogState) => void;
};

async function readAll({ path, wanted, signal, setState }: Reading): Promise<void> {
  let buffer = emptyBuffer;
  while (!signal.aborted) {
    const last = buffer.lines.at(-1);
    const resumeMs = last === undefined ? undefined : Math.floor(last.ms / 1000) * 1000;
    const outcome = await readOnce({ path, wanted, signal, setState, buffer, resumeMs });
    if (signal.aborted) return;
    buffer = outcome.buffer;
    const { end, error } = outcome;
    // A refusal is an answer; anything else may pass.
    const isFinal = isGatehouseError(error) && error.status > 0 && error.status < 500;
    if (isFinal || !wanted.follow || end?.reason === "complete" || end?.reason === "signed-out") {
      setState((state) => ({ ...state, status: error === null ? "ended" : "failed", error, ended: end?.text ?? "" }));
      return;
    }
    if (end === undefined) setState((state) => ({ ...state, status: "lost" }));
    await new Promise((resolve) => setTimeout(resolve, end === undefined ? retryMs : 0));
  }
}

type Outcome = { buffer: LogBuffer; end: Extract<LogRecord, { type: "end" }> | undefined; error: Error | null };

async function readOnce({
  path,
  wanted,
  signal,
  setState,
  buffer: first,
  resumeMs,
}: Reading & { buffer: LogBuffer; resumeMs: number | undefined }): Promise<Outcome> {
  let buffer = first;
  let end: Outcome["end"];
  let waiting: LogRecord[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const records = waiting;
    waiting = [];
    const lines = records.filter((record) => record.type === "line");
    const fresh = resumeMs === undefined ? lines : leaveOutKnown(first, lines, resumeMs);
    buffer = addLines(buffer, fresh, maxLines);
    const problems = records.filter((record) => record.type === "problem");
    const shown = buffer;
    if (!signal.aborted)
      setState((state) => ({
        ...state,
        buffer: shown,
        status: "open",
        error: null,
        problems:
          problems.length === 0
            ? state.problems
            : new Map([...state.problems, ...problems.map(({ pod, text }) => [pod, text] as const)]),
      }));
  };
  try {
    await readLogStream({
      path,
      query: {
        pods: wanted.pods.join(","),
        job: wanted.job,
        container: wanted.container,
        follow: String(wanted.follow),
        previous: String(wanted.previous),
        sinceTime: resumeMs === undefined ? wanted.sinceTime : new Date(resumeMs).toISOString(),
        untilTime: wanted.untilTime,
      },
      signal,
      onRecords: (records) => {
        waiting.push(...records.filter(({ type }) => type !== "idle"));
        for (const record of records) if (record.type === "end") end = record;
        timer ??= setTimeout(flush, flushMs);
      },
    });
    flush();
    const isCut = end === undefined && !wanted.follow;
    return { buffer, end, error: isCut ? new Error("The connection was lost before the last line.") : null };
  } catch (error) {
    flush();
    return { buffer, end, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
