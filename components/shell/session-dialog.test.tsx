// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, useSyncExternalStore } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { SessionDialog } from "#components/shell/session-dialog.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import { sessionEnd } from "#lib/client/session.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

function Example() {
  const hasEnded = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.snapshot);
  return (
    <>
      <input aria-label="Reason" defaultValue="errors rise" />
      {hasEnded && <SessionDialog />}
    </>
  );
}

const person = { issuer: "https://idp.example", subject: "7" };
const reload = vi.fn();
const close = vi.fn();
const opened = vi.fn(() => ({ close }));
const answer = vi.fn<() => Response>();

beforeEach(() => {
  for (const mock of [reload, close, opened, answer]) mock.mockClear();
  vi.stubGlobal("fetch", async () => answer());
  vi.stubGlobal("open", opened);
  vi.stubGlobal("location", { ...window.location, origin: "http://h.example", reload });
  answer.mockImplementation(() => new Response("{}", { status: 401 }));
});

async function show(): Promise<void> {
  const client = new QueryClient();
  client.setQueryData(queryKeys.me(), person);
  await render(
    <QueryClientProvider client={client}>
      <Example />
    </QueryClientProvider>,
  );
  await act(async () => sessionEnd.note());
}

const findDialog = () => document.querySelector("[role=dialog]");
const signIn = () => [...document.querySelectorAll("button")].find((button) => button.textContent === "Sign in");

it("keeps the page, and continues once the same person is signed in", async () => {
  await show();
  expect(findDialog()?.textContent).toContain("Your session has ended");
  await act(async () => signIn()?.click());
  expect(opened).toHaveBeenCalledExactlyOnceWith("/signin", "gatehouse-sign-in");
  await act(async () => window.dispatchEvent(new Event("focus")));
  expect(findDialog()).not.toBeNull();
  answer.mockImplementation(() => Response.json(person));
  await act(async () => {
    window.dispatchEvent(new Event("focus"));
    await vi.waitFor(() => expect(sessionEnd.snapshot()).toBe(false));
  });
  expect(close).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
  expect(document.querySelector("input")?.value).toBe("errors rise");
});

it("loads the page again for another person", async () => {
  await show();
  answer.mockImplementation(() => Response.json({ ...person, subject: "8" }));
  await act(async () => {
    window.dispatchEvent(new Event("focus"));
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  });
  expect(sessionEnd.snapshot()).toBe(true);
  await act(async () => sessionEnd.clear());
});
