import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, test as base, type Cookie, expect, type Locator, type Page } from "@playwright/test";
import { type Demo, readDemo } from "#test/demo.ts";

export type Role = "viewer" | "operator" | "admin";

/** By their options. Stories of a worker share them: each finds the scripts of Gatehouse read and compiled. */
const contexts = new Map<string, BrowserContext>();

/**
 * As Playwright's, but a page that was opened or loaded again answers to input. `waitUntil` opens it as it comes.
 * Prints the address and the page of a failed story: often only the log is kept.
 */
export const test = base.extend({
  context: async ({ browser, colorScheme, contextOptions, hasTouch, permissions, viewport }, use) => {
    const key = JSON.stringify([colorScheme, contextOptions, hasTouch, permissions, viewport]);
    const context = contexts.get(key) ?? (await browser.newContext());
    contexts.set(key, context);
    await use(context);
    for (const page of context.pages()) await page.close();
    await context.setStorageState({ cookies: [], origins: [] });
  },
  page: async ({ page }, use, story) => {
    const failures: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
    });
    page.on("pageerror", (error) => failures.push(String(error)));
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    page.goto = async (url, options) => {
      const response = await goto(url, options);
      if (options?.waitUntil === undefined) await untilTaken(page);
      return response;
    };
    page.reload = async (options) => {
      const response = await reload(options);
      await untilTaken(page);
      return response;
    };
    await use(page);
    if (story.status === story.expectedStatus) return;
    const shown = await page.locator("body").ariaSnapshot({ timeout: 10_000 }).catch(String);
    process.stdout.write([story.title, page.url(), ...failures.slice(-10), shown.slice(0, 8000), ""].join("\n"));
  },
});

/**
 * Waits until React has taken over every control of the page, which may lead to another one: what comes before is lost.
 * Mantine measures text areas by a hidden one of its own.
 */
async function untilTaken(page: Page): Promise<void> {
  // The page itself looks: asking it again and again would notice later. A page that leads on ends the question.
  const waitInPage = () =>
    page.evaluate(async () => {
      const isTaken = (control: Element) => Object.keys(control).some((key) => key.startsWith("__reactProps$"));
      const controls = ":is(button, input, select, textarea):not([aria-hidden=true])";
      while (![...document.querySelectorAll(controls)].every(isTaken))
        await new Promise((resolve) => setTimeout(resolve, 20));
    });
  await expect(waitInPage).toPass();
}

/** The cookies of the accounts that have signed in to the demo of the whole run, in this worker. */
const sessions = new Map<Role, Cookie[]>();

/** Opens a page of the demo of the whole run. In each worker an account signs in once, and its session is used again. */
export async function signIn(page: Page, role: Role, path = "/inbox"): Promise<void> {
  const cookies = sessions.get(role);
  if (cookies === undefined) {
    await startSession(page, readDemo().accounts[role]);
    sessions.set(role, await page.context().cookies());
  } else await page.context().addCookies(cookies);
  await openShell(page, path);
}

/**
 * Signs in by request with a session of its own and opens the page: what is pressed on the sign-in page is the story of
 * `sign-in.spec.ts`. `accounts` are those of the demo that the page belongs to.
 */
export async function signInAnew(
  page: Page,
  role: Role,
  path = "/inbox",
  accounts: Demo["accounts"] = readDemo().accounts,
): Promise<void> {
  await startSession(page, accounts[role]);
  await openShell(page, path);
}

async function startSession(page: Page, account: Demo["accounts"][Role]): Promise<void> {
  const answer = await page.request.get("/api/auth/csrf");
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  const accepted = await page.request.post("/api/auth/callback/demo", {
    form: { ...account, csrfToken },
    headers: { origin: new URL(answer.url()).origin },
    maxRedirects: 0,
  });
  expect(accepted.status(), "the sign-in is accepted").toBe(302);
}

async function openShell(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilTaken(page);
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** The page of one of the demo's scenarios. */
export function scenarioPath(key: string): string {
  const id = readDemo().scenarios[key];
  if (id === undefined) throw new Error(`the demo has no scenario ${key}`);
  return `/rollouts/${id}`;
}

export function scenarioName(key: string): { namespace: string; name: string } {
  const [, namespace = "", , name = ""] = (readDemo().scenarios[key] ?? "").split("/");
  return { namespace, name };
}

/** A row of the inbox, by the rollout's `namespace/name`. */
export function inboxRow(page: Page, rollout: string): Locator {
  return page.getByRole("listitem").filter({ has: page.getByRole("link", { name: rollout, exact: true }) });
}

/** Opens the details of a row of the inbox: evidence and links. */
export async function openRow(row: Locator): Promise<void> {
  const arrow = row.getByRole("button", { name: /^Details of / });
  if ((await arrow.getAttribute("aria-expanded")) === "false") await arrow.click();
}

/** Opens a rollout's menu of further actions, and unfolds the unavailable ones. */
export async function openAllActions(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^More actions on / }).click();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  const fold = page.getByRole("menuitem", { name: /^\d+ actions? not possible now$/ });
  if (await fold.isVisible()) await fold.click();
}

export function ownPath(name: string): string {
  return `/rollouts/demo/e2e/Rollout/${name}`;
}

/** Opens the release of a version, from the list of releases. */
export async function openRelease(page: Page, { name, version }: { name: string; version: string }): Promise<void> {
  await page.goto(`/releases?name=${name}`);
  const rows = page.getByRole("table", { name: "Releases" }).getByRole("row");
  await rows
    .filter({ hasText: version })
    .getByRole("link", { name: `e2e/${name}`, exact: true })
    .click();
  await expect(page).toHaveURL(/\/releases\/[0-9a-f-]{36}$/);
}

/** From the page of a rollout, opens the oldest of its runs, which must be Inconclusive. */
export async function openOldestRun(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Analysis" }).click();
  await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").last().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Inconclusive");
}

/**
 * Says why a button is off, as the pointer over it is told. A page that settles may move the button away from a pointer
 * that stays still, which a person answers by moving it: so does this.
 */
export async function expectReasonOnHover(button: Locator, reason: string | RegExp): Promise<void> {
  const page = button.page();
  await expect(async () => {
    await page.mouse.move(0, 0);
    await button.hover();
    await expect(page.getByRole("tooltip").filter({ hasText: reason })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await page.mouse.move(0, 0);
}

/** The log says that it was done, not only asked for. */
export async function expectAudited(page: Page, words: RegExp): Promise<void> {
  await page.goto("/audit");
  const entries = page.getByRole("list", { name: /^Audit entries/ }).getByRole("listitem");
  await expect(entries.filter({ hasText: words }).first()).toBeVisible();
}

/** `target-size` is off in axe unless it is asked for. */
const allRules = { rules: { "target-size": { enabled: true } } };
/** The rules whose findings depend on colours. */
const colourRules = { runOnly: ["color-contrast", "link-in-text-block"] };

/** Asserts that axe finds nothing on the page as it stands, by WCAG 2.2 AA and its own best practices. */
export async function expectNoFindings(page: Page, name: string): Promise<void> {
  return expectNothing(page, { options: allRules, name });
}

/** Resolves to the colours of the page once they are those of the scheme, and none is on its way any more. */
export async function showIn(page: Page, colorScheme: "light" | "dark"): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
  return page.evaluate(async () => {
    const listTransitions = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    // An inherited colour that moves starts the transitions of what inherits it, one after the other.
    for (let still = 0; still < 2; ) {
      const transitions = listTransitions();
      still = transitions.length === 0 ? still + 1 : 0;
      await Promise.allSettled(transitions.map(({ finished }) => finished));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    const { backgroundColor, color } = getComputedStyle(document.body);
    return [backgroundColor, color];
  });
}

/** As `expectNoFindings`, in light; then the page as it stands turns dark, for the rules that look at colours. */
export async function expectNoFindingsInBoth(page: Page, name: string): Promise<void> {
  const light = await showIn(page, "light");
  await expectNoFindings(page, name);
  expect(await showIn(page, "dark"), "the colours turn with the scheme").not.toEqual(light);
  await expectReadableColours(page, `${name} in dark`);
}

/** As `expectNoFindings`, by the rules alone whose findings depend on colours. */
export function expectReadableColours(page: Page, name: string): Promise<void> {
  return expectNothing(page, { options: colourRules, name });
}

type Axe = { options: Parameters<AxeBuilder["options"]>[0]; name: string };

async function expectNothing(page: Page, { options, name }: Axe): Promise<void> {
  // What passes is not described, and what is found is put together in the page itself: there are no frames, whose
  // findings would need a page of their own. It finds the same in a fifth of the time.
  const axe = new AxeBuilder({ page }).options({ ...options, resultTypes: ["violations"] }).setLegacyMode();
  const { violations } = await axe.analyze();
  const found = violations.flatMap(({ id, impact, nodes }) => {
    const places = nodes.map(({ html }) => html.slice(0, 200)).filter((html) => id !== "region" || !isPopup(html));
    return places.length === 0 ? [] : [`${impact} ${id}: ${places.join("\n    ")}`];
  });
  // Soft: what is wrong with one page does not hide what is wrong with the next.
  expect.soft(found, name).toEqual([]);
}

/** Menus and tooltips are drawn at the end of the document, outside of every landmark, and a tooltip comes late. */
function isPopup(html: string): boolean {
  return html.startsWith('<div data-portal="true"');
}
