import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ApprovalRow } from "#components/actions/approvals-box.tsx";
import { sampleApproval } from "#components/actions/testing/sample-approval.ts";
import type { Approval } from "#lib/contract/approval.ts";

function render(change: Partial<Approval>): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ApprovalRow approval={{ ...sampleApproval, ...change }} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

function buttonsOf(change: Partial<Approval>): string[] {
  const markup = render(change);
  expect(markup).toContain("it is ready");
  return [...markup.matchAll(/<button.*?<\/button>/gs)].map(([button]) => button.replaceAll(/<[^>]*>/g, ""));
}

it.each<[string, Partial<Approval>, string[]]>([
  ["who may decide", {}, ["Approve", "Reject"]],
  ["who asked", { own: true, decidable: false, withdrawable: true }, ["Withdraw"]],
  ["who may take the word back", { decidable: false, withdrawable: true, state: "approved" }, ["Withdraw"]],
  ["an admin of the place", { withdrawable: true }, ["Approve", "Reject", "Withdraw"]],
  ["who only looks", { decidable: false }, []],
  ["who may decide about an agent's proposal", { agent: { name: "bot" }, rule: "" }, ["Accept", "Decline"]],
])("%s gets the buttons %j %j", (_name, change, buttons) => {
  expect(buttonsOf(change)).toEqual(buttons);
});

it.each<[string, Partial<Approval>, string]>([
  ["one person is enough", {}, 'Rule "four eyes" in c.'],
  [
    "one of two has approved",
    {
      rules: [{ name: "four eyes", approvers: 2, groups: ["sre"], approved: 1 }],
      approvals: [{ name: "operator", username: "operator", at: "", reason: null, counts: true }],
    },
    '1 of 2 approved: operator. Can still approve: sre. Rule "four eyes" in c.',
  ],
  [
    "both have approved",
    {
      state: "approved",
      rules: [{ name: "four eyes", approvers: 2, groups: [], approved: 2 }],
      approvals: ["operator", "admin"].map((name) => ({ name, username: name, at: "", reason: null, counts: true })),
    },
    'Approved by operator and admin, not used yet. Rule "four eyes" in c.',
  ],
])("shows the progress when %s", (_name, change, says) => {
  const text = render(change)
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll(/\s+/g, " ");
  expect(text).toContain(says);
});
