// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { PrintHeader } from "#components/shell/print-header.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

it("names the address, the person and the time on paper, and nothing on screen", async () => {
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
  vi.useFakeTimers({ now: new Date("2026-01-02T03:04:05Z"), toFake: ["Date"] });
  window.history.replaceState(null, "", "/audit?report=aborts");
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(queryKeys.me(), { name: "Operator One" });
  await render(
    <QueryClientProvider client={client}>
      <PrintHeader />
    </QueryClientProvider>,
  );
  const shown = () => document.querySelector("p")?.textContent;
  expect(shown()).toBeUndefined();
  await act(async () => window.dispatchEvent(new Event("beforeprint")));
  expect(shown()).toMatch(/^Gatehouse, http.*\/audit\?report=aborts, printed .*2026.* by Operator One, times in \S+$/);
  await act(async () => window.dispatchEvent(new Event("afterprint")));
  expect(shown()).toBeUndefined();
});
