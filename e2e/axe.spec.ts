import { expect, type Page } from "@playwright/test";
import {
  expectNoFindings,
  expectReadableColours,
  openAllActions,
  scenarioPath,
  showIn,
  signIn,
  test,
} from "./pages.ts";

const pages: { name: string; path: () => string; ready: RegExp }[] = [
  { name: "inbox", path: () => "/inbox", ready: /waiting/ },
  { name: "rollouts", path: () => "/rollouts", ready: /checkout/ },
  { name: "releases", path: () => "/releases", ready: /ledger/ },
  { name: "insights", path: () => "/insights", ready: /Change failure rate/ },
  { name: "analysis runs", path: () => "/analysis-runs", ready: /ledger/ },
  { name: "audit", path: () => "/audit", ready: /signed in/ },
  { name: "who aborted what", path: () => "/audit?report=aborts", ready: /controller/ },
  { name: "audit entry", path: () => "/audit/1", ready: /Chain link/ },
  { name: "settings", path: () => "/settings", ready: /this one/ },
  { name: "a terminal's code", path: () => "/device", ready: /Enter the code/ },
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
  { name: "a list with a wrong filter", path: () => "/findings?severity=loud", ready: /This filter cannot be used/ },
  { name: "a page that does not exist", path: () => "/nowhere", ready: /Page not found/ },
  { name: "a rollout that does not exist", path: () => "/rollouts/demo/a/Rollout/b", ready: /No rollout a\/b/ },
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

/** All rules in light, of any impact; then the page as it stands turns dark, for the rules that look at colours. */
async function expectNoFindingsInBoth(name: string): Promise<void> {
  const light = await showIn(page, "light");
  await expectNoFindings(page, name);
  expect(await showIn(page, "dark"), "the colours turn with the scheme").not.toEqual(light);
  await expectReadableColours(page, `${name} in dark`);
}

for (const { name, path, ready } of pages) {
  test(`${name} has no findings`, async () => {
    await page.goto(path());
    // The choices of a filter have the same words, and are not shown.
    const shown = page.getByRole("main").getByText(ready).filter({ visible: true });
    await expect(shown.first()).toBeVisible({ timeout: 60_000 });
    await expectNoFindingsInBoth(name);
  });
}

test("analysis run has no findings", async () => {
  await page.goto(`${scenarioPath("failed")}?tab=analysis`);
  await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").first().click();
  await page.waitForURL(/\/analysis-runs\//);
  await expect(page.getByRole("slider").first()).toBeVisible();
  await expectNoFindingsInBoth("analysis run");
});

test("a release has no findings", async () => {
  await page.goto(`${scenarioPath("history")}?tab=releases`);
  await page.getByRole("table", { name: "Releases" }).getByRole("rowheader").getByRole("link").first().click();
  await expect(page.getByRole("slider", { name: "Moment of the release" })).toBeVisible({ timeout: 30_000 });
  await expectNoFindingsInBoth("release");
});

test("an experiment has no findings", async () => {
  await page.goto("/experiments");
  await page.getByRole("table", { name: "Experiments" }).getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "Side by side" })).toBeVisible();
  await expectNoFindingsInBoth("experiment");
});

test("a finding has no findings", async () => {
  await page.goto("/findings?state=all");
  await page.getByRole("table", { name: "Findings" }).getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "What to do" })).toBeVisible();
  await expectNoFindingsInBoth("finding");
});

test("the rail and the bar of a narrow screen have no findings", async () => {
  await page.setViewportSize({ width: 380, height: 700 });
  for (const path of ["/inbox", "/rollouts", scenarioPath("failed"), "/audit"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("main").locator("[aria-busy=true]")).toHaveCount(0);
    await expectNoFindingsInBoth(`${path} at 380 px`);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("what admins see has no findings", async ({ browser }) => {
  const own = await browser.newContext({ colorScheme: "light" });
  const admin = await own.newPage();
  await signIn(admin, "admin");
  for (const { path, ready } of [
    { path: "/admin", ready: /What may they do here/ },
    { path: "/admin/freezes", ready: /season's end/ },
    { path: "/admin/policies", ready: /four eyes/ },
    { path: "/admin/config", ready: /policies\.secondPerson/ },
    { path: "/admin/storage", ready: /observation/ },
    { path: "/settings", ready: /Hook credentials/ },
    { path: "/settings/notifications", ready: /Channels/ },
  ]) {
    await admin.goto(path);
    await expect(admin.getByRole("main").getByText(ready).filter({ visible: true }).first()).toBeVisible();
    await expectNoFindings(admin, path);
  }
  await own.close();
});

test("dialogs have no findings", async () => {
  await page.goto(scenarioPath("failed"));
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("dialog").getByRole("textbox", { name: "Reason" })).toBeFocused();
  await expectNoFindingsInBoth("action dialog");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await openAllActions(page);
  await expect(page.getByRole("menuitem", { name: /^Pause/ })).toBeVisible();
  await expectNoFindingsInBoth("menu of actions");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await expectNoFindingsInBoth("key help");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog").locator("input")).toBeFocused();
  await expectNoFindingsInBoth("palette");
});
