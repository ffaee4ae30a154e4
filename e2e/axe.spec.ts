import { expect, type Page } from "@playwright/test";
import { expectNoFindingsInBoth, openAllActions, scenarioPath, signInAnew, test } from "./pages.ts";
import { createPausedRollout } from "./sandbox.ts";

/**
 * `list`: the name of its table; a narrow screen shows a list without a head to sort by. `isNarrow`: scanned on a narrow
 * screen as well, with its bar instead of the rail.
 */
type Looked = { name: string; path: () => string; ready: RegExp; list?: string; isNarrow?: boolean };

const longName = `long-${"name-".repeat(18)}end`;

// The stories of insights, findings, releases, runs, logs and the admin's pages look at those pages themselves.
const groups: { title: string; pages: Looked[] }[] = [
  {
    title: "the inbox, the lists, and what a person and a fleet is asked for",
    pages: [
      { name: "inbox", path: () => "/inbox", ready: /waiting/, isNarrow: true },
      { name: "rollouts", path: () => "/rollouts", ready: /checkout/, list: "Rollouts", isNarrow: true },
      { name: "releases", path: () => "/releases", ready: /ledger/, list: "Releases" },
      { name: "analysis runs", path: () => "/analysis-runs", ready: /ledger/, list: "Analysis runs" },
      { name: "experiments", path: () => "/experiments", ready: /ranking/, list: "Experiments" },
      { name: "findings", path: () => "/findings?state=all", ready: /Promotion in trouble/ },
      {
        name: "a list with a wrong filter",
        path: () => "/findings?severity=loud",
        ready: /This filter cannot be used/,
      },
      { name: "audit", path: () => "/audit?signIns=shown", ready: /signed in/, isNarrow: true },
      { name: "who aborted what", path: () => "/audit?report=aborts", ready: /controller/ },
      { name: "audit entry", path: () => "/audit/1", ready: /Chain link/ },
      { name: "settings", path: () => "/settings", ready: /this one/ },
      { name: "a terminal's code", path: () => "/device", ready: /Enter the code/ },
      { name: "sources", path: () => "/sources", ready: /AnalysisRun/ },
      { name: "controllers", path: () => "/controllers", ready: /Argo Rollouts/ },
      {
        name: "controller",
        path: () => "/controllers/demo/status-reconciler?range=1h",
        ready: /Loaded presubmits/,
      },
    ],
  },
  {
    title: "the tabs of a rollout, and templates",
    pages: [
      { name: "rollout", path: () => scenarioPath("failed"), ready: /What happened/, isNarrow: true },
      { name: "runs of a rollout", path: () => `${scenarioPath("failed")}?tab=analysis`, ready: /Failed/ },
      { name: "audit of a rollout", path: () => `${scenarioPath("failed")}?tab=audit`, ready: /Who aborted it/ },
      { name: "live object", path: () => `${scenarioPath("failed")}?tab=object`, ready: /apiVersion/ },
      { name: "releases of a rollout", path: () => `${scenarioPath("history")}?tab=releases`, ready: /Promoted/ },
      { name: "rollout at an experiment", path: () => scenarioPath("experiment"), ready: /candidate/ },
      { name: "blue-green rollout", path: () => `${scenarioPath("blueGreen")}?events=all`, ready: /SwitchService/ },
      { name: "a rollout that does not exist", path: () => "/rollouts/demo/a/Rollout/b", ready: /No rollout a\/b/ },
      { name: "a page that does not exist", path: () => "/nowhere", ready: /Page not found/ },
      { name: "templates", path: () => "/templates", ready: /login-smoke/, list: "Templates" },
      {
        name: "template",
        path: () => "/templates/demo/accounts/AnalysisTemplate/login-smoke",
        ready: /successCondition/,
      },
      {
        name: "back-test",
        path: () => "/backtest?template=demo/accounts/AnalysisTemplate/login-smoke&metric=success-rate",
        ready: /Would have aborted|No runs to replay/,
      },
      {
        name: "template lab",
        path: () => "/template-lab?template=demo/accounts/AnalysisTemplate/login-smoke",
        ready: /No problems found|Warning|Error/,
      },
    ],
  },
];

// One session for all pages: signing in for each would be most of the work.
let page: Page;
test.beforeAll(async ({ browser }) => {
  await createPausedRollout(longName);
  page = await (await browser.newContext({ colorScheme: "light" })).newPage();
  await page.goto("/signin");
  await expect(page.getByRole("button", { name: "Continue as viewer" })).toBeVisible();
  await expectNoFindingsInBoth(page, "sign-in");
  await signInAnew(page, "operator");
});
test.afterAll(() => page.context().close());

const setWidth = (width: number) => page.setViewportSize({ width, height: 720 });

/** At 1024 px no column of a list is cut. */
async function expectNoColumnCut(list: string): Promise<void> {
  await setWidth(1024);
  const table = page.getByRole("table", { name: list });
  await expect(table.getByRole("row").nth(1)).toBeVisible();
  const cut = await table.evaluate((element) => {
    const right = element.parentElement?.getBoundingClientRect().right ?? 0;
    return [...element.querySelectorAll<HTMLElement>("th[scope=col]")]
      .filter((cell) => cell.offsetParent !== null)
      .filter((cell) => cell.getBoundingClientRect().right > right + 1 || cell.scrollWidth > cell.clientWidth + 1)
      .map((cell) => cell.textContent);
  });
  expect.soft(cut, list).toEqual([]);
}

/** At 360 px nothing scrolls sideways, not even with a long name. */
async function expectNarrowFits({ name, list, isNarrow }: Looked): Promise<void> {
  await setWidth(360);
  const bar = page.getByRole("navigation", { name: "Main" });
  await expect(bar.getByRole("button", { name: "More" })).toBeVisible();
  await expect(page.getByRole("main").locator("[aria-busy=true]")).toHaveCount(0);
  if (list !== undefined) {
    await expect(page.getByRole("list", { name: list }).getByRole("listitem").first()).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Sorted by" })).toBeVisible();
  }
  // A chart follows the width of its page a moment later.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), { message: name })
    .toBeLessThanOrEqual(0);
  if (isNarrow) {
    await setWidth(380);
    await expectNoFindingsInBoth(page, `${name} at 380 px`);
  }
  await setWidth(1280);
}

for (const { title, pages } of groups)
  test(`${title}: no findings, no column is cut at 1024 px, nothing scrolls sideways at 360 px`, async () => {
    for (const looked of pages)
      await test.step(looked.name, async () => {
        await page.goto(looked.path());
        // The choices of a filter have the same words, and are not shown.
        const shown = page.getByRole("main").getByText(looked.ready).filter({ visible: true });
        await expect(shown.first()).toBeVisible();
        await expectNoFindingsInBoth(page, looked.name);
        if (looked.list !== undefined) await expectNoColumnCut(looked.list);
        await expectNarrowFits(looked);
        if (looked.name !== "experiments") return;
        await page.getByRole("table", { name: "Experiments" }).getByRole("link").first().click();
        await expect(page.getByRole("heading", { name: "Side by side" })).toBeVisible();
        await expectNoFindingsInBoth(page, "experiment");
      });
  });

test("dialogs have no findings", async () => {
  await page.goto(scenarioPath("failed"));
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("dialog").getByRole("textbox", { name: "Reason" })).toBeFocused();
  await expectNoFindingsInBoth(page, "action dialog");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await openAllActions(page);
  await expect(page.getByRole("menuitem", { name: /^Pause/ })).toBeVisible();
  await expectNoFindingsInBoth(page, "menu of actions");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expectNoFindingsInBoth(page, "key help");
});
