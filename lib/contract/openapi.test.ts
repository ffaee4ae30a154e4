import { expect, it } from "vitest";
import { type Endpoint, endpoints } from "./endpoint-table.ts";
import { createOpenApiDocument } from "./openapi.ts";

const document = createOpenApiDocument();

it.each(Object.entries(endpoints))("describes %s", (name, entry: Omit<Endpoint, "status"> & { status?: number }) => {
  const operations = document.paths?.[entry.path] as Record<string, Record<string, unknown>> | undefined;
  const operation = operations?.[entry.method.toLowerCase()];
  expect(operation).toMatchObject({ operationId: name });
  const responses = operation?.responses as Record<string, { content: Record<string, unknown> }>;
  expect(Object.keys(responses)).toEqual([String(entry.status ?? 200), "default"]);
  expect(Object.keys(responses.default?.content ?? {})).toEqual(["application/problem+json"]);
});

it("is OpenAPI 3.1 with both ways to authenticate, and lists /api/v1 only", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.components?.securitySchemes ?? {})).toEqual(["token", "session"]);
  expect(Object.keys(document.paths ?? {}).filter((path) => !path.startsWith("/api/v1/"))).toEqual([]);
});

it("can be written as JSON", () => {
  expect(JSON.parse(JSON.stringify(document))).toHaveProperty("components.schemas.Problem");
});
