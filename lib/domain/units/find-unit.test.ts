import { describe, expect, it } from "vitest";
import { findUnit, readPromqlUnit } from "./find-unit.ts";

describe("readPromqlUnit", () => {
  it.each([
    {
      query:
        'histogram_quantile(0.99, sum(rate(http_request_duration_seconds_bucket{service="checkout"}[5m])) by (le))',
      unit: "s",
    },
    {
      query: "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket[5m]))) * 1000",
      unit: "ms",
    },
    { query: "1000 * histogram_quantile(0.5, rate(x_seconds_bucket[1m]))", unit: "ms" },
    { query: "histogram_quantile(0.9, rate(latency_ms_bucket[1m]))", unit: "ms" },
    { query: "avg(container_memory_working_set_bytes{pod=~'a/b.*'})", unit: "B" },
    { query: "max_over_time(queue_wait_seconds[5m])", unit: "s" },
    { query: "avg(cpu_usage_percent)", unit: "%" },
    { query: 'sum(rate(http_requests_total{code!~"5.."}[2m])) / sum(rate(http_requests_total[2m]))', unit: "ratio" },
    { query: "sum(rate(rpc_errors_total[5m])) / sum(rate(rpc_calls_total[5m]))", unit: "ratio" },
    { query: "sum(rate(x_seconds_sum[5m])) / sum(rate(x_seconds_count[5m]))", unit: "s" },
    { query: "sum(rate(x_seconds_sum[5m])) / sum(rate(x_seconds_count[5m])) * 1000", unit: "ms" },
    { query: '100 * sum(rate(r_total{code=~"5.."}[5m])) / sum(rate(r_total[5m]))', unit: "%" },
    { query: "sum(rate(errors_total[5m])) / sum(rate(requests_total[5m])) * 100", unit: "%" },
  ])("reads $unit from $query", ({ query, unit }) => {
    expect(readPromqlUnit(query)).toBe(unit);
  });

  it.each([
    { why: "unlike things", query: "sum(rate(pages_total[5m])) / sum(rate(requests_total[5m]))" },
    { why: "several series", query: "sum(rate(a_total[5m]) or rate(b_total[5m])) / sum(rate(a_total[5m]))" },
    { why: "a rate of bytes is not bytes", query: "sum(rate(sent_bytes[5m]))" },
    { why: "a count of durations is no duration", query: "count(wait_seconds)" },
    { why: "two units", query: "max(a_seconds or b_bytes)" },
    { why: "an offset in a sum", query: "a_seconds + 5" },
    { why: "a difference", query: "a_seconds - b_seconds" },
    { why: "a factor that is not known", query: "a_seconds * 60" },
    { why: "seconds by bytes", query: "a_seconds / b_bytes" },
    { why: "hundred times a duration", query: "a_seconds * 100" },
    { why: "a comparison", query: "a_seconds > 5" },
    { why: "no name with a unit", query: "up" },
    { why: "a unit in a label only", query: 'up{name="x_seconds"}' },
    { why: "nothing", query: "" },
  ])("reads none if $why", ({ query }) => {
    expect(readPromqlUnit(query)).toBeUndefined();
  });
});

describe("findUnit", () => {
  const measured = { metric: "latency-p99", provider: "prometheus", query: "max(x_seconds)", known: null };

  it.each<{
    name: string;
    measured: Parameters<typeof findUnit>[0];
    configured: Record<string, string>;
    unit: string | null;
  }>([
    { name: "what the query shows", measured, configured: {}, unit: "s" },
    {
      name: "the config before the query",
      measured,
      configured: { "error-*": "%", "latency-*": "ms", "*": "h" },
      unit: "ms",
    },
    { name: "the provider before the query", measured: { ...measured, known: "h" }, configured: {}, unit: "h" },
    {
      name: "no query of another language",
      measured: { ...measured, provider: "datadog" },
      configured: {},
      unit: null,
    },
    { name: "no query", measured: { ...measured, query: null }, configured: {}, unit: null },
  ])("takes $name", ({ measured: own, configured, unit }) => {
    expect(findUnit(own, configured)).toBe(unit);
  });
});
