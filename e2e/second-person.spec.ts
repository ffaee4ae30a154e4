import { expect } from "@playwright/test";
import { scenarioName, scenarioPath, signIn, test } from "./pages.ts";

test("full promotion asks for a second person: one asks, another approves, the first goes on", async ({
  page,
  browser,
}) => {
  const { namespace, name } = scenarioName("blueGreen");
  const reason = "The preview has run clean for an hour.";
  await signIn(page, "operator", scenarioPath("blueGreen"));
  await expect(page.getByText("Waiting for promotion").first()).toBeVisible();

  const more = page.getByRole("button", { name: `More actions on ${name}` });
  await more.click();
  await page.getByRole("menuitem", { name: /^Promote fully · needs approval/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText('Rule "four eyes" requires a second person');
  await dialog.getByRole("button", { name: "Request approval" }).click();
  await expect(dialog).toContainText("Enter a reason.");
  await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
  await dialog.getByRole("button", { name: "Request approval" }).click();
  await expect(dialog).toBeHidden();

  const own = page.getByRole("region", { name: "Approval requested" });
  await expect(own).toContainText(reason);
  await expect(own.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
  await expect(own.getByRole("button", { name: /^Withdraw/ })).toBeVisible();

  const second = await (await browser.newContext()).newPage();
  await signIn(second, "admin");
  const asked = second.getByRole("region", { name: "Waiting for your approval" }).getByRole("listitem");
  await expect(asked).toContainText(`operator asks to fully promote ${namespace}/${name}`);
  await expect(asked).toContainText(reason);
  await asked.getByRole("button", { name: /^Approve/ }).click();
  const word = second.getByRole("dialog");
  await expect(word).toContainText(reason);
  await word.getByRole("button", { name: "Approve the request of operator" }).click();
  await expect(word).toBeHidden();
  await expect(asked).toHaveCount(0);
  await second.context().close();

  // Nobody reloads the first page.
  await expect(own).toContainText("Approved by admin");
  await expect(own.getByRole("button", { name: /^Withdraw/ })).toBeVisible();
  await more.click();
  await page.getByRole("menuitem", { name: /^Promote fully · approved/ }).click();
  await expect(dialog).toContainText("admin approved it");
  await expect(dialog.getByRole("textbox", { name: "Reason" })).toHaveValue(reason);
  await dialog.getByRole("button", { name: `Promote fully ${name}` }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();

  await page.getByRole("tab", { name: "Audit" }).click();
  const entries = page.getByRole("list", { name: "Audit entries, newest first" });
  await expect(entries).toContainText("admin approved the request to fully promote");
  await expect(entries).toContainText("operator fully promoted");
});
