// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { NotificationsPage } from "#components/notifications/notifications-page.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { NotificationSetting } from "#lib/contract/notification-setting.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();
const admin = {
  ...answers.getMe,
  role: "admin",
  grants: answers.getMe.grants.map((grant) => ({ ...grant, role: "admin" })),
};
const setting = NotificationSetting.parse({
  ...{ channels: [], routes: [], allow: [], unusable: [] },
  ...{ source: "interface", changedBy: null, changedAt: null },
});
const channel = {
  ...{ name: "team", type: "slack", routes: [], lastSuccessAt: null, lastErrorAt: null, lastError: null },
  ...{ waiting: 0, failed: 0, test: null },
};

async function show(channels: readonly unknown[], searchParams: Record<string, string> = {}) {
  vi.stubGlobal("fetch", async (address: string) => {
    if (address.includes("/me")) return Response.json(admin);
    if (address.includes("notification-channels")) return Response.json({ items: channels });
    if (address.includes("admin/notifications")) return Response.json(setting);
    return Response.json({ items: [], nextCursor: null });
  });
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <NuqsTestingAdapter hasMemory searchParams={searchParams}>
        <QueryClientProvider client={new QueryClient()}>
          <NotificationsPage />
        </QueryClientProvider>
      </NuqsTestingAdapter>
    </AppRouterContext>,
  );
}

const text = () => document.body.textContent ?? "";
const until = (check: () => void) => act(() => vi.waitFor(check, { timeout: 120_000 }));

it("writes the first channel, and has no messages to filter until there is one", async () => {
  await show([]);
  await until(() => expect(text()).toContain("No channels: Gatehouse notifies no one outside the browser."));
  await until(() => expect(text()).toContain("webhookUrl: file:/etc/gatehouse/slack-webhook"));
  expect(text()).toContain("it checks that the secret is there");
  expect(document.querySelector("h2#messages")).toBeNull();
});

it.each([
  { name: "a channel", channels: [channel], searchParams: undefined },
  { name: "a filter", channels: [], searchParams: { state: "failed" } },
])("shows the messages with $name", async ({ channels, searchParams }) => {
  await show(channels, searchParams);
  await until(() => expect(document.querySelector("h2#messages")).not.toBeNull());
});
