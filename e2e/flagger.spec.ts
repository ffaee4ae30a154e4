import { expect } from "@playwright/test";
import { computeChecksum } from "#lib/domain/flagger/gates/checksum.ts";
import { readDemo } from "#test/demo.ts";
import { createTestPool } from "#test/test-pool.ts";
import { inboxRow, openAllActions, scenarioName, scenarioPath, signIn, test } from "./pages.ts";
import { callCluster } from "./sandbox.ts";

test("an approval that has expired opens nothing; approved from the inbox, Flagger finishes the promotion", async ({
  page,
  context,
}) => {
  await test.step("an approval that has expired opens nothing, and the page says so", async () => {
    const { namespace, name } = scenarioName("flaggerPromotion");
    await signIn(page, "operator", scenarioPath("flaggerPromotion"));
    const gates = page.getByRole("region", { name: "Gates" });
    await expect(gates).toContainText("Waiting for approval");
    await addExpiredApproval(namespace, name);
    await expect(gates).toContainText("Waiting: the approval has expired");
    await expect(page.getByRole("button", { name: "Approve", exact: true })).toBeEnabled();
  });

  await test.step("a promotion is approved from the inbox, and Flagger finishes it", async () => {
    const { namespace, name } = scenarioName("flaggerPromotion");
    await page.goto("/inbox");
    const row = inboxRow(page, `${namespace}/${name}`);
    await expect(row).toContainText("Waiting for approval to promote");

    const other = await context.newPage();
    await other.goto(scenarioPath("flaggerPromotion"));
    const gates = other.getByRole("region", { name: "Gates" });
    await expect(gates).toContainText("Waiting");

    await row.getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("copy the new version to the primary");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("The checks are good.");
    await dialog.getByRole("button", { name: `Approve ${name}` }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("In effect")).toBeVisible();

    // Nobody reloads the other page.
    await expect(other.getByText("The last release was promoted.").first()).toBeVisible();
    await other.getByRole("tab", { name: "Audit" }).click();
    await expect(
      other
        .getByRole("listitem")
        .filter({ hasText: /operator.*approved a gate/i })
        .first(),
    ).toBeVisible();
  });
});

test("a start is held with two clicks, and approved later", async ({ page }) => {
  const { name } = scenarioName("flaggerStart");
  await signIn(page, "operator", scenarioPath("flaggerStart"));
  await expect(page.getByText("A new version waits for approval to start.").first()).toBeVisible();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: /^Hold/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Optional.");
  await dialog.getByRole("button", { name: `Hold ${name}` }).click();
  await expect(dialog).toBeHidden();
  const gates = page.getByRole("region", { name: "Gates" });
  await expect(gates).toContainText("Held by operator");
  await expect(gates).toContainText("Held. Flagger checked");

  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Now it may start.");
  await dialog.getByRole("button", { name: `Approve ${name}` }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("The new version is being analysed").first()).toBeVisible();
});

test("a release is rolled back with two clicks, and Flagger fails it", async ({ page }) => {
  const { name } = scenarioName("flaggerTrafficGate");
  await signIn(page, "operator", scenarioPath("flaggerTrafficGate"));
  await page.getByRole("button", { name: "Roll back", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Tells Flagger to roll back");
  await dialog.getByRole("button", { name: `Roll back ${name}` }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("all traffic is on the primary").first()).toBeVisible();
  await page.getByRole("tab", { name: "Releases" }).click();
  await expect(page.getByRole("main")).toContainText("Aborted");
});

test("a failed promotion says who serves, in both versions of Flagger, and blocks what would make it worse", async ({
  page,
}) => {
  const isOff = async (action: RegExp) => {
    const item = page.getByRole("menuitem", { name: action });
    await expect(item).toHaveAttribute("aria-disabled", "true");
  };
  await signIn(page, "operator", scenarioPath("flaggerPrimaryFails143"));
  await expect(page.getByText("all traffic is on the failed primary").first()).toBeVisible();
  await expect(page.getByText(/kubectl rollout undo deployment\/\S+-primary/)).toBeVisible();
  await openAllActions(page);
  for (const action of [/^Skip the analysis/, /^Retrigger/]) await isOff(action);

  await page.goto(scenarioPath("flaggerPrimaryFails144"));
  await expect(page.getByText("the canary serves all traffic").first()).toBeVisible();
  await expect(page.getByText(/scaled to zero/).first()).toContainText("it was not scaled to zero");
});

test("an admin creates a hook credential from the page of a canary, and revokes it in the settings", async ({
  page,
}) => {
  const { namespace } = scenarioName("flaggerPromotion");
  await signIn(page, "admin", scenarioPath("flaggerPromotion"));
  const gates = page.getByRole("region", { name: "Gates" });
  await gates.getByText("Let Gatehouse answer the other gates").click();
  await expect(gates).toContainText("ID:SECRET@");
  await gates.getByRole("button", { name: "Create a hook credential" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create the credential" }).click();
  await expect(dialog).toContainText("Enter a name.");
  const name = `from the page ${Date.now()}`;
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await expect(dialog.getByRole("textbox", { name: "Namespaces" })).toHaveValue(namespace);
  await dialog.getByRole("button", { name: "Create the credential" }).click();
  const hooks = dialog.getByLabel("The hooks with their credential");
  await expect(hooks).toContainText(/url: http:\/\/[0-9a-f-]{36}:\S{20,}@\S+\/hooks\/flagger\/\S+\/confirm-rollout/);
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.goto("/settings");
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText(namespace);
  await expect(row).toContainText("never");
  await row.getByRole("button", { name: `Revoke hook credential ${name}` }).click();
  await row.getByRole("button", { name: `Really revoke hook credential ${name}` }).click();
  await expect(row).toContainText("Revoked");
});

/** Stores what a person approved a day ago: an approval lives for minutes at least, and no test waits so long. */
async function addExpiredApproval(namespace: string, name: string): Promise<void> {
  const path = `/apis/flagger.app/v1beta1/namespaces/${namespace}/canaries/${name}`;
  const { status } = (await callCluster("GET", path)) as { status: Parameters<typeof computeChecksum>[0] };
  const pool = createTestPool(readDemo().databaseUrl, 1);
  try {
    const { rowCount } = await pool.query(
      `WITH canary AS (
         SELECT gen_random_uuid() AS action_id, r.* FROM rollout r
         WHERE namespace = $1 AND name = $2 AND kind = 'Canary' AND presence = 'live'
       ), made AS (
         INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name,
           view_digest, request_hash, request_id)
         SELECT action_id, id, cluster, namespace, kind, name, 'approve-gate', 'effective', 'x', 'operator', '', '', ''
           FROM canary
       )
       INSERT INTO gate_decision (id, rollout_id, cluster, namespace, kind, name, uid, gate, verdict, bound, actor_name,
         reason, decided_at, expires_at)
       SELECT action_id, id, cluster, namespace, kind, name, uid, 'confirm-promotion', 'approve', $3, 'operator',
         'a day ago', now(), now() - interval '1 second'
         FROM canary`,
      [namespace, name, JSON.stringify({ checksum: computeChecksum(status) })],
    );
    expect(rowCount).toBe(1);
  } finally {
    await pool.end();
  }
}
