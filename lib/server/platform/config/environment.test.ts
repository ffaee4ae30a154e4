import { describe, expect, it } from "vitest";
import { readEnvironment, readMaxLagMs } from "./environment.ts";

describe("the read replica's variables", () => {
  it("are not set if they are empty, as a chart may leave them", () => {
    const { databaseReadUrl, databaseReadMaxLagMs } = readEnvironment({
      DATABASE_READ_URL: "",
      DATABASE_READ_MAX_LAG_MS: "",
    });
    expect([databaseReadUrl, databaseReadMaxLagMs]).toEqual([undefined, undefined]);
  });

  it.each([
    [undefined, 5000],
    ["100", 100],
    ["60000", 60_000],
  ])("take %s as a lag of %i ms", (databaseReadMaxLagMs, expected) => {
    expect(readMaxLagMs({ databaseReadMaxLagMs })).toBe(expected);
  });

  it.each(["0", "99", "60001", "5s", "-1", "1e3", "Infinity"])("refuse %s", (databaseReadMaxLagMs) => {
    expect(() => readMaxLagMs({ databaseReadMaxLagMs })).toThrow(
      `DATABASE_READ_MAX_LAG_MS is ${databaseReadMaxLagMs}: it must be a number of milliseconds, 100 to 60000`,
    );
  });
});

describe("the variables of OpenTelemetry", () => {
  const endpoint = "http://collector:4318";

  it.each([
    ["nothing is set", {}],
    ["the address is empty", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
    ["the SDK is disabled", { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: "TRUE" }],
    ["there is no exporter", { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: "none" }],
  ])("leave tracing off if %s", (_, env) => {
    expect(readEnvironment(env).tracing).toBeUndefined();
  });

  it.each(["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])("turn it on by %s", (name) => {
    const { tracing } = readEnvironment({ [name]: endpoint, OTEL_TRACES_SAMPLER: "traceidratio" });
    expect(tracing).toEqual({ endpoint, sampler: "traceidratio", samplerArg: undefined });
  });
});
