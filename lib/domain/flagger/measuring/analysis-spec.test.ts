import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { parseMetricTemplate } from "./analysis-spec.ts";

/** Upstream's own manifests: they are read in place, outside the checkout, and never copied into it. */
const upstream = join(import.meta.dirname, "../../../../../shared/data/flagger");

const metadata = { name: "latency", namespace: "test", uid: "u", resourceVersion: "1" };

describe("parseMetricTemplate", () => {
  it("keeps the spec as it is", () => {
    const spec = { provider: { type: "a-future-one", address: null, extra: [1] }, query: "up" };
    const parsed = parseMetricTemplate({ kind: "MetricTemplate", metadata, spec });
    expect(parsed).toMatchObject({ ok: true, value: { metadata, spec } });
    expect(parsed.ok && parsed.value.listTemplateRefs()).toEqual([]);
  });

  it("takes one without a spec", () => {
    expect(parseMetricTemplate({ kind: "MetricTemplate", metadata })).toMatchObject({ ok: true, value: { spec: {} } });
  });

  it.each([
    { kind: "AnalysisTemplate", metadata },
    { kind: "MetricTemplate", metadata: { ...metadata, uid: "" } },
    { kind: "MetricTemplate", metadata, spec: "none" },
    null,
  ])("refuses %j", (object) => {
    expect(parseMetricTemplate(object).ok).toBe(false);
  });

  it.skipIf(!existsSync(upstream))("parses each of upstream's (beside the checkout)", () => {
    const templates = readdirSync(upstream, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".yaml"))
      .flatMap((file) => parseAllDocuments(readFileSync(join(upstream, file), "utf8")))
      .flatMap((document) => {
        const object = document.toJS();
        return object?.kind === "MetricTemplate" ? [object] : [];
      });
    expect(templates.length).toBeGreaterThan(20);
    const refused = templates.filter(({ metadata: own, ...rest }) => {
      return !parseMetricTemplate({ ...rest, metadata: { uid: "u", resourceVersion: "1", ...own } }).ok;
    });
    expect(refused).toEqual([]);
  });
});
