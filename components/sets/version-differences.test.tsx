// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { VersionDifferences } from "#components/sets/version-differences.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();
const text = () => document.body.textContent ?? "";

async function show(answer: Record<string, unknown>, isListed = true) {
  const fetched = vi.fn(async () => Response.json(answer));
  vi.stubGlobal("fetch", fetched);
  await render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <VersionDifferences version="v2" filters={{ image: "shop/app" }} isListed={isListed} />
    </QueryClientProvider>,
  );
  return fetched;
}

const same = { total: 3, compared: 3, fields: [], moreFields: 0, notCompared: 0 };
const allSame = "All members have the same image, analysis templates, arguments and steps.";

it.each([
  [same, allSame],
  [{ ...same, total: 2345, compared: 2000 }, `Of 2,345 members, the first 2,000: ${allSame}`],
  [{ ...same, notCompared: 30 }, "30 fields were not compared: too many. No other field differs."],
  [{ ...same, notCompared: 1 }, "1 field was not compared: too many. No other field differs."],
])("says in one line that nothing differs", async (answer, line) => {
  await show(answer);
  await vi.waitFor(() => expect(text()).toContain(line));
  expect(document.querySelector("button")).toBeNull();
});

it("says nothing of a single member, which has no other", async () => {
  await show({ ...same, total: 1, compared: 1 });
  await vi.waitFor(() => expect(document.querySelector(".mantine-Skeleton-root")).toBeNull());
  expect(text()).not.toContain("All members");
});

it("names the fields that differ, and lists their values with the members on a click", async () => {
  await show(answers.getVersionDifferences);
  await vi.waitFor(() => expect(text()).toContain("template AnalysisTemplate/success-rate; argument threshold"));
  expect(text()).not.toContain("most (");
  document.querySelector("button")?.click();
  await vi.waitFor(() => expect(text()).toContain("95: most (18)"));
  expect(text()).toContain("90: prod-us / payments/checkout and 1 more");
  expect(text()).toContain("not set: prod-asia / payments/checkout");
  expect(text()).toContain("not recorded: prod-asia / payments/checkout");
  const links = [...document.querySelectorAll("dd a")].map((link) => link.getAttribute("href"));
  expect(links).toContain("/rollouts/prod-us/payments/Rollout/checkout");
});

it.each([
  [{ moreFields: 12, notCompared: 30 }, "12 more differ. 30 fields were not compared: too many."],
  [{ moreFields: 1, notCompared: 0 }, "1 more differs."],
  [{ moreFields: 0, notCompared: 1 }, "1 field was not compared: too many."],
])("counts the fields that differ too apart from those that were not compared", async (counts, line) => {
  await show({ ...answers.getVersionDifferences, ...counts });
  await vi.waitFor(() => expect(document.querySelector(".mantine-Text-root:last-child")?.textContent).toBe(line));
});

it("compares nothing before the rollouts are listed", async () => {
  expect(await show(same, false)).not.toHaveBeenCalled();
});
