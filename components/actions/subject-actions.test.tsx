import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { SubjectActions } from "#components/actions/subject-actions.tsx";
import { makeSubjectTarget, offerOf } from "#components/actions/subject-target.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { ActionPlanAnswer } from "#lib/contract/action.ts";

const rollout = { id: "c/n/Rollout/a", cluster: "c", namespace: "n", kind: "Rollout", name: "a" };
const subject = { kind: "AnalysisRun", uid: "u1", name: "a-1" } as const;
const place = { cluster: "c", namespace: "n", rollout };
const plan: ActionPlanAnswer = {
  action: "terminate",
  label: "Terminate",
  protective: false,
  allowed: true,
  effect: "Ends run a-1 early.",
  needs: { reason: true, secondPerson: null, freeze: null, breakGlass: false },
  view: { viewDigest: "d", uid: "r1", revisionKey: "k" },
};

function render(
  answer: ActionPlanAnswer | undefined,
  role = "operator",
  of: Parameters<typeof SubjectActions>[0]["subject"] = subject,
): string {
  const client = new QueryClient();
  client.setQueryData(queryKeys.me(), { role, clusterIdentities: [] });
  const fields = { uid: subject.uid, state: "Running false", action: "terminate" };
  if (answer !== undefined) client.setQueryData(queryKeys.subjectPlan(rollout.id, fields), answer);
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SubjectActions subject={of} place={place} state="Running false" actions={["terminate"]} />
      </QueryClientProvider>
    </MantineProvider>,
  ).replaceAll(/<style[^>]*>.*?<\/style>/gs, "");
}

describe("SubjectActions", () => {
  it("offers what the plan allows", () => {
    expect(render(plan)).toContain("Terminate run");
    expect(render(plan, "operator", { ...subject, kind: "Experiment" })).toContain("Terminate experiment");
    expect(render(plan)).not.toContain("aria-disabled");
  });

  it("is off while nobody has said what it would do, and where the plan refuses", () => {
    expect(render(undefined)).toContain('aria-disabled="true"');
    expect(render({ ...plan, allowed: false, reason: "It has ended." })).toContain('aria-disabled="true"');
  });

  it("says what stands in front of it", () => {
    const secondPerson = { rule: "four eyes", expireMinutes: 60, because: "Two." };
    expect(render({ ...plan, needs: { ...plan.needs, secondPerson } })).toContain("needs approval");
  });

  it("gives a viewer nothing", () => {
    expect(render(plan, "viewer")).toBe("");
  });
});

describe("offerOf", () => {
  const unseen = makeSubjectTarget({ subject, place });
  const offer = (input: Partial<Parameters<typeof offerOf>[0]>) =>
    offerOf({ target: unseen, action: "terminate", plan: undefined, error: null, ...input });

  it("binds the action to the view of the rollout that it was planned for", () => {
    expect(offer({ plan }).target).toMatchObject({ ...rollout, viewDigest: "d", uid: "r1", revisionKey: "k", subject });
  });

  it("binds a run that no rollout owns to itself", () => {
    const lone = makeSubjectTarget({ subject, place: { ...place, rollout: null } });
    const { target } = offer({ target: lone, plan: { ...plan, view: null } });
    expect(target).toMatchObject({ id: "c/n/AnalysisRun/a-1", kind: "AnalysisRun", uid: "u1", viewDigest: "" });
    expect(target.revisionKey).toBeUndefined();
  });

  it("lets an error stand over an older plan", () => {
    const { offer: shown } = offer({ plan, error: new Error("The run could not be read.") });
    expect(shown).toMatchObject({ allowed: false, reason: "The run could not be read.", label: "Terminate run" });
  });
});
