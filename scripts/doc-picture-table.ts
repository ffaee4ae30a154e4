import type { Page } from "@playwright/test";

export type Role = "viewer" | "operator" | "admin";

/** A picture of the documentation, `docs/images/NAME.webp`. */
export type DocPicture = {
  name: string;
  /** The page of `docs/` that shows it; absent if only the README does. */
  page?: string;
  /** The README shows it, in light or dark: it is also taken as `NAME-dark.webp`. */
  isInReadme?: true;
  /** Pixels of the picture per px of the page; 1 by default. */
  scale?: number;
  as: Role;
  /** Returns the path of the page in the picture; `scenario` returns the address of a demo scenario. */
  path(scenario: (key: string) => string): string;
  /** Text that has to be there first. */
  ready: RegExp;
  /** Opens parts of the page that have no address. */
  prepare?(page: Page): Promise<void>;
};

const at = (path: string) => () => path;

/** The size of the page in every picture, in px; `pictureSize` in components/docs/doc-blocks.tsx is the same. */
export const pictureViewport = { width: 1280, height: 800 } as const;

export type Scheme = "light" | "dark";

export function schemesOf({ isInReadme }: DocPicture): readonly Scheme[] {
  return isInReadme === true ? ["light", "dark"] : ["light"];
}

export function pictureFile(name: string, scheme: Scheme): string {
  return scheme === "light" ? `${name}.webp` : `${name}-${scheme}.webp`;
}

/** The animated picture of the README: `docs/images/accept.webp`. */
export const filmName = "accept";

export const docPictures: readonly DocPicture[] = [
  {
    name: "hero",
    isInReadme: true,
    scale: 1.25,
    as: "operator",
    path: (scenario) => scenario("inconclusiveBackground"),
    ready: /What happened/,
  },
  { name: "inbox", page: "inbox.md", isInReadme: true, as: "operator", path: at("/inbox"), ready: /Decide/ },
  {
    name: "action-dialog",
    page: "acting.md",
    isInReadme: true,
    as: "operator",
    path: (scenario) => scenario("inconclusiveInline"),
    ready: /What happened/,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Accept and continue" }).first().click();
      const reason = page.getByRole("dialog").getByRole("textbox", { name: "Reason" });
      await reason.fill("The provider had a hiccup at that time, both versions show it.");
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
    ready: /measurements disagree/,
  },
  {
    name: "release",
    page: "releases.md",
    isInReadme: true,
    as: "viewer",
    path: at("/releases?name=cart&sort=-duration"),
    ready: /Promoted/,
    prepare: async (page) => {
      const releases = page.getByRole("table", { name: "Releases" }).getByRole("rowheader");
      await releases.getByRole("link").first().click();
      await page.getByRole("slider", { name: "Moment of the release" }).waitFor();
      await page.getByRole("link", { name: "previous" }).waitFor();
    },
  },
  { name: "insights", page: "insights.md", as: "viewer", path: at("/insights?days=7"), ready: /Change failure rate/ },
  { name: "list", page: "lists.md", as: "viewer", path: at("/releases?sort=-duration"), ready: /checkout/ },
  {
    name: "logs",
    page: "logs.md",
    as: "operator",
    path: (scenario) => `${scenario("inconclusiveInline")}?tab=logs`,
    ready: /level=info/,
    prepare: async (page) => {
      const log = page.getByRole("region", { name: /^Log of .*new/ });
      await log
        .getByText(/level=/)
        .first()
        .waitFor();
      await page.getByRole("tablist").evaluate((element) => element.scrollIntoView());
    },
  },
  {
    name: "search",
    page: "search.md",
    as: "operator",
    path: at("/inbox"),
    ready: /Decide/,
    prepare: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Find" }).fill("checkout");
      await page.getByRole("group", { name: "Rollouts" }).getByRole("option").first().waitFor();
    },
  },
  {
    name: "backtest",
    page: "backtest.md",
    isInReadme: true,
    as: "viewer",
    path: at(
      "/backtest?rollout=demo%2Fstorefront%2FRollout%2Fcart&metric=success-rate&failureCondition=result%5B0%5D%20%3C%200.97&show=changed",
    ),
    ready: /Would have aborted/,
  },
  {
    name: "admin",
    page: "admin.md",
    as: "admin",
    path: at("/admin?username=operator&cluster=demo&namespace=accounts"),
    ready: /With approval/,
  },
  { name: "controllers", page: "controllers.md", as: "viewer", path: at("/controllers"), ready: /^Metrics OK/ },
  {
    name: "notifications",
    page: "notifications.md",
    as: "admin",
    path: at("/settings/notifications"),
    ready: /Works/,
  },
  {
    name: "audit-entry",
    page: "acting.md",
    isInReadme: true,
    as: "operator",
    path: at("/audit?name=checkout"),
    ready: /accepted/,
    prepare: async (page) => {
      await page
        .getByRole("main")
        .getByRole("link", { name: /accepted/ })
        .first()
        .click();
      await page.getByRole("heading", { name: "Evidence at that moment" }).waitFor();
    },
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
    ready: /Waiting for approval/,
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
    ready: /Waiting for approval/,
  },
  { name: "sources", page: "troubleshooting.md", as: "viewer", path: at("/sources"), ready: /AnalysisRun/ },
];
