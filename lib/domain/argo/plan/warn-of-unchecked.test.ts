import { expect, it } from "vitest";
import { parseRollout } from "#lib/domain/argo/objects/rollout-object.ts";
import { warnOfUnchecked } from "#lib/domain/argo/plan/warn-of-unchecked.ts";

type Json = Record<string, unknown>;

function warn({ rest, canary = {}, status = {} }: { rest: Json[]; canary?: Json; status?: Json }) {
  const parsed = parseRollout({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name: "web", namespace: "n", uid: "u", resourceVersion: "1", generation: 1 },
    spec: { strategy: { canary: { steps: [{ analysis: {} }, ...rest], ...canary } } },
    status: { currentPodHash: "new", stableRS: "old", currentStepIndex: 0, canary: status },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return warnOfUnchecked({ rollout: parsed.value, completed: 1, version: "v2.9.0" })?.text;
}

const wait = { pause: { duration: "10s" } };
const background = (startingStep: number) => ({ analysis: { templates: [{ templateName: "slo" }], startingStep } });

it.each([
  {
    rest: [{ setWeight: 70 }, wait],
    text: "v2.9.0 goes to 70 % now, then to 100 % after 10 s. Nothing checks it again.",
  },
  { rest: [], text: "v2.9.0 goes to 100 % now. Nothing checks it again." },
  { rest: [wait], text: "v2.9.0 goes to 100 % after 10 s. Nothing checks it again." },
  { rest: [wait, { setWeight: 100 }], text: "v2.9.0 goes to 100 % after 10 s. Nothing checks it again." },
  {
    rest: [{ setWeight: 70 }, { pause: {} }, wait],
    text: "v2.9.0 goes to 70 % now, then to 100 % when someone continues and after 10 s. No analysis checks it again.",
  },
  { rest: [{ setCanaryScale: { replicas: 3 } }], text: "Nothing checks v2.9.0 again." },
  { rest: [20, 30, 40, 50].map((setWeight) => ({ setWeight })), text: "Nothing checks v2.9.0 again." },
  { rest: [{ setWeight: 70 }, { analysis: {} }], text: undefined },
  { rest: [{ experiment: {} }], text: undefined },
  { rest: [{ somethingNew: {} }], text: undefined },
  { rest: [{ plugin: { name: "check" } }], text: undefined },
  { rest: [{ setWeight: 70 }, wait], canary: background(1), text: undefined },
  { rest: [{ setWeight: 70 }, wait], canary: background(2), text: undefined },
])("warns of the way to all traffic without analysis: $text", ({ text, ...sample }) => {
  expect(warn(sample)).toBe(text);
});
