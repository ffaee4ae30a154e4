import { expect, it } from "vitest";
import { createRequestKeys, makeBody } from "#components/actions/use-action-request.ts";
import { GatehouseError, readError } from "#packages/client/src/gatehouse-error.ts";

const network = new GatehouseError({ status: 0, code: "network", detail: "no answer" });
const proxyError = await readError(new Response("<html>", { status: 504 }));
const problem = { type: "x", title: "x", status: 503, code: "unavailable", detail: "not sent", requestId: "r" };
const refusal = await readError(Response.json(problem, { status: 503 }));

it("keeps the key of a body until the server itself has answered", () => {
  const keys = createRequestKeys();
  const first = keys.keyOf("body");
  keys.noteFailure(network);
  keys.noteFailure(proxyError);
  expect(keys.keyOf("body")).toBe(first);
  expect(keys.keyOf("other")).not.toBe(first);
});

it("takes a new one after a refusal, which the old one would only bring back", () => {
  const keys = createRequestKeys();
  const first = keys.keyOf("body");
  keys.noteFailure(refusal);
  expect(keys.keyOf("body")).not.toBe(first);
});

it("overrides the freezes and sets that were shown, and none without break-glass", () => {
  const expect0 = { viewDigest: "d" };
  const needs = { reason: true, secondPerson: null, freeze: null, breakGlass: true };
  const action = { action: "continue", label: "Continue", protective: false, allowed: true, needs } as const;
  const blocks = [{ kind: "set" as const, name: "checkout" }];
  const body = (more: { blocks?: typeof blocks }) =>
    makeBody({ action, expect: expect0, input: { reason: " because ", params: {}, ...more } });
  expect(body({})).toEqual({ action: "continue", reason: "because", expect: expect0 });
  expect(body({ blocks })).toMatchObject({ breakGlass: true, expect: { viewDigest: "d", blocks } });
  expect(body({ blocks: [] })).toMatchObject({ breakGlass: true, expect: { blocks: [] } });
});
