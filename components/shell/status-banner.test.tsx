// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { ConfigBanner, FreshnessLamp, StatusBanner } from "#components/shell/status-banner.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import { useChangeStream } from "#lib/client/use-change-stream.ts";
import type { ConfigStatus } from "#lib/contract/system.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const base = { loadedAt: "2026-11-20T10:00:00Z", digest: "d", since: "2026-11-20T11:00:00Z" };
const held = { digest: "e", clusters: ["prod"], bindings: [] };

function render(status: ConfigStatus, role: string, namespace = "*"): string {
  const client = new QueryClient();
  client.setQueryData(queryKeys.configStatus(), status);
  client.setQueryData(queryKeys.me(), {
    role,
    grants: [{ role, scope: { clusters: ["*"], namespaces: [namespace], rollouts: ["*"] } }],
  });
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <ConfigBanner />
      </QueryClientProvider>
    </MantineProvider>,
  ).replaceAll(/<style[^>]*>.*?<\/style>/gs, "");
}

describe("ConfigBanner", () => {
  it("says nothing while the file is the config in force", () => {
    expect(render({ ...base, state: "ok" }, "admin")).toBe("");
  });

  it("says what is wrong and what that stops", () => {
    const text = render({ ...base, state: "error", fault: "missing", error: "a.yaml:1:1: no such file" }, "viewer");
    expect(text).toContain("a.yaml:1:1: no such file");
    expect(text).toContain("Actions that advance a rollout are off");
    expect(text).not.toContain("<button");
  });

  it.each([
    { role: "admin", mayConfirm: true },
    { role: "operator", mayConfirm: false },
    { role: "admin", namespace: "payments", mayConfirm: false },
  ])("lets an admin of everything confirm a removal: $role, $namespace", ({ role, namespace, mayConfirm }) => {
    const text = render({ ...base, state: "held", error: "a.yaml removes clusters prod", held }, role, namespace);
    expect(text).toContain("removes clusters prod");
    expect(text.includes("Confirm the removal")).toBe(mayConfirm);
  });
});

function Page() {
  useChangeStream();
  return (
    <>
      <StatusBanner />
      <FreshnessLamp />
    </>
  );
}

describe("without a connection", () => {
  const { render } = setUpReactRoot();

  const textOf = (selector: string) => document.querySelector(selector)?.textContent?.trim();
  const sendNetwork = (event: "online" | "offline") => act(async () => window.dispatchEvent(new Event(event)));

  it.each([
    {
      name: "Gatehouse has never answered",
      isKnown: false,
      banner: "Gatehouse has not answered for 0 s. This page may be out of date; it recovers automatically.",
      lamp: "no answer for 0 s",
    },
    { name: "the stream is lost and the last answer is new", isKnown: true, banner: "", lamp: "no sources yet" },
  ])("tells apart that the browser is offline and that $name", async ({ isKnown, banner, lamp }) => {
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("Failed to fetch");
    });
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    if (isKnown) client.setQueryData(queryKeys.sources(), { items: [] });
    await render(
      <QueryClientProvider client={client}>
        <Page />
      </QueryClientProvider>,
    );
    await act(() => vi.waitFor(() => expect(textOf("a")).toBe(lamp)));
    expect(textOf("[role=status]")).toBe(banner);
    await sendNetwork("offline");
    const offline = "You are offline. This page shows the last known state until the network is back.";
    await act(() => vi.waitFor(() => expect(textOf("[role=status]")).toBe(offline)));
    expect(textOf("a")).toBe("offline");
    expect(document.querySelector("[role=status] a")).toBeNull();
    await sendNetwork("online");
    expect(textOf("[role=status]")).toBe(banner);
  });
});
