// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { useDetail } from "#lib/client/use-detail.ts";

type Asked = { resolve(value: string): void; reject(error: Error): void };
const asked: Asked[] = [];
const shown: string[] = [];

function Page({ id }: { id: string }) {
  const { data, error } = useDetail({
    queryKey: [id],
    queryFn: () => new Promise<string>((resolve, reject) => asked.push({ resolve, reject })),
  });
  const words = data ?? error?.message ?? "loading";
  if (shown.at(-1) !== words) shown.push(words);
  return null;
}

it("keeps saying what is wrong while it asks again, and not what was wrong with another thing", async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const show = (id: string) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <Page id={id} />
        </QueryClientProvider>,
      ),
    );
  const until = (check: () => void) => act(() => vi.waitFor(check, 120_000));
  const nextAsked = async () => {
    await until(() => expect(asked).toHaveLength(1));
    // Long enough for the page to show that it asks.
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    return asked.shift() as Asked;
  };
  const fail = async () => {
    const { reject } = await nextAsked();
    reject(new Error("not found"));
    await until(() => expect(client.getQueryState(["one"])).toMatchObject({ status: "error", fetchStatus: "idle" }));
    await until(() => expect(shown.at(-1)).toBe("not found"));
  };

  await show("one");
  await fail();
  await act(async () => void client.invalidateQueries());
  await fail();
  expect(shown).toEqual(["loading", "not found"]);
  await show("other");
  (await nextAsked()).resolve("here");
  await until(() => expect(shown).toEqual(["loading", "not found", "loading", "here"]));
  await show("one");
  (await nextAsked()).resolve("appeared");
  await until(() => expect(shown.slice(4)).toEqual(["not found", "appeared"]));
  act(() => root.unmount());
});
