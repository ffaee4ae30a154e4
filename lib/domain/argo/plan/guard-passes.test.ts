import { expect, it } from "vitest";
import { parseRollout } from "#lib/domain/argo/objects/rollout-object.ts";
import { findUnnamedPasses } from "./guard-passes.ts";

const steps = [{ setWeight: 50 }, { pause: {} }, { pause: { duration: "10s" } }, { pause: {} }];
const parsed = parseRollout({
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Rollout",
  metadata: { name: "shop", namespace: "n", uid: "u", resourceVersion: "1" },
  spec: { strategy: { canary: { steps } } },
  status: {},
});
if (!parsed.ok) throw new Error("the sample is no rollout");
const rollout = parsed.value;

it.each<{ name: string; named: number[] | undefined; passes: number[] | undefined; reported: string | undefined }>([
  { name: "nothing is passed", named: [], passes: [], reported: undefined },
  { name: "an action that passes none", named: [], passes: undefined, reported: undefined },
  { name: "what was named", named: [1, 3], passes: [1, 3], reported: undefined },
  { name: "fewer than were named", named: [1, 3], passes: [3], reported: undefined },
  { name: "an older client says nothing", named: undefined, passes: [1], reported: undefined },
  { name: "one that was not named", named: [], passes: [1], reported: "It may now pass step 2 of 4" },
  { name: "one more than was named", named: [1], passes: [1, 3], reported: "It may now pass step 4 of 4" },
  { name: "another one than was named", named: [1], passes: [3], reported: "It may now pass step 4 of 4" },
])("$name", ({ named, passes, reported }) => {
  const plan = passes === undefined ? {} : { passesPauses: passes };
  const found = findUnnamedPasses({ rollout, plan, named });
  expect(found?.message.slice(0, reported?.length)).toBe(reported);
  expect(found?.change).toEqual(
    reported === undefined ? undefined : expect.objectContaining({ field: "passesPauses", seen: named, now: passes }),
  );
});
