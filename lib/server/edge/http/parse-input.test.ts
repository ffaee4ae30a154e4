import { describe, expect, it } from "vitest";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import { parseInput } from "./parse-input.ts";

async function refusalOf(body: unknown) {
  const request = new Request("http://desk/api/v1/analysis/assess", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  try {
    await parseInput({ schemas: endpoints.assessAnalysis, params: {}, request });
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

const metrics = (count: number) => ({ spec: { metrics: Array(count).fill(0) }, metricResults: [] });

describe("a body that holds the main thread up", () => {
  it.each([
    { name: "values of the wrong kind", body: metrics(5000) },
    {
      name: "unknown keys",
      body: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 0])),
    },
  ])("has its first hundred faults listed: $name", async ({ body }) => {
    const { code, extra } = await refusalOf(body);
    expect(code).toBe("invalid_request");
    expect(extra.invalidParams).toHaveLength(100);
  });

  it("is not checked at all when it has too many values", async () => {
    const { code, message } = await refusalOf(metrics(20_000));
    expect([code, message]).toEqual(["invalid_request", "The body has more than 10000 values."]);
  });
});
