import { expect, it } from "vitest";
import { endpoints } from "./endpoint-table.ts";
import { describeOperations, listOperations } from "./list-operations.ts";
import { createOpenApiDocument } from "./openapi.ts";

const document = createOpenApiDocument();
const groups = listOperations(document);
const all = groups.flatMap(({ tag }) => describeOperations(document, tag));

it("has every endpoint once", () => {
  expect(all.map(({ id }) => id).toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

it("lists in a group what the group describes", () => {
  for (const { tag, operations } of groups)
    expect(describeOperations(document, tag)).toEqual(operations.map((line) => expect.objectContaining(line)));
});

it("shows parameters, body, answer and problems of an action", () => {
  const action = all.find(({ id }) => id === "actOnRollout");
  expect(action).toMatchObject({ method: "POST", answer: { status: "202", contentTypes: ["application/json"] } });
  expect(action?.parameters.map(({ place, name }) => `${place} ${name}`)).toContain("header Idempotency-Key");
  expect(action?.body?.type).toContain("viewDigest: string;");
  expect(action?.body?.example).toContain('"accept-step"');
  expect(action?.problems.find(({ status }) => status === "409")?.meanings.join()).toContain("stale_view");
});

it("shows every type of an answer that is no JSON", () => {
  const { answer } = all.find(({ id }) => id === "exportAudit") ?? {};
  expect(answer).toMatchObject({ contentTypes: ["application/x-ndjson", "text/csv"], type: "string" });
});
