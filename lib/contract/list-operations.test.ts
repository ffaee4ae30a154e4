import { expect, it } from "vitest";
import { endpoints } from "./endpoint-table.ts";
import { listOperations } from "./list-operations.ts";

const all = listOperations().flatMap(({ operations }) => operations);

it("has every endpoint once", () => {
  expect(all.map(({ id }) => id).toSorted()).toEqual(Object.keys(endpoints).toSorted());
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
