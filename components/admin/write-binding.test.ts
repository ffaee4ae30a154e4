import { expect, it } from "vitest";
import { stringify } from "yaml";
import { bindingFields, writeBinding } from "#components/admin/write-binding.ts";
import { parseConfig } from "#lib/server/platform/config/parse-config.ts";
import { nestItems } from "#test/nest-items.ts";
import { completeConfig } from "../../scripts/doc-examples.ts";

const initial = Object.fromEntries(bindingFields.map(({ key, value }) => [key, value])) as Parameters<
  typeof writeBinding
>[0];
it.each([
  { name: "an example at first", typed: {} },
  { name: "users as viewers", typed: { role: "viewer", kind: "users", names: "a, b" } },
  {
    name: "a robot in a namespace",
    typed: { kind: "robots", names: "bot", clusters: "prod-*", namespaces: "payments" },
  },
])("writes a part of the config that is accepted: $name", ({ typed }) => {
  const text = completeConfig(stringify(nestItems(writeBinding({ ...initial, ...typed }))));
  expect(() => parseConfig({ file: "gatehouse.yaml", text })).not.toThrow();
});

it("writes what was typed", () => {
  const typed = { kind: "robots", names: "bot", namespaces: "payments, payments-*" };
  expect(nestItems(writeBinding({ ...initial, ...typed }))).toEqual({
    auth: { roles: [{ role: "operator", robots: ["bot"], namespaces: ["payments", "payments-*"] }] },
  });
});
