import { expect, it } from "vitest";
import { eventHref } from "./event-href.ts";

it.each([
  ["/rollouts/prod/shop/Rollout/web", "/rollouts/prod/shop/Rollout/web"],
  ["/audit/12", "/audit/12"],
  ["/findings/5f0c7c1e-0000-8000-8000-000000000001", "/findings/5f0c7c1e-0000-8000-8000-000000000001"],
  ["/settings/notifications", "/settings/notifications"],
  ["//evil.example/", "/"],
  ["https://evil.example/", "/"],
  ["https://gatehouse.invalid@evil.example/", "/"],
  ["javascript:alert(1)", "/"],
])("%s leads to %s", (path, href) => {
  expect(eventHref(path)).toBe(href);
});
