import { expect, type Page, test } from "@playwright/test";
import type { TappedRequest } from "#test/wire-tap.ts";
import { type OwnUp, startActing } from "../own-up.ts";
import { createPausedRollout, ownNamespace, waitForStatus } from "../sandbox.ts";

/** Has the name of the person for whom a request is sent. */
const personHeader = "impersonate-extra-gatehouse.dev%2fperson";

/** Needs two people: `oncall` in the group `operators`, `guest` in `guests`. */
export function testActingAsThemselves(given: () => OwnUp): void {
  let up: OwnUp;
  test.beforeAll(async () => {
    up = given();
    await startActing(up);
    const names = ["acted-on", "frozen-one", "stopped-one"];
    await Promise.all(names.map((name) => createPausedRollout(name, up.cluster)));
  });

  const pathOf = (name: string) => `/rollouts/prod/${ownNamespace}/Rollout/${name}`;
  const patchesOf = (name: string): TappedRequest[] =>
    up.tap.requests.filter(({ method, path }) => method === "PATCH" && path.includes(`/rollouts/${name}/`));

  test("who signed in at the provider acts at the cluster by their groups, and is named there", async ({
    context,
    browser,
  }) => {
    const page = await up.signInAs(context, "oncall", pathOf("acted-on"));
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Runs clean.");
    await dialog.getByRole("button", { name: "Continue acted-on" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("In effect")).toBeVisible();
    await waitForStatus("acted-on", ({ currentStepIndex }) => currentStepIndex === 3, up.cluster);

    const [patch, ...others] = patchesOf("acted-on");
    expect(others).toEqual([]);
    expect(patch?.headers.get("impersonate-user")).toEqual(["gatehouse:person"]);
    expect(patch?.headers.get(personHeader)).toEqual(["oidc:oncall"]);
    expect(patch?.headers.get("impersonate-group")).toEqual(["gatehouse:operators", "gatehouse:everybody, really"]);

    await test.step("whom the cluster does not know sees the buttons off, with the right that is missing", async () => {
      const guest = await up.signInAs(await browser.newContext(), "guest", pathOf("acted-on"));
      const go = guest.getByRole("button", { name: "Continue", exact: true });
      await expect(go).toHaveAttribute("aria-disabled", "true");
      await go.focus();
      await expect(guest.getByRole("tooltip")).toContainText(
        `Cluster prod does not allow you (by group "gatehouse:guests") to get rollouts in namespace ${ownNamespace}.`,
      );
      await guest.context().close();
    });
  });

  test("a freeze from the inbox stops what advances, is shown on every page, and is ended there", async ({
    context,
  }) => {
    const page = await up.signInAs(context, "oncall", "/inbox");
    await page.getByRole("button", { name: "Freeze…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Rollouts" }).fill("stopped-*");
    await expect(dialog).toContainText("in */stopped-* of every cluster");
    await dialog.getByRole("button", { name: "Freeze", exact: true }).click();
    await expect(dialog).toContainText("Enter a reason.");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Payments are down.");
    await dialog.getByRole("button", { name: "Freeze", exact: true }).click();
    await expect(dialog).toBeHidden();
    const banner = page.getByRole("status").filter({ hasText: "Promotions are frozen" });
    await expect(banner).toContainText("by Operator One: Payments are down.");

    await page.goto(up.url + pathOf("stopped-one"));
    const frozen = page.getByRole("button", { name: /^Continue · frozen/ });
    await expect(frozen).toBeVisible();
    await banner.getByRole("button", { name: "End…", exact: true }).click();
    await dialog.getByRole("textbox", { name: "Reason" }).fill("They are up again.");
    await dialog.getByRole("button", { name: "End the freeze" }).click();
    await expect(dialog).toBeHidden();
    await expect(banner).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Continue", exact: true })).toBeVisible();
    await expect(frozen).toHaveCount(0);
  });

  /**
   * Opens the dialog of the frozen rollout with the glass broken and the reason filled in; returns its confirm button.
   */
  async function askToBreakGlass(page: Page, reason: string | undefined) {
    await page.getByRole("button", { name: /^Continue · frozen/ }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText('Frozen by "inventory" until');
    if (reason !== undefined) {
      await dialog.getByRole("checkbox", { name: "Override the freeze (break-glass)" }).check();
      await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
    }
    return { dialog, confirm: dialog.getByRole("button", { name: "Continue frozen-one" }) };
  }

  test("breaking the glass asks to sign in again: the provider asks for the password, and what was typed is still there", async ({
    context,
  }) => {
    const reason = "The fix cannot wait for the count.";
    const page = await up.signInAs(context, "oncall", pathOf("frozen-one"));
    await up.query("UPDATE user_session SET authenticated_at = now() - interval '6 minutes'");
    const first = await askToBreakGlass(page, reason);
    await first.confirm.click();
    await expect(first.dialog.getByRole("alert").filter({ hasText: "was refused" })).toContainText("sign in again");
    expect(patchesOf("frozen-one")).toEqual([]);

    // The provider still knows this browser and would answer without a question, were it not told to ask.
    const asked = page.waitForRequest((request) => request.url().startsWith(`${up.issuer}/auth?`));
    await first.dialog.getByRole("button", { name: "Sign in again" }).click();
    const query = new URL((await asked).url()).searchParams;
    expect({ prompt: query.get("prompt"), maxAge: query.get("max_age") }).toEqual({ prompt: "login", maxAge: "0" });
    await up.logIn(page, "oncall");
    await expect(page).toHaveURL(up.url + pathOf("frozen-one"));

    const second = await askToBreakGlass(page, undefined);
    await expect(second.dialog.getByRole("checkbox", { name: "Override the freeze (break-glass)" })).toBeChecked();
    await expect(second.dialog.getByRole("textbox", { name: "Reason" })).toHaveValue(reason);
    await second.confirm.click();
    await expect(second.dialog).toBeHidden();
    await expect(page.getByText("In effect")).toBeVisible();
    expect(patchesOf("frozen-one").map(({ headers }) => headers.get(personHeader))).toEqual([["oidc:oncall"]]);

    await page.goto(`${up.url}/audit?name=frozen-one&action=continue`);
    const entries = page.getByRole("list", { name: "Audit entries, newest first" }).getByRole("listitem");
    await expect(entries.first()).toContainText(`Operator One continued ${ownNamespace}/frozen-one`);
    await expect(entries.first()).toContainText(', overriding freeze "inventory"');
    await expect(entries.first()).toContainText(reason);
    await expect(entries.nth(1)).toContainText("was not allowed to continue");
  });
}
