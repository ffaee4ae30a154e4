import { expect, it } from "vitest";
import { requestKeyOf } from "./action-params.ts";

const key = (more: Partial<Parameters<typeof requestKeyOf>[0]> = {}) => requestKeyOf({ action: "undo", ...more });
const subject = { kind: "AnalysisRun", uid: "u-1" } as const;

it.each([
  { name: "another action", other: key({ action: "abort" }) },
  { name: "another revision", other: key({ params: { toRevision: 3 } }) },
  { name: "a run", other: key({ subject }) },
])("is another key: $name", ({ other }) => {
  expect(other).not.toBe(key());
});

it.each([
  { name: "revision 0", other: key({ params: { toRevision: 0 } }) },
  { name: "params that are undefined", other: key({ params: { toRevision: undefined, image: undefined } }) },
])("is the same key: $name", ({ other }) => {
  expect(other).toBe(key());
});

it("tells runs, kinds and images apart", () => {
  const keys = [
    key({ subject }),
    key({ subject: { ...subject, uid: "u-2" } }),
    key({ subject: { ...subject, kind: "Experiment" } }),
    key({ params: { container: "a", image: "b" } }),
    key({ params: { container: "b", image: "a" } }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});
