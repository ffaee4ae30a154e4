import { expect, it } from "vitest";
import { formatViewQuery } from "./use-list-state.ts";

it("writes parameters in one order, without the empty ones and the view itself", () => {
  const query = formatViewQuery({ sort: "-name", phase: "Healthy", q: "", view: "an-id", namespace: "a b" });
  expect(query).toBe("namespace=a+b&phase=Healthy&sort=-name");
  expect(formatViewQuery(Object.fromEntries(new URLSearchParams(query)))).toBe(query);
});
