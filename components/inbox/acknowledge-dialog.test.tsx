// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { AcknowledgeDialog } from "#components/inbox/acknowledge-dialog.tsx";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const rollout = {
  id: "c/n/Rollout/shop",
  cluster: "c",
  namespace: "n",
  kind: "Rollout",
  name: "shop",
  viewDigest: "d",
};
const { render } = setUpReactRoot();
let sent: ReturnType<typeof vi.fn>;

beforeEach(async () => {
  sent = vi.fn(async () => Response.json({}));
  vi.stubGlobal("fetch", sent);
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <AcknowledgeDialog rollout={rollout as RolloutSummary} onClose={() => undefined} />
    </QueryClientProvider>,
  );
});

const dialog = () => document.querySelector<HTMLElement>('[role="dialog"]') ?? document.body;

async function confirmWith(reason: string): Promise<void> {
  const field = dialog().querySelector("textarea");
  if (field === null) throw new Error("no field for the reason");
  const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
  await act(async () => {
    set?.call(field, reason);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(async () => dialog().querySelector<HTMLButtonElement>("button[type=submit]")?.click());
}

it.each(["", "  ", "\u200b\u2800"])("says that a reason is missing, and sends nothing: %j", async (reason) => {
  await confirmWith(reason);
  expect(dialog().textContent).toContain("Enter a reason.");
  expect(sent).not.toHaveBeenCalled();
});

it("sends the reason", async () => {
  await confirmWith("Known load test.");
  expect(dialog().textContent).not.toContain("Enter a reason.");
  expect(JSON.parse(String(sent.mock.calls[0]?.[1]?.body))).toMatchObject({
    reason: "Known load test.",
    viewDigest: "d",
  });
});
