import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Endpoint } from "./endpoint.ts";
import { endpoints } from "./endpoint-table.ts";
import { requestExamples } from "./examples/requests.ts";
import { answerExamples, createOpenApiDocument } from "./openapi.ts";

const document = createOpenApiDocument();

it.each(Object.entries(endpoints))("describes %s", (name, entry: Omit<Endpoint, "status"> & { status?: number }) => {
  const operations = document.paths?.[entry.path] as Record<string, Record<string, unknown>> | undefined;
  const operation = operations?.[entry.method.toLowerCase()];
  expect(operation).toMatchObject({ operationId: name });
  const responses = operation?.responses as Record<string, { content: Record<string, unknown> }>;
  const { [String(entry.status ?? 200)]: success, ...problems } = responses;
  expect(success).toBeDefined();
  expect(Object.keys(problems)).toEqual(expect.arrayContaining(["401", "429", "500", "503", "default"]));
  for (const problem of Object.values(problems))
    expect(Object.keys(problem.content)).toEqual(["application/problem+json"]);
});

it("is OpenAPI 3.1 with both ways to authenticate, and lists /api/v1 only", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.components?.securitySchemes ?? {})).toEqual(["token", "session"]);
  expect(Object.keys(document.paths ?? {}).filter((path) => !path.startsWith("/api/v1/"))).toEqual([]);
});

it("can be written as JSON", () => {
  expect(JSON.parse(JSON.stringify(document))).toHaveProperty("components.schemas.Problem");
});

describe("the examples", () => {
  const table = Object.entries(endpoints) as [keyof typeof endpoints, Omit<Endpoint, "status">][];
  const published = (schema: z.ZodType | undefined) =>
    z.fromJSONSchema(z.toJSONSchema(schema ?? z.never(), { unrepresentable: "any" }) as never);

  it("include a body for every endpoint that takes one, and no other", () => {
    const taking = table.filter(([, { body }]) => body !== undefined).map(([name]) => name);
    expect(Object.keys(requestExamples).toSorted()).toEqual(taking.toSorted());
  });
  it.each(Object.keys(requestExamples) as (keyof typeof endpoints)[])("fit what %s takes", (name) => {
    const { body }: Omit<Endpoint, "status"> = { ...endpoints[name] };
    expect(body?.safeParse(requestExamples[name]).error).toBeUndefined();
  });
  it.each(Object.keys(answerExamples) as (keyof typeof endpoints)[])("fit what %s answers", (name) => {
    const { response }: Omit<Endpoint, "status"> = { ...endpoints[name] };
    expect(published(response).safeParse(answerExamples[name]).error).toBeUndefined();
  });
  it("appear in the document", () => {
    const text = JSON.stringify(document);
    for (const example of [requestExamples.actOnRollout, answerExamples.listRollouts])
      expect(text).toContain(JSON.stringify(example));
  });
});
