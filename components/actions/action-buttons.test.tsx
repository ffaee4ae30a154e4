import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { ActTarget } from "#components/actions/act-target.ts";
import { ActionButtons, WithKubectl } from "#components/actions/action-buttons.tsx";
import { FreezeNotice, Refusal, SecondPersonNotice } from "#components/actions/guards.tsx";
import { HeldBackLine } from "#components/actions/held-back-line.tsx";
import { formatExact } from "#components/ui/format-time.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";
import { GatehouseError } from "#packages/client/src/gatehouse-error.ts";

const target: ActTarget = {
  id: "c/n/Rollout/a",
  cluster: "c",
  namespace: "n",
  kind: "Rollout",
  name: "a",
  viewDigest: "d",
  uid: "u",
  revisionKey: "r",
};
const needs: AllowedAction["needs"] = { reason: true, secondPerson: null, freeze: null, breakGlass: false };
const freeze = {
  name: "weekend",
  until: "2026-11-23T07:00:00.000Z",
  because: 'Frozen by "weekend" until 2026-11-23T07:00:00.000Z.',
};
const act = (change: Partial<AllowedAction>): AllowedAction => ({
  action: "continue",
  label: "Continue",
  protective: false,
  allowed: true,
  effect: "It goes on.",
  needs,
  ...change,
});

function render(node: React.ReactNode, role = "operator"): string {
  const client = new QueryClient();
  client.setQueryData(queryKeys.me(), { role, issuer: "https://id.example" });
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={client}>{node}</QueryClientProvider>
    </MantineProvider>,
  ).replaceAll(/<style[^>]*>.*?<\/style>/gs, "");
}

/** Returns the texts of the buttons, in order. */
function buttonsOf(markup: string): string[] {
  return [...markup.matchAll(/<button.*?<\/button>/gs)].map(([button]) => button.replaceAll(/<[^>]*>/g, ""));
}

describe("ActionButtons", () => {
  const actions = [
    act({}),
    act({ action: "retry", label: "Retry", allowed: false, effect: undefined, reason: "It is not aborted." }),
    act({ action: "promote-full", label: "Promote fully" }),
    act({ action: "abort", label: "Abort", protective: true }),
  ];

  it("shows what answers the state, the menu, then abort apart", () => {
    const markup = render(<ActionButtons target={target} actions={actions} showsAll />);
    expect(buttonsOf(markup)).toEqual(["Continue", "More", "Abort"]);
  });

  it("shows in a row only what is allowed, without a menu", () => {
    const off = [...actions, act({ action: "unpause", label: "Unpause", allowed: false })];
    expect(buttonsOf(render(<ActionButtons target={target} actions={off} />))).toEqual(["Continue", "Abort"]);
  });

  it("offers the version before in a row, by its name", () => {
    const revision = { podHash: "h", stable: false };
    const undo = act({
      action: "undo",
      label: "Roll back to a revision",
      revisions: [
        { ...revision, revision: 2, images: ["registry.internal/shop:v2.3.0"], current: true },
        { ...revision, revision: 1, images: ["registry.internal/shop:v2.2.1"], current: false },
      ],
    });
    expect(buttonsOf(render(<ActionButtons target={target} actions={[undo]} />))).toEqual(["Roll back to v2.2.1"]);
  });

  it("leads with the way back if a critical finding waits, and leaves it in the menu otherwise", () => {
    const undo = act({ action: "undo", label: "Roll back to v1", effect: undefined });
    const abort = act({ action: "abort", label: "Abort", protective: true, allowed: false, effect: undefined });
    const show = (reason: "finding" | "pause", actions = [undo, abort]) => {
      const attention = { reason, since: "2026-11-20T10:00:00Z", severity: "critical" as const };
      return render(<ActionButtons target={{ ...target, attention }} actions={actions} showsAll />);
    };
    expect(buttonsOf(show("finding"))).toEqual(["Roll back to v1", "More"]);
    expect(show("finding")).toContain('data-variant="filled"');
    expect(buttonsOf(show("pause"))).toEqual(["More"]);
    expect(buttonsOf(show("finding", [{ ...undo, allowed: false }, abort]))).toEqual(["More"]);
  });

  it("fills no button that sets a result aside", () => {
    const accept = act({ action: "accept-step", label: "Accept and continue", waives: "run a-1" });
    const variantsOf = (action: AllowedAction) =>
      render(<ActionButtons target={target} actions={[action]} showsAll />).match(/data-variant="\w+"/)?.[0];
    expect(variantsOf(act({}))).toBe('data-variant="filled"');
    expect(variantsOf(accept)).toBe('data-variant="default"');
    expect(render(<ActionButtons target={target} actions={[accept]} isQuiet />)).toContain('data-unfilled="true"');
  });

  it("fills no button that runs a failed version again", () => {
    const retry = act({ action: "retry", label: "Retry" });
    const html = render(<ActionButtons target={target} actions={[retry]} showsAll />);
    expect(html.match(/data-variant="\w+"/)?.[0]).toBe('data-variant="default"');
    // A row of the inbox shows it, and does not fill it.
    expect(render(<ActionButtons target={target} actions={[retry]} isQuiet />)).toMatch(/data-lead.* data-unfilled/);
    expect(render(<ActionButtons target={target} actions={[act({})]} isQuiet />)).not.toContain("data-unfilled");
  });

  it("says on the button what stands in front of it", () => {
    const frozen = act({ allowed: false, needs: { ...needs, freeze }, reasonCode: "frozen", reason: "Frozen." });
    const two = act({
      action: "retry",
      label: "Retry",
      needs: { ...needs, secondPerson: { rule: "r", expireMinutes: 60, because: "Two." } },
    });
    const markup = render(<ActionButtons target={target} actions={[frozen, two]} showsAll />);
    expect(buttonsOf(markup)).toEqual(["Continue · frozen", "Retry · needs approval"]);
    expect(markup.match(/aria-disabled="true"/g)).toHaveLength(1);
  });

  it("says in a row why an answer is missing in a freeze", () => {
    const frozen = act({
      allowed: false,
      reasonCode: "frozen",
      reason: "Frozen until Monday.",
      needs: { ...needs, freeze },
    });
    expect(buttonsOf(render(<ActionButtons target={target} actions={[frozen]} />))).toEqual([]);
    expect(render(<HeldBackLine actions={[frozen]} />)).toContain("Frozen until Monday.");
    const behind = act({ allowed: false, reasonCode: "barrier", reason: "Not at pause 1 yet: n/a in c." });
    expect(render(<HeldBackLine actions={[act({}), behind]} />)).toContain("Not at pause 1 yet: n/a in c.");
    expect(render(<HeldBackLine actions={[act({ allowed: false, reason: "It is healthy." })]} />)).toBe("");
  });

  it("shows the end of a freeze as all other times, in a row and in a refusal", () => {
    const reason = `Frozen by "weekend" until ${freeze.until}.`;
    const frozen = act({ allowed: false, reasonCode: "frozen", reason, needs: { ...needs, freeze } });
    const refused = new GatehouseError({ status: 403, code: "frozen", detail: reason });
    const parts = [
      render(<HeldBackLine actions={[frozen]} />),
      render(<Refusal error={refused} label="Continue" returnTo="/" onLeave={() => undefined} />),
    ];
    for (const markup of parts) {
      expect(markup).toContain(`until ${formatExact(freeze.until)}.`);
      expect(markup).not.toContain(freeze.until);
    }
  });

  it("gives a viewer nothing", () => {
    expect(render(<ActionButtons target={target} actions={actions} showsAll />, "viewer")).toBe("");
  });
});

it("tells, without Gatehouse, the commands of what was possible, and nothing where there is none", () => {
  const possible = act({ kubectl: "kubectl argo rollouts promote a -n n" });
  const off = act({ action: "retry", label: "Retry", allowed: false, kubectl: "kubectl argo rollouts retry a" });
  const markup = render(<WithKubectl actions={[possible, off]} isOpen />);
  expect(markup).toContain("<dt>Continue</dt>");
  expect(markup).toContain("kubectl argo rollouts promote a -n n");
  expect(markup).not.toContain("retry");
  expect(render(<WithKubectl actions={[off]} isOpen />)).toBe("");
});

describe("FreezeNotice", () => {
  const notice = (breakGlass: boolean) =>
    render(<FreezeNotice needs={{ ...needs, freeze, breakGlass }} breaksGlass={false} onBreak={() => undefined} />);

  it("names the freeze, and offers the glass to whoever may break it", () => {
    expect(notice(false)).toContain("Frozen by &quot;weekend&quot; until");
    expect(notice(false)).not.toContain("Override the freeze");
    expect(notice(true)).toContain("Override the freeze");
    expect(notice(true)).toContain(`until ${formatExact(freeze.until)}.`);
  });

  it("names the set that it waits for, and what the glass overrides", () => {
    const barrier = { set: "checkout", because: 'Set "checkout" passes its pauses together.' };
    const set = (more: Partial<AllowedAction["needs"]>) =>
      render(<FreezeNotice needs={{ ...needs, barrier, ...more }} breaksGlass={false} onBreak={() => undefined} />);
    expect(set({})).toContain("passes its pauses together.");
    expect(set({})).not.toContain("Override");
    expect(set({ breakGlass: true })).toContain("Override the set (break-glass)");
    expect(set({ freeze, breakGlass: true })).toContain("Override the freeze and the set (break-glass)");
  });

  it("offers no glass for a scheduled action, which is checked again", () => {
    const scheduled = { needs: { ...needs, freeze, breakGlass: true }, breaksGlass: false, isLater: true };
    const markup = render(<FreezeNotice {...scheduled} onBreak={() => undefined} />);
    expect(markup).toContain("This is checked again at the scheduled time.");
    expect(markup).not.toContain("Override");
  });

  it("says nothing outside of a freeze", () => {
    expect(render(<FreezeNotice needs={needs} breaksGlass={false} onBreak={() => undefined} />)).toBe("");
  });
});

it("names the rule that asks for a second person, and for how long a request holds", () => {
  const two = {
    ...needs,
    secondPerson: { rule: "four eyes", expireMinutes: 45, because: 'Rule "four eyes" requires 2 other people.' },
  };
  const markup = render(<SecondPersonNotice needs={two} approval={undefined} />);
  expect(markup).toContain("requires 2 other people. Your request");
  expect(markup).toContain("45 minutes");
});

describe("Refusal", () => {
  const refusal = (code: GatehouseError["code"]) =>
    render(
      <Refusal
        error={new GatehouseError({ status: 403, code, detail: "No." })}
        label="Continue"
        kubectl="kubectl argo rollouts promote x"
        returnTo="/rollouts/x"
        onLeave={() => undefined}
      />,
    );

  it("offers a fresh sign-in where that is what is asked for, and nowhere else", () => {
    expect(buttonsOf(refusal("reauthentication_required"))).toEqual(["Sign in again"]);
    expect(buttonsOf(refusal("frozen"))).toEqual([]);
  });

  it("names the command that does the same where Gatehouse could not act, not where it may have", () => {
    expect(refusal("audit_unavailable")).toContain("kubectl argo rollouts promote x");
    expect(refusal("unavailable")).toContain("kubectl argo rollouts promote x");
    for (const code of ["network", "frozen"] as const) expect(refusal(code)).not.toContain("kubectl");
  });

  it("does not call a request that got no answer refused", () => {
    expect(refusal("network")).not.toContain("was refused");
    expect(refusal("frozen")).toContain("Continue was refused");
  });
});
