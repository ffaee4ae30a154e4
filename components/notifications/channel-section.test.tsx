// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ChannelSection } from "#components/notifications/channel-section.tsx";
import { RouteSection } from "#components/notifications/route-section.tsx";
import type { NotificationChannel } from "#lib/contract/notification.ts";
import { NotificationSetting } from "#lib/contract/notification-setting.ts";
import { capital } from "#lib/util/words.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();
const wait = { timeout: 120_000 };
const changedAt = "2026-11-28T10:00:00.000Z";

const channels = [
  { name: "team", type: "slack", webhookUrl: "env:HOOK" },
  { name: "pager", type: "webhook", url: "https://a.example/x", signingSecret: "env:KEY" },
];
const routes = [
  { name: "all", to: ["team"] },
  { name: "bad", minSeverity: "critical", to: ["team", "pager"] },
];

async function show(change: Partial<NotificationSetting> = {}, refusal?: Response) {
  const setting = NotificationSetting.parse({
    ...{ channels, routes, allow: ["env:HOOK", "env:KEY", "https://a.example"], unusable: [] },
    ...{ source: "interface", changedBy: "admin", changedAt, ...change },
  });
  const items = setting.channels.map(
    ({ name, type }): NotificationChannel => ({
      ...{ name, type, routes: [], lastSuccessAt: null, lastErrorAt: null, lastError: null, waiting: 0, failed: 0 },
      test: name === "team" ? { state: "sent", at: changedAt, answer: "answered 202" } : null,
    }),
  );
  const sent: unknown[] = [];
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string, { method, body }: { method?: string; body?: string }) => {
    if (method === "POST") {
      sent.push(JSON.parse(body ?? ""));
      if (refusal !== undefined) return refusal;
    } else asked.push(address);
    return Response.json(address.includes("notification-channels") ? { items } : setting);
  });
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={new QueryClient()}>
        <ChannelSection />
        <RouteSection />
      </QueryClientProvider>
    </AppRouterContext>,
  );
  await act(() => vi.waitFor(() => expect(document.body.textContent).toContain("channel"), wait));
  await act(() => vi.waitFor(() => expect(document.querySelector("h2#channels ~ *")).not.toBeNull(), wait));
  return { sent, asked, setting };
}

const until = (check: () => void) => act(() => vi.waitFor(check, wait));
const click = (selector: string) => act(async () => document.querySelector<HTMLElement>(selector)?.click());
const submit = () =>
  act(async () =>
    document
      .querySelector("[role=dialog] form")
      ?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })),
  );
const names = () => [...document.querySelectorAll("button")].map((button) => button.textContent);

it("removes a channel with its places in routes, and a route that leads nowhere else", async () => {
  const { sent, setting } = await show();
  await until(() => expect(names()).toContain("Add a route"));
  await click("[aria-label='Remove team']");
  await until(() => expect(document.querySelector("[role=dialog]")?.textContent).toContain("removed too: all."));
  expect(sent).toEqual([]);
  await submit();
  const [, bad] = setting.routes;
  await until(() =>
    expect(sent).toEqual([{ channels: [setting.channels[1]], routes: [{ ...bad, to: ["pager"] }], changedAt }]),
  );
  await until(() => expect(document.querySelector("[role=dialog]")).toBeNull());
  expect(document.activeElement?.textContent).toContain("Where notifications go.");
});

it("says what came back from the newest test", async () => {
  await show();
  await until(() => expect(document.body.textContent).toMatch(/Test .*: sent, answered 202/));
  expect(document.body.textContent?.match(/: sent, /g)).toHaveLength(1);
});

it("removes a route once it is confirmed", async () => {
  const { sent, setting } = await show();
  await until(() => expect(document.querySelector("[aria-label='Remove bad']")).not.toBeNull());
  await click("[aria-label='Remove bad']");
  await until(() => expect(document.querySelector("[role=dialog]")?.textContent).toContain("Remove bad?"));
  await submit();
  const [all] = setting.routes;
  await until(() => expect(sent).toEqual([{ channels: setting.channels, routes: [all], changedAt }]));
});

it("asks for the states of the channels again after a change", async () => {
  const { asked } = await show();
  await until(() => expect(names()).toContain("Add a route"));
  await click("[aria-label='Remove pager']");
  await until(() => expect(document.querySelector("[role=dialog]")?.textContent).toContain("still wait"));
  asked.length = 0;
  await submit();
  await until(() => expect(asked).toEqual(expect.arrayContaining([expect.stringMatching("notification-channels")])));
  expect(document.body.textContent).not.toContain("removed too");
});

it("says why no secret can be chosen, and which fields must be filled in", async () => {
  await show({ allow: ["https://a.example"] });
  await until(() => expect(document.querySelector("[aria-label='Edit pager']")).not.toBeNull());
  await click("[aria-label='Edit pager']");
  await until(() =>
    expect(document.querySelector("[role=dialog]")?.textContent).toContain("The config file allows no secret"),
  );
  expect(document.querySelectorAll("[role=dialog] input[required]")).toHaveLength(2);
});

it("offers the places of secrets as addresses", async () => {
  await show({ allow: ["env:HOOK", "env:KEY"] });
  await until(() => expect(document.querySelector("[aria-label='Edit pager']")).not.toBeNull());
  await click("[aria-label='Edit pager']");
  await until(() =>
    expect(document.querySelector("[role=dialog]")?.textContent).toContain("choose the place where it is kept"),
  );
  const offered = [...document.querySelectorAll<HTMLOptionElement>("datalist option")].map(({ value }) => value);
  expect(offered).toEqual(["env:HOOK", "env:KEY"]);
});

it("says at the field why a channel was refused", async () => {
  const reason = "the config file does not list https://b.example in notifications.allow";
  const invalidParams = [{ name: "channels.1.url", reason }];
  const problem = { code: "invalid_request", title: "Invalid", detail: `channels.1.url: ${reason}`, status: 400 };
  const { sent, setting } = await show({}, Response.json({ ...problem, invalidParams }, { status: 400 }));
  await until(() => expect(document.querySelector("[aria-label='Edit pager']")).not.toBeNull());
  await click("[aria-label='Edit pager']");
  await until(() => expect(document.querySelector("[role=dialog]")?.textContent).toContain("Signing secret"));
  await submit();
  await until(() => expect(document.querySelector("[role=dialog] [aria-invalid=true]")).not.toBeNull());
  expect(sent).toEqual([{ channels: setting.channels, routes: setting.routes, changedAt }]);
  expect(document.querySelector("[role=dialog]")?.textContent).toContain(capital(reason));
});

it("changes nothing if the config file sets the channels, and shows what to write there", async () => {
  await show({ source: "file" });
  await until(() => expect(document.body.textContent).toContain("can only be changed there"));
  await until(() => expect(names()).toContain("Send a test message"));
  expect(names().filter((name) => /Add|Edit|Remove/.test(name ?? ""))).toEqual([]);
  expect(document.body.textContent).toContain("As YAML, for the config file");
});

it("says what the config file has to list before a channel can be made", async () => {
  await show({ channels: [], routes: [], allow: [] });
  await until(() =>
    expect(document.body.textContent).toContain("No channels: Gatehouse notifies no one outside the browser."),
  );
  expect(document.body.textContent).toContain("notifications.allow");
  expect(names()).not.toContain("Add a channel");
});

it("shows a channel that is out of force with the reason", async () => {
  await show({ unusable: [{ name: "pager", reason: "not listed" }] });
  await until(() => expect(document.body.textContent).toContain("Not in use: not listed"));
});
