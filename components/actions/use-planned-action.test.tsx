import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { ActTarget } from "#components/actions/act-target.ts";
import { type PlannedAction, usePlannedAction } from "#components/actions/use-planned-action.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

const target: ActTarget = {
  id: "c/n/Rollout/a",
  cluster: "c",
  namespace: "n",
  kind: "Rollout",
  name: "a",
  viewDigest: "d",
  uid: "u",
};
const needs = { reason: true, secondPerson: null, freeze: null, breakGlass: false };
const base = { protective: false, allowed: true, needs };
const revision = (of: number, current = false) => ({
  revision: of,
  podHash: String(of),
  images: [],
  current,
  stable: false,
});
const undo: AllowedAction = {
  ...base,
  action: "undo",
  label: "Roll back to a revision",
  effect: "Back to a former revision, such as 3.",
  kubectl: "kubectl argo rollouts undo a -n n --to-revision=3",
  revisions: [revision(4, true), revision(3), revision(2)],
};
const setImage: AllowedAction = { ...base, action: "set-image", label: "Set image", containers: [] };

type Asked = {
  action: AllowedAction;
  typed?: ActionParams | undefined;
  answers?: [ActionParams, Partial<AllowedAction>][];
};

type ProbeProps = Pick<Asked, "action" | "typed"> & { onPlan: (planned: PlannedAction) => void };

function Probe({ action, typed, onPlan }: ProbeProps) {
  onPlan(usePlannedAction({ target, action, typed }));
  return null;
}

/** Runs the hook with these server answers available, and returns its result. */
function plan({ action, typed, answers = [] }: Asked): PlannedAction {
  const client = new QueryClient();
  for (const [params, answer] of answers)
    client.setQueryData(queryKeys.actionPlan(target, { action: action.action, ...params }), { ...action, ...answer });
  const seen: PlannedAction[] = [];
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Probe action={action} typed={typed} onPlan={(planned) => seen.push(planned)} />
    </QueryClientProvider>,
  );
  const [planned] = seen;
  if (planned === undefined) throw new Error("nothing was rendered");
  return planned;
}

describe("usePlannedAction", () => {
  it("leaves an action without parameters as it was offered", () => {
    const action: AllowedAction = { ...base, action: "continue", label: "Continue" };
    expect(plan({ action })).toEqual({ shown: action, params: {}, offer: action, isPlanned: true });
  });

  it("offers the revisions that the cluster has now, not those that were recorded", () => {
    const { offer, params } = plan({ action: undo, answers: [[{}, { revisions: [revision(4, true), revision(2)] }]] });
    expect(offer.revisions?.map((one) => one.revision)).toEqual([4, 2]);
    expect(params).toEqual({ toRevision: 2 });
  });

  it("waits for the plan of what was chosen, and until then names the revision in the command", () => {
    const { shown, isPlanned, waitsFor } = plan({ action: undo, typed: { toRevision: 2 } });
    expect(isPlanned).toBe(false);
    expect(waitsFor).toBe("Working out what this would do.");
    expect(shown.kubectl).toContain("--to-revision=2");
  });

  it("shows the plan of what was chosen, and no other", () => {
    const answers: Asked["answers"] = [
      [{ toRevision: 3 }, { effect: "Back to 3." }],
      [{ toRevision: 2 }, { effect: "Back to 2." }],
    ];
    const { shown, isPlanned, waitsFor } = plan({ action: undo, typed: { toRevision: 2 }, answers });
    expect(shown.effect).toBe("Back to 2.");
    expect(isPlanned).toBe(true);
    expect(waitsFor).toBeUndefined();
  });

  it("asks the cluster for the containers that the record does not know, and fills in the first", () => {
    expect(plan({ action: setImage }).waitsFor).toBe("Reading the running version from the cluster.");
    const containers = [{ name: "app", image: "app:1" }];
    const { params } = plan({ action: setImage, answers: [[{}, { containers }]] });
    expect(params).toEqual({ container: "app", image: "app:1" });
  });

  it("waits for an image that somebody is still typing", () => {
    const { waitsFor, isPlanned } = plan({ action: setImage, typed: { container: "app", image: "" } });
    expect(waitsFor).toBe("Choose a container and an image.");
    expect(isPlanned).toBe(false);
  });
});
