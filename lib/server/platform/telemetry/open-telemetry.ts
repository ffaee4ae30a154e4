import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Span as ApiSpan,
  type Context,
  DiagLogLevel,
  diag,
  type HrTime,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { ExportResultCode, parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { PastSpan, Span, SpanOptions, Tracing, TracingSettings } from "./tracing.ts";

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
/** Names in Kubernetes have at most 253 characters. */
const longestValue = 256;
const reportEveryMs = 60_000;
const mostReported = 300;

/**
 * Makes the tracer of this process, which sends to a receiver of OTLP by HTTP. It is not registered as the global tracer,
 * so that neither Next nor a library adds spans: theirs contain URLs with their queries, and messages of errors.
 */
export function openTracing({
  settings,
  process,
  log,
}: {
  settings: TracingSettings;
  process: "web" | "recorder";
  log: Pick<Logger, "warn">;
}): Tracing {
  reportTrouble(log);
  const exporter = new OTLPTraceExporter();
  const resource = resourceFromAttributes({ "service.name": `gatehouse-${process}` }).merge(
    detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }),
  );
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(settings, log),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
    spanLimits: { attributeValueLengthLimit: longestValue },
  });
  const tracer = provider.getTracer("gatehouse");
  const storage = new AsyncLocalStorage<Span>();
  return {
    start(name, options) {
      const parent = contextOf(options.parent) ?? contextOf(storage.getStore());
      if (parent === undefined && options.isRoot !== true) return undefined;
      const { attributes = {}, kind, startAt } = options;
      const span = tracer.startSpan(
        name,
        { attributes, kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind], startTime: timeOf(startAt) },
        parent ?? ROOT_CONTEXT,
      );
      return wrap(span);
    },
    within: (span, work) => storage.run(span, work),
    active: () => storage.getStore(),
    async send(spans) {
      // The other samplers leave out a share of many small traces.
      if (settings.sampler?.endsWith("always_off") === true) return;
      const past = spans.map((span) => toReadable(span, resource));
      const result = await new Promise<{ code: ExportResultCode; error?: Error }>((resolve) => {
        exporter.export(past, resolve);
      });
      if (result.code !== ExportResultCode.SUCCESS) diag.error(String(result.error));
    },
    close: () => provider.shutdown(),
  };
}

/** Undefined for a `traceparent` that is not valid. */
function contextOf(parent: SpanOptions["parent"]): Context | undefined {
  if (parent === undefined) return undefined;
  const isRemote = typeof parent === "string";
  const spanContext = parseTraceParent(isRemote ? parent : parent.traceparent);
  return spanContext === null ? undefined : trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, isRemote });
}

function wrap(span: ApiSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    isRecorded: span.isRecording(),
    set: (attributes) => void span.setAttributes(attributes),
    link(other) {
      const context = parseTraceParent(other.traceparent);
      if (context !== null) span.addLink({ context });
    },
    fail: (error) => void span.setAttribute("error.type", errorTypeOf(error)).setStatus({ code: SpanStatusCode.ERROR }),
    end: (at) => span.end(timeOf(at)),
  };
}

function toReadable(
  { traceId, spanId, parentId, name, startAt, endAt, attributes, hasFailed = false }: PastSpan,
  resource: ReadableSpan["resource"],
): ReadableSpan {
  const spanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  const known = Object.entries(attributes).map(([key, value]) => [
    key,
    typeof value === "string" ? value.slice(0, longestValue) : value,
  ]);
  return {
    name,
    kind: SpanKind.INTERNAL,
    spanContext: () => spanContext,
    ...(parentId === undefined ? {} : { parentSpanContext: { ...spanContext, spanId: parentId } }),
    startTime: toHrTime(startAt.getTime()),
    endTime: toHrTime(endAt.getTime()),
    duration: toHrTime(endAt.getTime() - startAt.getTime()),
    status: { code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    ...{ links: [], events: [], ended: true, resource, instrumentationScope: { name: "gatehouse" } },
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
  };
}

function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}

/** Not the message: it may contain a person's text or that of an object. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : "_OTHER";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

let offset = Date.now() - performance.now();

/**
 * Returns milliseconds since 1970, with their fractions: the package's own clock counts whole ones. Follows steps of the
 * machine's clock. A time of the database may be ahead of this machine, but nothing that is traced lies in the future.
 */
function timeOf(at: number | Date = performance.now()): number {
  const drift = Date.now() - performance.now() - offset;
  if (Math.abs(drift) > 2) offset += drift;
  return typeof at === "number" ? at + offset : Math.min(at.getTime(), performance.now() + offset);
}

/** By `OTEL_TRACES_SAMPLER`, as the specification names them: the package itself no longer reads it. */
function samplerOf(
  { sampler = "parentbased_always_on", samplerArg }: TracingSettings,
  log: Pick<Logger, "warn">,
): Sampler {
  const root = rootSamplerOf(sampler.replace("parentbased_", ""), samplerArg);
  if (root === undefined)
    log.warn({ sampler, samplerArg }, "OTEL_TRACES_SAMPLER is unknown, or its argument no ratio: all is traced");
  const used = root ?? new AlwaysOnSampler();
  return sampler.startsWith("parentbased_") || root === undefined ? new ParentBasedSampler({ root: used }) : used;
}

function rootSamplerOf(name: string, arg = "1"): Sampler | undefined {
  if (name === "always_on") return new AlwaysOnSampler();
  if (name === "always_off") return new AlwaysOffSampler();
  const ratio = Number(arg);
  return name === "traceidratio" && ratio >= 0 && ratio <= 1 ? new TraceIdRatioBasedSampler(ratio) : undefined;
}

/** A receiver that is down fails every few seconds: once a minute is enough for the log. */
function reportTrouble(log: Pick<Logger, "warn">): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (message: string): void => {
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    log.warn({ error: message.slice(0, mostReported) }, "traces could not be sent");
  };
  const ignore = (): void => {};
  const logger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
