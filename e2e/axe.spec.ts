import { expect, type Page } from "@playwright/test";
import { expectNoFindingsInBoth, openAllActions, scenarioPath, signInAnew, test } from "./pages.ts";

type Looked = { name: string; path: () => string; ready: RegExp };

// The stories of insights, findings, releases, runs, logs and the admin's pages look at those pages themselves.
const groups: { title: string; pages: Looked[] }[] = [
  {
    title: "the inbox and the lists",
    pages: [
      { name: "inbox", path: () => "/inbox", ready: /waiting/ },
      { name: "rollouts", path: () => "/rollouts", ready: /checkout/ },
      { name: "releases", path: () => "/releases", ready: /ledger/ },
      { name: "analysis runs", path: () => "/analysis-runs", ready: /ledger/ },
      { name: "experiments", path: () => "/experiments", ready: /ranking/ },
      { name: "findings", path: () => "/findings?state=all", ready: /Promotion in trouble/ },
      {
        name: "a list with a wrong filter",
        path: () => "/findings?severity=loud",
        ready: /This filter cannot be used/,
      },
    ],
  },
  {
    title: "the tabs of a rollout",
    pages: [
      { name: "rollout", path: () => scenarioPath("failed"), ready: /What happened/ },
      { name: "runs of a rollout", path: () => `${scenarioPath("failed")}?tab=analysis`, ready: /Failed/ },
      { name: "audit of a rollout", path: () => `${scenarioPath("failed")}?tab=audit`, ready: /Who aborted it/ },
      { name: "live object", path: () => `${scenarioPath("failed")}?tab=object`, ready: /apiVersion/ },
      { name: "releases of a rollout", path: () => `${scenarioPath("history")}?tab=releases`, ready: /Promoted/ },
      { name: "rollout at an experiment", path: () => scenarioPath("experiment"), ready: /candidate/ },
      { name: "blue-green rollout", path: () => `${scenarioPath("blueGreen")}?events=all`, ready: /SwitchService/ },
      { name: "a rollout that does not exist", path: () => "/rollouts/demo/a/Rollout/b", ready: /No rollout a\/b/ },
      { name: "a page that does not exist", path: () => "/nowhere", ready: /Page not found/ },
    ],
  },
  {
    title: "templates",
    pages: [
      { name: "templates", path: () => "/templates", ready: /login-smoke/ },
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
  {
    title: "what a person and a fleet is asked for",
    pages: [
      { name: "audit", path: () => "/audit", ready: /signed in/ },
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
];

// One session for all pages: signing in for each would be most of the work.
let page: Page;
test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ colorScheme: "light" })).newPage();
  await page.goto("/signin");
  await expect(page.getByRole("button", { name: "Continue as viewer" })).toBeVisible();
  await expectNoFindingsInBoth(page, "sign-in");
  await signInAnew(page, "operator");
});
test.afterAll(() => page.context().close());

for (const { title, pages } of groups)
  test(`${title}: no findings`, async () => {
    for (const { name, path, ready } of pages)
      await test.step(name, async () => {
        await page.goto(path());
        // The choices of a filter have the same words, and are not shown.
        const shown = page.getByRole("main").getByText(ready).filter({ visible: true });
        await expect(shown.first()).toBeVisible();
        await expectNoFindingsInBoth(page, name);
        if (name !== "experiments") return;
        await page.getByRole("table", { name: "Experiments" }).getByRole("link").first().click();
        await expect(page.getByRole("heading", { name: "Side by side" })).toBeVisible();
        await expectNoFindingsInBoth(page, "experiment");
      });
  });

test("the rail and the bar of a narrow screen have no findings", async () => {
  await page.setViewportSize({ width: 380, height: 700 });
  for (const path of ["/inbox", "/rollouts", scenarioPath("failed"), "/audit"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("main").locator("[aria-busy=true]")).toHaveCount(0);
    await expectNoFindingsInBoth(page, `${path} at 380 px`);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
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
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await expectNoFindingsInBoth(page, "key help");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog").locator("input")).toBeFocused();
  await expectNoFindingsInBoth(page, "palette");
});
