import { expect, type Locator, type Page } from "@playwright/test";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { type PagerDutyDouble, startPagerDuty } from "#test/pagerduty-double.ts";
import { type OwnUp, prepareUp } from "./own-up.ts";
import { expectNoFindings, expectReasonOnHover, inboxRow, showIn, test } from "./pages.ts";
import {
  abortRollout,
  createPausedRollout,
  createRollout,
  ownNamespace,
  releaseVersion,
  waitForStatus,
} from "./sandbox.ts";

// What others have a say in: members of a set, approvers, a system that checks tickets, owners, and who is paged.

let up: OwnUp;
let tickets: NotificationReceiver;
let pager: PagerDutyDouble;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  [tickets, pager, up] = await Promise.all([
    startNotificationReceiver(),
    startPagerDuty(),
    prepareUp({
      asker: { name: "Asker One", groups: ["operators"] },
      sre: { name: "Sre One", groups: ["operators", "sre"] },
      lead: { name: "Lead One", groups: ["operators", "leads"] },
      boss: { name: "Admin One", groups: ["admins"] },
    }),
  ]);
  const key = up.keepSecret("key", "0123456789abcdef0123456789abcdef");
  const check = { url: tickets.url, signingSecret: key };
  await up.start({
    roles: [
      { role: "operator", groups: ["operators"] },
      { role: "admin", groups: ["admins"] },
    ],
    clusters: [up.actedOn],
    policies: {
      secondPerson: [
        { name: "two hands", rollouts: ["agreed"], actions: ["continue"], approvers: 2, groups: ["sre", "leads"] },
      ],
      reasons: [
        { required: true, rollouts: ["ticketed"], ticket: { name: "change", pattern: String.raw`CHG\d{4}`, check } },
      ],
    },
    sets: [{ name: "wave", rollouts: ["wave-*"], together: true, onAbort: "propose" }],
    teams: [
      { name: "Waves", groups: ["leads"], rollouts: ["wave-*"] },
      { name: "Others", groups: ["sre"] },
    ],
    notifications: {
      channels: [{ name: "pager", type: "pagerduty", routingKey: key, apiUrl: pager.url }],
      routes: [{ name: "critical", minSeverity: "critical", to: ["pager"] }],
    },
  });
});
test.afterAll(async () => {
  expect(await up.close()).toBe(0);
  await Promise.all([tickets.close(), pager.close()]);
});

const pathOf = (name: string) => `/rollouts/prod/${ownNamespace}/Rollout/${name}`;
const place = (name: string) => `${ownNamespace}/${name}`;

async function openContinue(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: /^Continue/ }).click();
  return page.getByRole("dialog");
}

test("a member of a set waits for the others, whose owner finds them by Mine; then all go on", async ({ context }) => {
  const steps = [{ setWeight: 50 }, { pause: {} }, { setWeight: 80 }, { pause: {} }];
  const isPaused = ({ message }: { message?: string }) => message === "CanaryPauseStep";
  const names = ["wave-one", "wave-two"];
  await Promise.all(names.map((name) => createRollout(name, steps, up.cluster, "wave")));
  await createPausedRollout("lone", up.cluster);
  await releaseVersion("wave-one", "v2", up.cluster, "wave");
  await waitForStatus("wave-one", isPaused, up.cluster);

  const page = await up.signInAs(context, "lead", pathOf("wave-one"));
  const because = `Set "wave" passes its pauses together. Not at pause 1 yet: ${place("wave-two")} in prod.`;
  const held = page.getByRole("button", { name: "Continue · waits for its set" });
  await expect(held).toHaveAttribute("aria-disabled", "true");
  await expectReasonOnHover(held, because);

  await test.step("the inbox says for whom it waits, and Mine leaves out the rollouts of others", async () => {
    await page.goto(`${up.url}/inbox`);
    await expect(inboxRow(page, place("lone"))).toBeVisible();
    await page.getByRole("button", { name: /^Mine \d/ }).click();
    await expect(page).toHaveURL(/mine=true/);
    await expect(inboxRow(page, place("lone"))).toHaveCount(0);
    await expect(inboxRow(page, place("wave-one"))).toContainText(because);
    await expectNoFindings(page, "an inbox of one's teams");
    await page.goto(`${up.url}/rollouts?team=Others`);
    await expect(page.getByRole("link", { name: place("lone"), exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: place("wave-one"), exact: true })).toHaveCount(0);
    await page.goto(`${up.url}/rollouts`);
    await page.getByRole("combobox", { name: "Set" }).selectOption({ label: "Set: wave" });
    await expect(page).toHaveURL(/set=wave/);
    await expect(page.getByRole("link", { name: place("lone"), exact: true })).toHaveCount(0);
    await expect(page.getByRole("link", { name: place("wave-one"), exact: true })).toBeVisible();
  });

  await test.step("once all have reached their pause, all go on by one decision", async () => {
    await page.goto(`${up.url}/sets/version/v2?images=all`);
    await expect(page.getByText(because)).toBeVisible();
    await page.goto(up.url + pathOf("wave-one"));
    await expect(held).toBeVisible();
    await expect(page.getByRole("main").getByText(because)).toBeVisible();
    await releaseVersion("wave-two", "v2", up.cluster, "wave");
    await expect(page.getByRole("button", { name: "Continue", exact: true })).toBeEnabled();
    await page.getByRole("link", { name: /^Other rollouts of / }).click();
    await page.getByRole("checkbox", { name: "Choose all rows that are loaded" }).press("Space");
    await page.getByRole("button", { name: "Continue 2…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Both are well.");
    await dialog.getByRole("button", { name: "Continue 2 rollouts" }).click();
    const table = page.getByRole("table", { name: "Rollouts" });
    for (const name of names) await expect(table.getByRole("row").filter({ hasText: name })).toContainText("In effect");
  });

  await test.step("once one is aborted by kubectl, the inbox proposes to abort the other", async () => {
    await abortRollout("wave-one", up.cluster);
    await page.goto(`${up.url}/inbox`);
    const proposals = page.getByRole("list", { name: "Aborted in a part of a set" });
    await expect(proposals).toContainText(
      `v2 was aborted in ${place("wave-one")} (prod), and 1 other rollout of set "wave" still receives it.`,
    );
    await expectNoFindings(page, "a proposal to abort the rest of a set");
    await proposals.getByRole("button", { name: "Abort 1…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Not without the other.");
    await dialog.getByRole("button", { name: "Abort 1 rollout" }).click();
    const row = page.getByRole("table", { name: "Rollouts" }).getByRole("row").filter({ hasText: "wave-two" });
    await expect(row).toContainText("In effect");
  });
});

test("two approvers from two groups: the requester is not one of them, the second completes it", async ({
  context,
  browser,
}) => {
  await createPausedRollout("agreed", up.cluster);
  const page = await up.signInAs(context, "asker", pathOf("agreed"));
  const dialog = await openContinue(page);
  await expect(dialog).toContainText('Rule "two hands"');
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The books are closed.");
  await dialog.getByRole("button", { name: "Request approval" }).click();
  await expect(dialog).toBeHidden();
  const asked = page.getByRole("region", { name: "Approval requested" });
  await expect(asked).toContainText("0 of 2 approved. Can still approve: sre or leads.");
  await expect(asked.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
  // A toast that fades in is pale.
  await showIn(page, "light");
  await expectNoFindings(page, "a request for two approvers");

  await test.step("a request to approve one's own is refused", async () => {
    const refusal = await page.evaluate(async () => {
      const { items } = await (await fetch("/api/v1/approvals")).json();
      const { id, viewDigest } = items[0];
      const body = JSON.stringify({ decision: "approve", viewDigest });
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`/api/v1/approvals/${id}/decision`, { method: "POST", headers, body });
      return { status: answer.status, ...(await answer.json()) };
    });
    expect(refusal).toMatchObject({ status: 403, detail: "An approval must come from another person." });
  });

  async function approveAs(login: string, shown: string): Promise<void> {
    const other = await up.signInAs(await browser.newContext(), login);
    const request = other.getByRole("region", { name: "Waiting for your approval" }).getByRole("listitem");
    await expect(request).toContainText(`Asker One (asker) asks to continue ${place("agreed")}`);
    await expect(request).toContainText(shown);
    await request.getByRole("button", { name: /^Approve/ }).click();
    await other.getByRole("button", { name: "Approve the request of Asker One (asker)" }).click();
    await expect(request).toHaveCount(0);
    await other.context().close();
  }

  await approveAs("sre", "0 of 2 approved. Can still approve: sre or leads.");
  await expect(asked).toContainText("1 of 2 approved: Sre One (sre).");
  await expect(page.getByRole("button", { name: "Continue · 1 of 2 approved" })).toBeVisible();
  await approveAs("lead", "1 of 2 approved: Sre One (sre).");
  await expect(asked).toContainText("Approved by Sre One (sre) and Lead One (lead), not used yet.");
  await page.getByRole("button", { name: "Continue · approved" }).click();
  await dialog.getByRole("button", { name: "Continue agreed" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();
});

test("a ticket is asked for in words, checked by another system, and kept in the audit log", async ({ context }) => {
  await createPausedRollout("ticketed", up.cluster);
  const say = (answer: object) =>
    tickets.answer((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer)),
    );
  say({ allow: false, message: "CHG4711 begins tomorrow." });
  const page = await up.signInAs(context, "asker", pathOf("ticketed"));
  const dialog = await openContinue(page);
  const reason = dialog.getByRole("textbox", { name: "Reason" });
  const confirm = dialog.getByRole("button", { name: "Continue ticketed" });
  await expect(reason).toHaveAccessibleDescription(/Name a ticket such as CHG\d{4}\. It is checked when you confirm\./);
  await reason.fill("For CHG47110 of today.");
  await confirm.click();
  await expect(reason).toHaveAttribute("aria-invalid", "true");
  expect(tickets.received).toEqual([]);
  await reason.fill("For CHG4711 of today.");
  await expect(reason).toHaveAccessibleDescription(/Ticket CHG4711\./);
  await confirm.click();
  const refusal = dialog.getByRole("alert").filter({ hasText: "was refused" });
  await expect(refusal).toContainText('Ticket check "change" refused CHG4711: CHG4711 begins tomorrow.');
  await expectNoFindings(page, "a refused ticket");

  say({ allow: true, message: "Approved by the board." });
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();
  await page.goto(`${up.url}/audit?name=ticketed&action=continue&outcome=applied`);
  await page
    .getByRole("list", { name: /^Audit entries/ })
    .getByRole("link")
    .first()
    .click();
  await page
    .getByText(/, requested in entry/)
    .getByRole("link")
    .first()
    .click();
  await expect(page.getByText("CHG4711: allowed (Approved by the board.)")).toBeVisible();
});

test("an admin tries a pager, and sees that it took the test", async ({ context }) => {
  const page = await up.signInAs(context, "boss", "/settings/notifications");
  await page.getByRole("button", { name: "Send a test message to pager" }).click();
  await expect(page.getByRole("list").filter({ hasText: "PagerDuty" })).toContainText(/Test .*: sent, answered 202/);
  await expectNoFindings(page, "a pager");
  const tests = [...pager.incidents.values()].filter(({ summary }) => /^Test message/.test(summary));
  expect(tests.map(({ state }) => state)).toEqual(["resolved"]);
  expect(pager.faults).toEqual([]);
});
