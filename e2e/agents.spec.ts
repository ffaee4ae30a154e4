import { expect } from "@playwright/test";
import { CreatedToken } from "#lib/contract/system.ts";
import { connectAgent } from "#test/agent-client.ts";
import { readDemo } from "#test/demo.ts";
import { inboxRow, ownPath, signIn, test } from "./pages.ts";
import { createInconclusiveRollout, readRollout, waitForStatus } from "./sandbox.ts";

test("an agent proposes to abort what is Inconclusive; a person sees why, accepts, and the rollout is aborted", async ({
  page,
}) => {
  const name = "agent-asks";
  const why = "success-rate passes in no measurement, and the version before does not have this error.";
  await createInconclusiveRollout(name);
  await signIn(page, "operator");
  await expect(async () => {
    await page.reload();
    await expect(inboxRow(page, `e2e/${name}`)).toBeVisible({ timeout: 5000 });
  }).toPass();

  const proposed = await test.step("the agent reads the evidence, and proposes", async () => {
    const headers = { origin: new URL(page.url()).origin };
    const data = { name: "triage-bot", role: "viewer" };
    const created = await page.request.post("/api/v1/tokens", { headers, data });
    const { token } = CreatedToken.parse(await created.json());
    const agent = await connectAgent({ over: "/mcp", url: readDemo().url, token });
    const path = { cluster: "demo", namespace: "e2e", kind: "Rollout", name };
    const { data: seen } = await agent.call("why", path);
    expect(seen).toMatchObject({ attention: { reason: "inconclusive" }, evidence: [{ metric: "success-rate" }] });
    const asked = { ...path, action: "abort", reason: why, expect: { viewDigest: seen.viewDigest } };
    // A viewer's token does not act.
    expect(await agent.refusal("act", asked)).toMatchObject({ code: "forbidden" });
    const { data: proposal } = await agent.call("propose", asked);
    expect(proposal).toMatchObject({ state: "pending" });
    expect((await readRollout(name)).status).not.toHaveProperty("abort");
    return { agent, id: proposal.id };
  });

  await test.step("the inbox shows the reason, the dialog the evidence", async () => {
    const row = page
      .getByRole("region", { name: "Waiting for your approval" })
      .getByRole("listitem")
      .filter({ hasText: `e2e/${name}` });
    await expect(row).toContainText(`Agent triage-bot, for operator, proposes to abort e2e/${name}`);
    await expect(row).toContainText(why);
    await row.getByRole("button", { name: `Accept: abort e2e/${name}` }).click();
    const dialog = page.getByRole("dialog", { name: `Accept: e2e/${name}` });
    await expect(dialog).toContainText(why);
    await expect(dialog.getByRole("region", { name: "Evidence" })).toContainText("success-rate");
    await dialog.getByRole("button", { name: "Accept the proposal" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("In effect")).toBeVisible();
    await expect(row).toHaveCount(0);
  });

  await waitForStatus(name, ({ phase }) => phase === "Degraded");
  const { data } = await proposed.agent.call("proposals", { name });
  expect(data.items).toMatchObject([{ id: proposed.id, state: "used", decidedBy: "operator" }]);
  await proposed.agent.client.close();

  await test.step("the audit log names the person, the agent and its reason", async () => {
    await page.goto(`${ownPath(name)}?tab=audit`);
    const entries = page.getByRole("list", { name: "Audit entries, newest first" });
    await expect(entries).toContainText("operator (token triage-bot) proposed to abort");
    await expect(entries).toContainText(`operator aborted e2e/${name}`);
    await expect(entries).toContainText("(proposed by an agent)");
    await expect(entries).toContainText(why);
  });
});
