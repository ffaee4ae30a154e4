import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ApprovalRow } from "#components/actions/approvals-box.tsx";
import { sampleApproval } from "#components/actions/testing/sample-approval.ts";
import type { Approval } from "#lib/contract/approval.ts";

function buttonsOf(change: Partial<Approval>): string[] {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ApprovalRow approval={{ ...sampleApproval, ...change }} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  expect(markup).toContain("it is ready");
  return [...markup.matchAll(/<button.*?<\/button>/gs)].map(([button]) => button.replaceAll(/<[^>]*>/g, ""));
}

it.each<[string, Partial<Approval>, string[]]>([
  ["who may decide", {}, ["Approve", "Reject"]],
  ["who asked", { own: true, decidable: false, withdrawable: true }, ["Withdraw"]],
  ["who may take the word back", { decidable: false, withdrawable: true, state: "approved" }, ["Withdraw"]],
  ["an admin of the place", { withdrawable: true }, ["Approve", "Reject", "Withdraw"]],
  ["who only looks", { decidable: false }, []],
])("%s gets the buttons %j %j", (_name, change, buttons) => {
  expect(buttonsOf(change)).toEqual(buttons);
});
