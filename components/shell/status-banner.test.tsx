import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ConfigBanner } from "#components/shell/status-banner.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { ConfigStatus } from "#lib/contract/system.ts";

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
