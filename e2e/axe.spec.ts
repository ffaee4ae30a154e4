import { expect, type Page, test } from "@playwright/test";
import { expectNoFindings, expectReadableColours, scenarioPath, showIn, signIn } from "./pages.ts";

const pages: { name: string; path: () => string; ready: RegExp }[] = [
  { name: "inbox", path: () => "/inbox", ready: /waiting/ },
  { name: "rollouts", path: () => "/rollouts", ready: /checkout/ },
  { name: "releases", path: () => "/releases", ready: /ledger/ },
  { name: "analysis runs", path: () => "/analysis-runs", ready: /ledger/ },
  { name: "audit", path: () => "/audit", ready: /signed in/ },
  { name: "audit entry", path: () => "/audit/1", ready: /Chain link/ },
  { name: "settings", path: () => "/settings", ready: /this one/ },
  { name: "audit of a rollout", path: () => `${scenarioPath("failed")}?tab=audit`, ready: /Who aborted it/ },
  { name: "sources", path: () => "/sources", ready: /AnalysisRun/ },
  { name: "controllers", path: () => "/controllers", ready: /Argo Rollouts/ },
  { name: "controller", path: () => "/controllers/demo/status-reconciler?range=1h", ready: /Loaded presubmits/ },
  { name: "findings", path: () => "/findings?state=all", ready: /Promotion in trouble/ },
  { name: "templates", path: () => "/templates", ready: /login-smoke/ },
  { name: "template", path: () => "/templates/demo/accounts/AnalysisTemplate/login-smoke", ready: /successCondition/ },
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
  { name: "experiments", path: () => "/experiments", ready: /ranking/ },
  { name: "rollout at an experiment", path: () => scenarioPath("experiment"), ready: /candidate/ },
  { name: "blue-green rollout", path: () => `${scenarioPath("blueGreen")}?events=all`, ready: /SwitchService/ },
  { name: "rollout", path: () => scenarioPath("failed"), ready: /What happened/ },
  { name: "releases of a rollout", path: () => `${scenarioPath("history")}?tab=releases`, ready: /Promoted/ },
  { name: "runs of a rollout", path: () => `${scenarioPath("failed")}?tab=analysis`, ready: /Failed/ },
  { name: "logs", path: () => `${scenarioPath("long")}?tab=logs`, ready: /level=info/ },
  { name: "live object", path: () => `${scenarioPath("failed")}?tab=object`, ready: /apiVersion/ },
];

// One session for all pages: signing in for each would be most of the work.
let page: Page;
test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ colorScheme: "light" })).newPage();
  await page.goto("/signin");
  await expect(page.getByRole("button", { name: "Continue as viewer" })).toBeVisible();
  await expectNoFindingsInBoth("sign-in");
  await signIn(page, "operator");
});
test.afterAll(() => page.context().close());

/** All rules in light; then the page as it stands turns dark, for the rules that look at colours. */
async function expectNoFindingsInBoth(name: string): Promise<void> {
  const light = await showIn(page, "light");
  await expectNoFindings(page, name);
  expect(await showIn(page, "dark"), "the colours turn with the scheme").not.toEqual(light);
  await expectReadableColours(page, `${name} in dark`);
}

for (const { name, path, ready } of pages) {
  test(`${name} has no serious findings`, async () => {
    await page.goto(path());
    // The choices of a filter have the same words, and are not shown.
    const shown = page.getByRole("main").getByText(ready).filter({ visible: true });
    await expect(shown.first()).toBeVisible({ timeout: 60_000 });
    await expectNoFindingsInBoth(name);
  });
}

test("analysis run has no serious findings", async () => {
  await page.goto(`${scenarioPath("failed")}?tab=analysis`);
  await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").first().click();
  await expect(page.getByRole("slider").first()).toBeVisible();
  await expectNoFindingsInBoth("analysis run");
});

test("dialogs have no serious findings", async () => {
  await page.goto(scenarioPath("failed"));
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("dialog").getByRole("textbox", { name: "Reason" })).toBeFocused();
  await expectNoFindingsInBoth("action dialog");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.getByRole("button", { name: /^More actions on/ }).click();
  await expect(page.getByRole("menuitem", { name: /^Pause/ })).toBeVisible();
  await expectNoFindingsInBoth("menu of actions");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await expectNoFindingsInBoth("key help");
});
