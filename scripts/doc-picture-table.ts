import type { Page } from "@playwright/test";

type Role = "viewer" | "operator" | "admin";

/** A picture of the documentation, `docs/images/NAME.webp`. */
export type DocPicture = {
  name: string;
  /** The page of `docs/` that shows it. */
  page: string;
  as: Role;
  /** Returns the path of the page in the picture; `scenario` returns the address of a demo scenario. */
  path(scenario: (key: string) => string): string;
  /** Text that has to be there first. */
  ready: RegExp;
  /** Opens parts of the page that have no address. */
  prepare?(page: Page): Promise<void>;
};

const at = (path: string) => () => path;

/** The size of every picture, in px; `pictureSize` in components/docs/doc-blocks.tsx is the same. */
export const pictureViewport = { width: 1280, height: 800 } as const;

export const docPictures: readonly DocPicture[] = [
  { name: "inbox", page: "inbox.md", as: "operator", path: at("/inbox"), ready: /waiting/ },
  {
    name: "action-dialog",
    page: "acting.md",
    as: "operator",
    path: (scenario) => scenario("failed"),
    ready: /What happened/,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Retry" }).first().click();
      await page.getByRole("dialog").getByRole("textbox", { name: "Reason" }).fill("The database is back.");
    },
  },
  {
    name: "analysis-run",
    page: "getting-started.md",
    as: "viewer",
    path: (scenario) => `${scenario("failed")}?tab=analysis`,
    ready: /Failed/,
    prepare: async (page) => {
      await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").first().click();
      await page.getByRole("slider").first().waitFor();
    },
  },
  {
    name: "findings",
    page: "findings.md",
    as: "viewer",
    path: at("/findings?state=all"),
    ready: /Promotion in trouble/,
  },
  {
    name: "release",
    page: "releases.md",
    as: "viewer",
    path: (scenario) => `${scenario("history")}?tab=releases`,
    ready: /Promoted/,
    prepare: async (page) => {
      const releases = page.getByRole("table", { name: "Releases" }).getByRole("rowheader");
      await releases.getByRole("link").first().click();
      await page.getByRole("slider", { name: "Moment of the release" }).waitFor();
    },
  },
  { name: "insights", page: "insights.md", as: "viewer", path: at("/insights"), ready: /Change failure rate/ },
  { name: "list", page: "lists.md", as: "viewer", path: at("/releases?sort=-duration"), ready: /ledger/ },
  {
    name: "logs",
    page: "logs.md",
    as: "operator",
    path: (scenario) => `${scenario("long")}?tab=logs`,
    ready: /level=info/,
  },
  {
    name: "search",
    page: "search.md",
    as: "operator",
    path: at("/inbox"),
    ready: /waiting/,
    prepare: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Find" }).fill("checkout");
      await page.getByRole("group", { name: "Rollouts" }).getByRole("option").first().waitFor();
    },
  },
  {
    name: "backtest",
    page: "backtest.md",
    as: "viewer",
    path: (scenario) =>
      `/backtest?rollout=${encodeURIComponent(scenario("history").slice("/rollouts/".length))}&metric=success-rate`,
    ready: /Would have aborted/,
  },
  {
    name: "admin",
    page: "admin.md",
    as: "admin",
    path: at("/admin?username=operator&cluster=demo&namespace=accounts"),
    ready: /With approval/,
  },
  { name: "controllers", page: "controllers.md", as: "viewer", path: at("/controllers"), ready: /Argo Rollouts/ },
  {
    name: "notifications",
    page: "notifications.md",
    as: "admin",
    path: at("/settings/notifications"),
    ready: /Works/,
  },
  {
    name: "audit",
    page: "verifying-the-audit-log.md",
    as: "admin",
    path: at("/audit?report=aborts"),
    ready: /controller/,
  },
  {
    name: "gates",
    page: "gates.md",
    as: "operator",
    path: (scenario) => scenario("flaggerPromotion"),
    ready: /nobody has approved it/,
    prepare: async (page) => {
      await page
        .getByRole("region", { name: "Gates" })
        .evaluate((element) => element.scrollIntoView({ block: "center" }));
    },
  },
  {
    name: "canary",
    page: "flagger.md",
    as: "operator",
    path: (scenario) => scenario("flaggerPromotion"),
    ready: /nobody has approved it/,
  },
  { name: "sources", page: "troubleshooting.md", as: "viewer", path: at("/sources"), ready: /AnalysisRun/ },
];
