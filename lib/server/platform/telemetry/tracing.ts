/** The settings of the tracer, from the environment. The exporter reads its own: address, headers, certificates. */
export type TracingSettings = { sampler: string | undefined; samplerArg: string | undefined };

/** Names, codes and numbers. No secret, no text of a person, and of a cluster's objects only their names. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

/** A span of this process, or the `traceparent` of any other. */
type Parent = Span | string;

export type SpanOptions = {
  attributes?: SpanAttributes;
  kind?: "server" | "client" | "consumer" | undefined;
  /** Default: the active span. */
  parent?: Parent | undefined;
  /** Begins a trace if there is no parent. Without a parent and without this, there is no span. */
  isRoot?: boolean;
  /** By `performance.now()`, or a time of the database; default: now. */
  startAt?: number | Date | undefined;
};

export type Span = {
  /** Names the span to other processes (W3C Trace Context). */
  readonly traceparent: string;
  /** False if the sampler left the trace out. */
  readonly isRecorded: boolean;
  set(attributes: SpanAttributes): void;
  /** Refers to a span of another trace. */
  link(other: Span): void;
  /** Marks the span as failed, with the code or the name of the error. */
  fail(error: unknown): void;
  /** `at`: by `performance.now()`; default: now. */
  end(at?: number): void;
};

/** A span that is over, with ids of its own: the same span may be sent again. */
export type PastSpan = {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  parentId?: string | undefined;
  name: string;
  startAt: Date;
  endAt: Date;
  attributes: SpanAttributes;
  hasFailed?: boolean;
};

/** The tracer of this process, which `open-telemetry.ts` makes. */
export type Tracing = {
  start(name: string, options: SpanOptions): Span | undefined;
  /** Runs the work with the span as the active one. */
  within<Result>(span: Span, work: () => Result): Result;
  active(): Span | undefined;
  /** Sends spans at once, whatever share the sampler leaves out. Resolves when they were received or are given up. */
  send(spans: readonly PastSpan[]): Promise<void>;
  /** Sends what has ended so far. */
  close(): Promise<void>;
};

// Next bundles instrumentation and each route separately, so a module variable would exist several times.
const handle = Symbol.for("gatehouse.tracing");
type Holder = { [handle]?: Tracing | undefined };

function findTracing(): Tracing | undefined {
  return (globalThis as Holder)[handle];
}

/** Undefined: nothing is traced from now on. Returns the former tracer. */
export function setTracing(tracing: Tracing | undefined): Tracing | undefined {
  const former = findTracing();
  (globalThis as Holder)[handle] = tracing;
  return former;
}

export function isTracing(): boolean {
  return findTracing() !== undefined;
}

/** Sends spans that are over; nothing without a tracer. A receiver that does not take them is no failure of ours. */
export async function sendPastSpans(spans: readonly PastSpan[]): Promise<void> {
  if (spans.length > 0) await findTracing()?.send(spans);
}

/** Undefined if nothing is traced, or there is neither a parent nor `isRoot`. */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return findTracing()?.start(name, options);
}

export function activeSpan(): Span | undefined {
  return findTracing()?.active();
}

/** Runs the work in a span, which ends with it. The spans that it starts are children. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const tracing = findTracing();
  const span = tracing?.start(name, options);
  if (tracing === undefined || span === undefined) return work(undefined);
  try {
    return await tracing.within(span, () => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Consecutive parts of one piece of work: each ends when the next one begins. */
export type Stages = { next(name: string): void; end(): void };

/** Makes the stages children of the span, by default the active one. */
export function startStages(parent = activeSpan()): Stages {
  let stage: Span | undefined;
  const end = (): void => {
    stage?.end();
    stage = undefined;
  };
  return {
    next(name) {
      if (parent === undefined) return;
      end();
      stage = startSpan(name, { parent });
    },
    end,
  };
}
