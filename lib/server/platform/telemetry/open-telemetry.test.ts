import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startTracing, stopTracing } from "./start-tracing.ts";
import { inSpan, type Span, startSpan, startStages } from "./tracing.ts";

const caller = {
  sampled: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
  left: `00-${"a".repeat(32)}-${"b".repeat(16)}-00`,
};

async function start(sampler?: string, samplerArg?: string): Promise<() => unknown[]> {
  // Nothing listens.
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
  vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "1");
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  await startTracing({ settings: { sampler, samplerArg }, process: "web", log });
  return () => lines.map((line) => JSON.parse(line).msg);
}

afterEach(async () => {
  await stopTracing();
  vi.unstubAllEnvs();
});

describe("a tracer that is off", () => {
  it("makes no span, and runs the work", async () => {
    expect(startSpan("x", { isRoot: true, parent: caller.sampled })).toBeUndefined();
    expect(await inSpan("x", { isRoot: true }, async (span) => span ?? "none")).toBe("none");
    const stages = startStages();
    stages.next("first");
    stages.end();
  });
});

describe("the sampler", () => {
  it.each([
    { sampler: undefined, arg: undefined, root: true, sampled: true, left: false },
    { sampler: "always_on", arg: undefined, root: true, sampled: true, left: true },
    { sampler: "always_off", arg: undefined, root: false, sampled: false, left: false },
    { sampler: "traceidratio", arg: "0", root: false, sampled: false, left: false },
    { sampler: "parentbased_always_off", arg: undefined, root: false, sampled: true, left: false },
    { sampler: "parentbased_traceidratio", arg: "0", root: false, sampled: true, left: false },
  ])("$sampler $arg", async ({ sampler, arg, ...expected }) => {
    const warnings = await start(sampler, arg);
    const isRecorded = (parent?: string) => startSpan("x", { isRoot: true, parent })?.isRecorded;
    expect({ root: isRecorded(), sampled: isRecorded(caller.sampled), left: isRecorded(caller.left) }).toEqual(
      expected,
    );
    expect(warnings()).toEqual([]);
  });

  it.each([
    { sampler: "jaeger_remote", arg: undefined },
    { sampler: "traceidratio", arg: "2" },
  ])("$sampler $arg is not understood: all is traced, with a warning", async ({ sampler, arg }) => {
    const warnings = await start(sampler, arg);
    expect(startSpan("x", { isRoot: true })?.isRecorded).toBe(true);
    expect(warnings()).toEqual(["OTEL_TRACES_SAMPLER is unknown, or its argument no ratio: all is traced"]);
  });
});

describe("a span", () => {
  const traceOf = (span: Span | undefined) => span?.traceparent.split("-")[1];

  it("needs a parent, or begins a trace", async () => {
    await start();
    expect(startSpan("x")).toBeUndefined();
    expect(startSpan("x", { parent: "not a traceparent" })).toBeUndefined();
    expect(traceOf(startSpan("x", { parent: caller.sampled }))).toBe("a".repeat(32));
    const root = startSpan("x", { isRoot: true, parent: "not a traceparent" });
    expect(root?.traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  });

  it("is the parent of what its work starts, and of nothing else", async () => {
    await start();
    const [outer, inner] = await inSpan("outer", { isRoot: true }, async (span) => {
      const child = await inSpan("inner", {}, async (each) => each);
      return [span, child];
    });
    expect(traceOf(inner)).toBe(traceOf(outer));
    expect(startSpan("x")).toBeUndefined();
  });
});
