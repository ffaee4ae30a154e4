import { expect, it } from "vitest";
import { findTemplateWrite, type TrailItem } from "./find-template-write.ts";

type Item = [writer: string | null, template: string | null, currentPodHash: string, workloadGeneration?: string];
const trailOf = (items: readonly Item[]): TrailItem[] =>
  items.map(([writer, template, currentPodHash, workloadGeneration = null], index) => ({
    at: index,
    writer,
    projection: { template, currentPodHash, workloadGeneration } as TrailItem["projection"],
  }));
const controller = "rollouts-controller";

it.each<{ name: string; trail: Item[]; expected: ReturnType<typeof findTemplateWrite> }>([
  { name: "nothing before", trail: [[controller, "t1", "a"]], expected: undefined },
  {
    name: "the controller takes it up in a write of its own",
    trail: [
      [controller, "t1", "a"],
      ["kubectl-patch", "t2", "a"],
      [controller, "t2", "a"],
      [controller, "t2", "b"],
    ],
    expected: { client: "kubectl-patch", at: 1, previousAt: 0 },
  },
  {
    name: "the controller fills in defaults before",
    trail: [
      [controller, "t1", "a"],
      ["argocd", "t2", "a"],
      [controller, "t2-defaults", "a"],
      [controller, "t2-defaults", "b"],
    ],
    expected: { client: "argocd", at: 1, previousAt: 0 },
  },
  {
    name: "written twice before it was taken up",
    trail: [
      [controller, "t1", "a"],
      ["first", "t2", "a"],
      ["second", "t3", "a"],
      [controller, "t3", "b"],
    ],
    expected: { client: "second", at: 2, previousAt: 1 },
  },
  {
    name: "not the one of the hash before",
    trail: [
      [controller, "t0", "z"],
      ["deployer", "t1", "z"],
      [controller, "t1", "a"],
      [controller, "t2", "b"],
    ],
    expected: { client: null, at: 3, previousAt: 2 },
  },
  {
    name: "the template of a workload beside it: its writer is not recorded",
    trail: [
      [controller, null, "a", "1"],
      [controller, null, "a", "2"],
      [controller, null, "b", "2"],
    ],
    expected: { client: null, at: 1, previousAt: 0 },
  },
])("$name", ({ trail, expected }) => {
  expect(findTemplateWrite(trailOf(trail))).toEqual(expected);
});
