// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, useSyncExternalStore } from "react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { SessionDialog } from "#components/shell/session-dialog.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import { sessionEnd } from "#lib/client/session.ts";
import { useChangeStream } from "#lib/client/use-change-stream.ts";
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
    await expect.poll(() => sessionEnd.snapshot()).toBe(false);
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
    await expect.poll(() => reload.mock.calls).toHaveLength(1);
  });
  expect(sessionEnd.snapshot()).toBe(true);
  await act(async () => sessionEnd.clear());
});

function Stream() {
  useChangeStream();
  return null;
}

it("polls nothing while the session has ended, and opens the stream at once when it is renewed", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.stubGlobal(
    "BroadcastChannel",
    class extends EventTarget {
      postMessage() {}
      close() {}
    },
  );
  const client = new QueryClient();
  const invalidate = vi.spyOn(client, "invalidateQueries");
  await render(
    <QueryClientProvider client={client}>
      <Stream />
    </QueryClientProvider>,
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(sessionEnd.snapshot()).toBe(true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(invalidate).not.toHaveBeenCalled();
  const before = answer.mock.calls.length;
  answer.mockImplementation(() => new Response("{}", { status: 503 }));
  sessionEnd.clear();
  await vi.advanceTimersByTimeAsync(0);
  expect(answer.mock.calls.length).toBe(before + 1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(invalidate).toHaveBeenCalled();
});
