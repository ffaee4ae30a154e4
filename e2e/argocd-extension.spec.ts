import { expect } from "@playwright/test";
import { readDemo } from "#test/demo.ts";
import { serveArgoCd } from "./argo-cd/serve-argo-cd.ts";
import { ownPath, test } from "./pages.ts";
import { callCluster, createPausedRollout, ownNamespace } from "./sandbox.ts";

test("in Argo CD, a person sees what waits, and decides in Gatehouse", async ({ page }) => {
  const name = "in-argo-cd";
  await createPausedRollout(name);
  const path = `/apis/argoproj.io/v1alpha1/namespaces/${ownNamespace}/rollouts/${name}`;
  const { metadata } = (await callCluster("GET", path)) as { metadata: { uid: string } };
  const resource = { kind: "Rollout", metadata: { namespace: ownNamespace, name, uid: metadata.uid } };
  const { url: gatehouse, tokens } = readDemo();
  const argoCd = await serveArgoCd({ gatehouse, token: tokens.viewer, resource });
  try {
    await page.goto(argoCd.url);
    const status = page.getByRole("region", { name: "Status" });
    await expect(status.getByRole("button")).toContainText("1 waits for a person");
    await status.getByRole("button").click();
    await expect(status).toContainText(`${ownNamespace}/${name} in cluster demo`);

    const tab = page.getByRole("region", { name: "Tab" });
    await expect(tab).toContainText("Waiting for a person");
    await expect(tab).toContainText("1 of 4 steps done");
    const link = tab.getByRole("link", { name: "Decide in Gatehouse" });
    await expect(link).toHaveAttribute("href", gatehouse + ownPath(name));
    const [opened] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await opened.getByRole("button", { name: "Continue as operator" }).click();
    await expect(opened).toHaveURL(gatehouse + ownPath(name));

    const refused = await page.evaluate(async () => {
      const headers = { "Argocd-Application-Name": "argocd:shop", "Argocd-Project-Name": "default" };
      return (await fetch("extensions/gatehouse/api/v1/audit", { headers })).status;
    });
    expect(refused).toBe(403);
  } finally {
    await argoCd.close();
  }
});
