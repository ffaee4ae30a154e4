// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { HiddenSignIns } from "#components/audit/audit-page.tsx";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

async function open({ count, nextCursor = null }: { count: number; nextCursor?: string | null }) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return Response.json({ items: Array.from({ length: count }, (_, seq) => ({ seq })), nextCursor });
  });
  const onShow = vi.fn();
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <HiddenSignIns filters={{ rows: "acts", actor: "a", signIns: "hidden" }} isWanted onShow={onShow} />
    </QueryClientProvider>,
  );
  await act(async () => new Promise((resolve) => setTimeout(resolve, 20)));
  return { asked, onShow, text: document.body.textContent };
}

it("counts the sign-ins that the other filters would show, and shows them", async () => {
  const { asked, onShow, text } = await open({ count: 13 });
  expect(text).toContain("13 sign-ins hidden (show)");
  expect(asked[0]).toContain("actor=a");
  expect(asked[0]).toContain("signIns=only");
  await act(async () => document.querySelector("button")?.click());
  expect(onShow).toHaveBeenCalledOnce();
});

it.each([
  { count: 1, nextCursor: null, says: "1 sign-in hidden (show)" },
  { count: 200, nextCursor: "more", says: "200 or more sign-ins hidden (show)" },
])("never claims a number that it did not count: $says", async ({ says, ...answer }) => {
  expect((await open(answer)).text).toContain(says);
});

it("says nothing if there are none", async () => {
  expect((await open({ count: 0 })).text).not.toContain("sign-in");
});
