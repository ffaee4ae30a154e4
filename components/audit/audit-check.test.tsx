// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { AuditCheck, describeVerification, LastVerdict } from "#components/audit/audit-check.tsx";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

it.each([
  { found: { ok: true, entries: 1270 }, words: "Chain verified: 1,270 entries" },
  { found: { ok: true, entries: 1 }, words: "Chain verified: 1 entry" },
  { found: { ok: true, entries: 0 }, words: "Chain verified: 0 entries" },
  { found: { ok: false, entries: 4, brokenAt: 5, reason: "changed" }, words: "Broken at entry 5: changed" },
])("says how many entries were verified, or where the chain is broken: $words", ({ found, words }) => {
  expect(describeVerification(found)).toBe(words);
});

/** Opens the page's check with these answers, by path; resolves to the addresses that it asked. */
async function open(answers: Record<string, unknown>): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const { pathname, search } = new URL(address, "http://x");
    asked.push(pathname + search);
    return new Response(JSON.stringify(answers[pathname] ?? {}), { status: 200 });
  });
  await render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <AuditCheck />
    </QueryClientProvider>,
  );
  return asked;
}

const verifyPath = "/api/v1/audit/verify";
const statusText = () => document.querySelector("[role=status]")?.textContent;

it("verifies a small log by itself when the page opens, without an entry about it", async () => {
  const asked = await open({ [verifyPath]: { ok: true, entries: 118 } });
  await vi.waitFor(() => expect(statusText()).toMatch(/^ ?Chain verified: 118 entries, /));
  expect(asked.filter((path) => path.startsWith(verifyPath))).toEqual([`${verifyPath}?quick=true`]);
});

it("claims of a large log no more than what was verified last", async () => {
  const detail = { ok: true, entries: 20_500 };
  const entry = { seq: 20_501, code: "audit.verify", time: "2026-11-20T10:00:00Z", actor: { name: "auditor" }, detail };
  await open({
    [verifyPath]: { ok: false, entries: 0, skipped: true },
    "/api/v1/audit": { items: [{ ...entry, code: "action.abort" }, entry], nextCursor: null },
  });
  await vi.waitFor(() => expect(statusText()).toMatch(/^ ?Last verified up to entry 20500, .* by auditor$/));
});

it.each([
  { name: "none is recorded", last: undefined, words: "Not verified yet" },
  {
    name: "it found a break",
    last: { ok: false, entries: 4, brokenAt: 5 },
    words: /^ ?Broken at entry 5, .* by auditor$/,
  },
])("says of the last verification: $name", async ({ last, words }) => {
  const entry = last && {
    ...{ time: "2026-11-20T10:00:00Z", actor: { type: "user" as const, name: "auditor" } },
    detail: last,
  };
  await render(
    <MantineProvider>
      <div role="status">
        <LastVerdict last={entry} />
      </div>
    </MantineProvider>,
  );
  expect(statusText()).toMatch(words);
});
