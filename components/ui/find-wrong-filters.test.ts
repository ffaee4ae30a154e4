import { expect, it } from "vitest";
import { GatehouseError } from "#packages/client/src/gatehouse-error.ts";
import { findFieldErrors, findWrongFilters } from "./find-wrong-filters.ts";

function refused(names: string[], code: "invalid_request" | "forbidden" = "invalid_request"): GatehouseError {
  const problem = {
    type: "about:blank",
    title: "",
    status: 400,
    code,
    detail: "",
    requestId: "1",
    invalidParams: names.map((name) => ({ name, reason: "not one of these" })),
  };
  return new GatehouseError({ status: 400, code, detail: "", problem });
}

it.each([
  { name: "one", error: refused(["phase"]), expected: ["phase"] },
  { name: "two, each once", error: refused(["phase", "sort", "phase"]), expected: ["phase", "sort"] },
  { name: "one that the address does not have", error: refused(["cursor"]), expected: [] },
  { name: "one that is empty", error: refused(["namespace"]), expected: [] },
  { name: "another refusal", error: refused(["phase"], "forbidden"), expected: [] },
  { name: "another failure", error: new Error("phase"), expected: [] },
  { name: "no failure", error: null, expected: [] },
])("names $name", ({ error, expected }) => {
  const values = { phase: "Sleepy", sort: "size", namespace: "" };
  expect(findWrongFilters(error, values).map(({ name }) => name)).toEqual(expected);
});

it("names the fields of one form, each with its first reason", () => {
  const error = refused([
    "routes.1.to.0",
    "routes.1.to.3",
    "routes.1.name",
    "routes.10.name",
    "routes.1.other",
    "routes.1",
  ]);
  const form = { path: "routes.1", keys: ["to", "name"] };
  expect(findFieldErrors(error, form)).toEqual({ to: "Not one of these", name: "Not one of these" });
  expect(findFieldErrors(refused(["routes.1.to"], "forbidden"), form)).toEqual({});
});
