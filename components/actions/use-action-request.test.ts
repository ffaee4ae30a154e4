import { expect, it } from "vitest";
import { createRequestKeys } from "#components/actions/use-action-request.ts";
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
