import { randomUUID } from "node:crypto";
import type { Person, PersonAct } from "#demo/history/story-types.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { Action, ActionPlanAnswer, ActionRequest } from "#lib/contract/action.ts";
import type { Approval } from "#lib/contract/approval.ts";
import type { Freeze } from "#lib/contract/freeze.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { expectationOf } from "#packages/client/src/expectation-of.ts";
import { parseDurationMs } from "#sandbox/controllers/clock.ts";
import { pause } from "./simulated-clock.ts";

/** The actions that a word stands for, the most fitting first. */
const meanings: Record<PersonAct["act"], readonly string[]> = {
  "accept-step": ["accept-step", "continue-waive", "continue", "approve"],
  continue: ["continue", "approve"],
  abort: ["abort"],
  retry: ["retry"],
  "promote-full": ["promote-full"],
  undo: ["undo"],
};

/** How often an act is tried that is refused, such as for a view that just changed. */
const tries = 6;

/** How long the person who asked takes to see the approval. */
const seesApprovalMs = 48_000;

type Place = { namespace: string; name: string };
type LetPass = (ms: number) => Promise<void>;

export type People = {
  act(place: Place, act: PersonAct, letPass: LetPass): Promise<void>;
  freeze(by: Person, request: { reason: string; namespaces: readonly string[]; endsAt: string }): Promise<Freeze>;
  endFreeze(by: Person, freeze: { id: string; reason: string }): Promise<void>;
};

/** How long a person stays signed in. */
const signedInMs = 5 * 3_600_000;

type Accounts = Record<string, { username: string; password: string }>;

/** People who act through the API, signed in with the demo's accounts as in a browser. */
export function createPeople(url: string, accounts: Accounts): People {
  const sessions = new Map<Person, { cookie: string; sinceMs: number }>();

  async function cookieOf(by: Person): Promise<string> {
    const session = sessions.get(by);
    if (session !== undefined && Date.now() - session.sinceMs < signedInMs) return session.cookie;
    const cookie = await signIn(url, accounts[by] ?? { username: by, password: "" });
    sessions.set(by, { cookie, sinceMs: Date.now() });
    return cookie;
  }

  async function call<Answer>(by: Person, method: "GET" | "POST", path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...{ cookie: await cookieOf(by), origin: url, "user-agent": browser },
        "content-type": "application/json",
        ...(method === "POST" ? { "idempotency-key": randomUUID() } : {}),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 400)}`);
    return JSON.parse(text) as Answer;
  }

  async function tryAct(place: Place, { by, act, reason, approvedBy }: PersonAct, letPass: LetPass): Promise<void> {
    const ref = { cluster: "demo", kind: "Rollout", ...place };
    const path = rolloutApiPath(ref);
    const rollout = await call<RolloutDetail>(by, "GET", path);
    const offered = meanings[act].flatMap((name) => rollout.allowedActions.filter(({ action }) => action === name));
    const chosen = offered.find(({ allowed }) => allowed) ?? offered[0];
    if (chosen === undefined) throw new Error(`${place.name} offers no ${act}`);
    const plan = await call<ActionPlanAnswer>(by, "POST", `${path}/action-plan`, { action: chosen.action });
    const expect = expectationOf(rollout, plan);
    const approval =
      approvedBy === undefined
        ? undefined
        : await approve(path, { by, action: chosen.action, reason, expect }, { ...approvedBy, letPass });
    const request: ActionRequest = {
      ...{ action: chosen.action, reason, expect },
      ...(approval === undefined ? {} : { approval: approval.id }),
    };
    const { id } = await call<{ id: string }>(by, "POST", `${path}/actions`, request);
    await untilEffective(by, id);
  }

  async function expectRefusal(place: Place, act: PersonAct, letPass: LetPass): Promise<void> {
    const isRefused = await tryAct(place, act, letPass).then(
      () => false,
      (error: unknown) => / 40[39] | 422 /.test(String(error)) && !String(error).includes("source_stale"),
    );
    if (!isRefused) throw new Error(`${act.act} of ${place.name} was not refused`);
  }

  async function approve(
    path: string,
    { by, ...request }: { by: Person } & Pick<ActionRequest, "action" | "reason" | "expect">,
    approver: NonNullable<PersonAct["approvedBy"]> & { letPass: LetPass },
  ): Promise<Approval> {
    const asked = await call<Approval>(by, "POST", `${path}/approvals`, request);
    await approver.letPass(parseDurationMs(approver.after) ?? 0);
    const given = await call<Approval>(approver.by, "POST", `/api/v1/approvals/${asked.id}/decision`, {
      ...{ decision: "approve", reason: approver.reason, viewDigest: asked.viewDigest },
    });
    await approver.letPass(seesApprovalMs);
    return given;
  }

  async function untilEffective(by: Person, id: string): Promise<void> {
    for (let waits = 0; waits < 1200; waits += 1) {
      const action = await call<Action>(by, "GET", `/api/v1/actions/${id}`);
      if (action.state === "effective") return;
      if (action.final) throw new Error(`${action.action} ended ${action.state}: ${action.message}`);
      await pause(50);
    }
    throw new Error(`action ${id} had no effect in a minute`);
  }

  return {
    async act(place, act, letPass) {
      if (act.isRefused) return expectRefusal(place, act, letPass);
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await tryAct(place, act, letPass);
        } catch (error) {
          if (attempt === tries) throw error;
          process.stderr.write(`history: ${place.name}: ${String(error).slice(0, 300)}\n`);
          await pause(700);
        }
      }
    },
    freeze: (by, request) => call<Freeze>(by, "POST", "/api/v1/freezes", request),
    async endFreeze(by, { id, reason }) {
      await call(by, "POST", `/api/v1/freezes/${id}`, { reason });
    },
  };
}

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

/** Signs in with the form of the sign-in page; returns the cookies. */
async function signIn(url: string, { username, password }: { username: string; password: string }): Promise<string> {
  const form = await fetch(`${url}/api/auth/csrf`, { headers: { "user-agent": browser } });
  const { csrfToken } = (await form.json()) as { csrfToken: string };
  const first = cookiesOf(form);
  const answer = await fetch(`${url}/api/auth/callback/demo`, {
    method: "POST",
    headers: { cookie: first.join("; "), origin: url, "user-agent": browser },
    body: new URLSearchParams({ username, password, csrfToken, json: "true" }),
    redirect: "manual",
  });
  await answer.body?.cancel();
  if (answer.status >= 400) throw new Error(`sign-in of ${username}: ${answer.status}`);
  return [...first, ...cookiesOf(answer)].join("; ");
}

function cookiesOf(response: Response): string[] {
  return response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
}
