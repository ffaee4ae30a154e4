import { expect, it } from "vitest";
import { formatDedupeKey } from "./dedupe-key.ts";

const delivery = { cluster: "eu", namespace: "test", name: "podinfo", message: "Promoted", timestamp: "1700000000000" };

it("is the same for a repeated delivery and differs by each part", () => {
  const changes = Object.keys(delivery).map((part) => formatDedupeKey({ ...delivery, [part]: "other" }));
  expect(new Set([formatDedupeKey({ ...delivery }), formatDedupeKey(delivery), ...changes]).size).toBe(6);
});

it("keeps parts apart", () => {
  const one = formatDedupeKey({ ...delivery, namespace: "a", name: "b.c" });
  expect(one).not.toBe(formatDedupeKey({ ...delivery, namespace: "a.b", name: "c" }));
});
