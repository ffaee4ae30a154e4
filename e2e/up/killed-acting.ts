import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { isAlive, pidOfProcess } from "#test/demo-processes.ts";
import type { TappedRequest } from "#test/wire-tap.ts";
import type { OwnUp } from "../own-up.ts";
import { createPausedRollout, ownNamespace, patchRollout, readRollout } from "../sandbox.ts";

/** Needs two people: `oncall` in the group `operators`, `releaser` in `admins`. */
export function testKilledActing(given: () => OwnUp): void {
  let up: OwnUp;
  test.beforeAll(() => {
    up = given();
  });

  const isPatchOf = (name: string, { method, path }: TappedRequest) =>
    method === "PATCH" && path.includes(`/rollouts/${name}`);
  const patchesOf = (name: string) => up.tap.requests.filter((request) => isPatchOf(name, request));

  /** Resolves once the line holds such a patch, for good; or its answer, when the cluster has done it already. */
  function holdPatch(side: "patch" | "answer", isHeld: (request: TappedRequest) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const hold = (request: TappedRequest): Promise<void> | undefined => {
        if (!isHeld(request)) return undefined;
        resolve();
        return new Promise(() => undefined);
      };
      if (side === "patch") up.tap.setHold(hold);
      else up.tap.setAnswerHold(hold);
    });
  }

  type ActionRow = { id: string; state: string; intent_seq: string | null; outcome_seq: string | null };

  async function actionsOf(name: string): Promise<ActionRow[]> {
    const sql = "SELECT id, state, intent_seq, outcome_seq FROM action WHERE name = $1 ORDER BY requested_at";
    return (await up.query<ActionRow>(sql, [name])).rows;
  }

  /** Kills the process that sends patches, without a word, and waits until the launcher's next one answers. */
  async function killWeb(): Promise<void> {
    const killed = pidOfProcess(up.dataDirectory, "web");
    process.kill(killed, "SIGKILL");
    await expect.poll(() => isAlive(killed)).toBe(false);
    up.tap.setHold(undefined);
    up.tap.setAnswerHold(undefined);
    const status = () => fetch(`${up.url}/readyz`).then((answer) => answer.status, String);
    await expect.poll(status).toBe(200);
    expect(pidOfProcess(up.dataDirectory, "web")).not.toBe(killed);
  }

  /** Nobody waits for a minute and a half: the times of the row are set back, as if it had passed. */
  async function letTimePass(id: string): Promise<void> {
    await up.query(
      `UPDATE action SET requested_at = requested_at - interval '100 seconds',
         deadline_at = deadline_at - interval '100 seconds' WHERE id = $1`,
      [id],
    );
  }

  async function outcomesOf(id: string): Promise<string[]> {
    const { rows } = await up.query<{ entry: string }>(
      "SELECT entry FROM audit_entry WHERE action_id = $1 ORDER BY seq",
      [id],
    );
    return rows.map(({ entry }) => (JSON.parse(entry) as { outcome: string }).outcome);
  }

  async function openDialog(context: BrowserContext, name: string): Promise<Page> {
    const page = await up.signInAs(context, "oncall", `/rollouts/prod/${ownNamespace}/Rollout/${name}`);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Reason" }).fill("Runs clean.");
    return page;
  }

  async function expectChainHolds(context: BrowserContext): Promise<void> {
    const page = await up.signInAs(context, "releaser", "/audit");
    const answer = await page.request.get(`${up.url}/api/v1/audit/verify`);
    expect(await answer.json()).toMatchObject({ ok: true, entries: expect.any(Number) });
  }

  type Case = {
    name: string;
    rollout: string;
    side: "patch" | "answer";
    isHeld: (request: TappedRequest) => boolean;
    /** Patches that the web sent before it was killed. */
    sent: number;
    outcome: "refused" | "applied" | "partial";
    /** In the audit log, by the process that found it out. */
    sentence: RegExp;
    message: RegExp;
    /** How the rollout stands afterwards. */
    isWaiting: boolean;
  };

  const cases: Case[] = [
    {
      name: "between intent and patch: nothing was done, and the same button does it then",
      rollout: "killed-before",
      side: "patch",
      isHeld: (request) => isPatchOf("killed-before", request),
      sent: 1,
      outcome: "refused",
      sentence: /found that the request to continue .*was not applied/,
      message: /Read back: the change was not applied/,
      isWaiting: true,
    },
    {
      name: "between patch and outcome: it is found to be done, and is not done again",
      rollout: "killed-after",
      side: "answer",
      isHeld: (request) => isPatchOf("killed-after", request),
      sent: 1,
      outcome: "applied",
      sentence: /found that the request to continue .*was applied/,
      message: /In effect/,
      isWaiting: false,
    },
    {
      name: "between two patches: half done, and the gate still stands",
      rollout: "killed-midway",
      side: "patch",
      isHeld: (request) => isPatchOf("killed-midway", request) && request.path.includes("/status"),
      sent: 2,
      outcome: "partial",
      sentence: /found that the request to continue .*was partially applied/,
      message: /partially applied, patch 1 of 2 only\. spec\.paused is cleared, but the other pauses remain/,
      isWaiting: true,
    },
  ];

  /** What was not done is done when it is asked for once more. */
  async function expectDoneOnceMore(context: BrowserContext): Promise<void> {
    const page = await openDialog(context, "killed-before");
    await page.getByRole("dialog").getByRole("button", { name: "Continue killed-before" }).click();
    await expect(page.getByText("In effect")).toBeVisible();
    const actions = await actionsOf("killed-before");
    expect(actions.map(({ state }) => state)).toEqual(["refused", "effective"]);
  }

  for (const { name, rollout, side, isHeld, sent, outcome, sentence, message, isWaiting } of cases) {
    test(`the web is killed ${name}`, async ({ context, browser }) => {
      await createPausedRollout(rollout, up.cluster);
      if (outcome === "partial") await patchRollout(rollout, { spec: { paused: true } }, up.cluster);
      const page = await openDialog(context, rollout);
      const dialog = page.getByRole("dialog");
      if (outcome === "partial") await expect(dialog).toContainText("Also clears the pause in spec.paused");
      const confirm = dialog.getByRole("button", { name: `Continue ${rollout}` });
      const held = holdPatch(side, isHeld);
      await confirm.click();
      await held;
      const [action, ...others] = await actionsOf(rollout);
      if (action === undefined) throw new Error("there is no action");
      expect(others).toEqual([]);
      expect(action).toMatchObject({ state: "requested", intent_seq: expect.any(String), outcome_seq: null });

      await killWeb();
      await expect(dialog.getByRole("alert")).toContainText("The action may or may not have run. Retrying is safe");
      // The same request, by its key: it waits for what the recorder finds out.
      await confirm.click();
      await letTimePass(action.id);
      if (outcome === "refused") await expect(dialog.getByRole("alert")).toContainText(message);
      else {
        await expect(dialog).toBeHidden();
        await expect(page.getByText(message).first()).toBeVisible();
      }
      expect((await actionsOf(rollout)).map(({ id }) => id)).toEqual([action.id]);
      expect(await outcomesOf(action.id)).toEqual(["intent", outcome]);
      expect(patchesOf(rollout)).toHaveLength(sent);
      const { spec, status } = await readRollout(rollout, up.cluster);
      expect((status?.pauseConditions ?? []).length > 0 && status?.currentStepIndex === 1).toBe(isWaiting);
      expect(spec.paused ?? false).toBe(false);

      await page.goto(`${up.url}/audit?name=${rollout}&source=system`);
      const entries = page.getByRole("list", { name: "Audit entries, newest first" }).getByRole("listitem");
      await expect(entries).toHaveCount(1);
      await expect(entries).toContainText(sentence);
      await expectChainHolds(await browser.newContext());
      if (outcome === "refused") await expectDoneOnceMore(await browser.newContext());
    });
  }
}
