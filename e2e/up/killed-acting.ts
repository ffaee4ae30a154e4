import { expect, type Page, test } from "@playwright/test";
import { isAlive, pidOfProcess } from "#test/demo-processes.ts";
import type { TappedRequest } from "#test/wire-tap.ts";
import { type OwnUp, startActing } from "../own-up.ts";
import { createPausedRollout, ownNamespace, patchRollout, readRollout } from "../sandbox.ts";

/** Needs two people: `oncall` in the group `operators`, `releaser` in `admins`. */
export function testKilledActing(given: () => OwnUp): void {
  let up: OwnUp;
  test.beforeAll(async () => {
    up = given();
    await startActing(up);
  });

  const isPatchOf = (name: string, { method, path }: TappedRequest) =>
    method === "PATCH" && path.includes(`/rollouts/${name}`);
  const patchesOf = (name: string) => up.tap.requests.filter((request) => isPatchOf(name, request));

  /** Holds such patches, or the answers to them, for good. Resolves once the line holds one of each rollout. */
  async function holdPatches(cases: readonly Case[]): Promise<void> {
    const holdOn = (side: "patch" | "answer", { rollout, isHeld }: Case, resolve: () => void) => {
      return (request: TappedRequest) => {
        if (!isPatchOf(rollout, request) || !isHeld(side, request.path)) return undefined;
        resolve();
        return new Promise<void>(() => undefined);
      };
    };
    const holds = cases.map((of) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      return { promise, patch: holdOn("patch", of, resolve), answer: holdOn("answer", of, resolve) };
    });
    const holdBy = (side: "patch" | "answer") => (request: TappedRequest) =>
      holds.map((hold) => hold[side](request)).find((held) => held !== undefined);
    up.tap.setHold(holdBy("patch"));
    up.tap.setAnswerHold(holdBy("answer"));
    await Promise.all(holds.map(({ promise }) => promise));
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

  async function openDialog(page: Page, name: string): Promise<void> {
    await page.goto(`${up.url}/rollouts/prod/${ownNamespace}/Rollout/${name}`);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Reason" }).fill("Runs clean.");
  }

  const confirmIn = (page: Page, rollout: string) =>
    page.getByRole("dialog").getByRole("button", { name: `Continue ${rollout}` });

  type Case = {
    name: string;
    rollout: string;
    /** Whether the line holds this patch, or the answer to it. */
    isHeld: (side: "patch" | "answer", path: string) => boolean;
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
      name: "between intent and patch: nothing was done",
      rollout: "killed-before",
      isHeld: (side) => side === "patch",
      sent: 1,
      outcome: "refused",
      sentence: /found that the request to continue .*was not applied/,
      message: /Read back: the change was not applied/,
      isWaiting: true,
    },
    {
      name: "between patch and outcome: it is found to be done, and is not done again",
      rollout: "killed-after",
      isHeld: (side) => side === "answer",
      sent: 1,
      outcome: "applied",
      sentence: /found that the request to continue .*was applied/,
      message: /In effect/,
      isWaiting: false,
    },
    {
      name: "between two patches: half done, and the gate still stands",
      rollout: "killed-midway",
      isHeld: (side, path) => side === "patch" && path.includes("/status"),
      sent: 2,
      outcome: "partial",
      sentence: /found that the request to continue .*was partially applied/,
      message: /partially applied, patch 1 of 2 only\. spec\.paused is cleared, but the other pauses remain/,
      isWaiting: true,
    },
  ];

  /** Returns the id of the rollout's only action, which has no outcome yet. */
  async function readHeldAction(rollout: string): Promise<string> {
    const [action, ...others] = await actionsOf(rollout);
    if (action === undefined) throw new Error("there is no action");
    expect(others).toEqual([]);
    expect(action).toMatchObject({ state: "requested", intent_seq: expect.any(String), outcome_seq: null });
    return action.id;
  }

  /** Asks for the same once more: the request, by its key, waits for what the recorder finds out. */
  async function expectFoundOut(of: Case, { page, id }: { page: Page; id: string }): Promise<void> {
    const { rollout, outcome, sent, isWaiting } = of;
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("alert")).toContainText("The action may or may not have run. Retrying is safe");
    await confirmIn(page, rollout).click();
    await letTimePass(id);
    if (outcome === "refused") await expect(dialog.getByRole("alert")).toContainText(of.message);
    else {
      await expect(dialog).toBeHidden();
      await expect(page.getByText(of.message).first()).toBeVisible();
    }
    expect((await actionsOf(rollout)).map((action) => action.id)).toEqual([id]);
    expect(await outcomesOf(id)).toEqual(["intent", outcome]);
    expect(patchesOf(rollout)).toHaveLength(sent);
    const { spec, status } = await readRollout(rollout, up.cluster);
    expect((status?.pauseConditions ?? []).length > 0 && status?.currentStepIndex === 1).toBe(isWaiting);
    expect(spec.paused ?? false).toBe(false);

    await page.goto(`${up.url}/audit?name=${rollout}&source=system`);
    const entries = page.getByRole("list", { name: "Audit entries, newest first" }).getByRole("listitem");
    await expect(entries).toHaveCount(1);
    await expect(entries).toContainText(of.sentence);
  }

  test("the web is killed while three actions are under way: each outcome is found out, and nothing is done twice", async ({
    context,
    browser,
  }) => {
    await Promise.all(cases.map(({ rollout }) => createPausedRollout(rollout, up.cluster)));
    await patchRollout("killed-midway", { spec: { paused: true } }, up.cluster);
    const first = await up.signInAs(context, "oncall");
    const opened: { of: Case; page: Page }[] = [];
    for (const of of cases) {
      const page = of === cases[0] ? first : await context.newPage();
      opened.push({ of, page });
      await openDialog(page, of.rollout);
      if (of.outcome === "partial")
        await expect(page.getByRole("dialog")).toContainText("Also clears the pause in spec.paused");
    }
    const held = holdPatches(cases);
    for (const { of, page } of opened) await confirmIn(page, of.rollout).click();
    await held;
    const ids = await Promise.all(cases.map(({ rollout }) => readHeldAction(rollout)));
    await killWeb();
    for (const [index, { of, page }] of opened.entries())
      await test.step(of.name, () => expectFoundOut(of, { page, id: ids[index] ?? "" }));

    const auditor = await up.signInAs(await browser.newContext(), "releaser", "/audit");
    const verified = await auditor.request.get(`${up.url}/api/v1/audit/verify`);
    expect(await verified.json()).toMatchObject({ ok: true, entries: expect.any(Number) });

    await test.step("what was not done is done when it is asked for once more", async () => {
      await openDialog(first, "killed-before");
      await confirmIn(first, "killed-before").click();
      await expect(first.getByText("In effect")).toBeVisible();
      const actions = await actionsOf("killed-before");
      expect(actions.map(({ state }) => state)).toEqual(["refused", "effective"]);
    });
  });
}
