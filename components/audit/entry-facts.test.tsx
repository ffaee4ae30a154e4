// @vitest-environment jsdom
import { expect, it } from "vitest";
import { EntryTitle } from "#components/audit/audit-entry-page.tsx";
import { EntryFacts, RecordFacts } from "#components/audit/entry-facts.tsx";
import { Evidence } from "#components/audit/evidence.tsx";
import type { AuditDetail } from "#lib/contract/audit.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const entryOf = (detail: Record<string, unknown>) =>
  ({
    ...{ seq: 7, time: "2026-11-21T10:00:00.000000Z", code: "action.continue", source: "gatehouse", requestId: "r" },
    ...{
      actor: { type: "user", name: "Oncall" },
      sentence: "Oncall: abort of shop",
      attributedBy: null,
      overridden: null,
      request: null,
      detail,
    },
  }) as unknown as AuditDetail;

it("says in sentences what observed rules would have decided, and nothing without one", async () => {
  const observed = [
    { rule: "weekend", kind: "freeze", would: "refuse" },
    { rule: "four eyes", kind: "second-person", would: "require a second person" },
  ];
  await render(<EntryFacts entry={entryOf({ observed })} action={undefined} />);
  expect(document.body.textContent).toContain(
    'Observed rule "weekend" would have refused this. Observed rule "four eyes" would have required a second person.',
  );
  await render(<EntryFacts entry={entryOf({})} action={undefined} />);
  expect(document.body.textContent).not.toContain("Observed");
});

it("says when it was as every page does, with the recorded time, and how fast it took effect", async () => {
  const effect = { state: "effective", seconds: 0.5, why: null };
  await render(<EntryFacts entry={{ ...entryOf({}), outcome: "applied", effect } as AuditDetail} action={undefined} />);
  const time = document.querySelector("time");
  expect(time?.textContent).toBe("21 Nov 2026, 10:00:00 UTC");
  expect(time?.title).toBe("2026-11-21T10:00:00.000000Z");
  expect(document.body.textContent).toContain("took effect in 0.5 s");
});

it("leaves the event and the request to the folded record", async () => {
  await render(<EntryFacts entry={entryOf({})} action={undefined} />);
  expect(document.body.textContent).not.toContain("action.continue");
  await render(<RecordFacts entry={entryOf({})} />);
  expect(document.body.textContent).toContain("Eventaction.continue, through GatehouseRequestr");
});

it("has the act in the title and the reason in quotes below, even if the sentence contains the same text", async () => {
  const quotes = { "too many errors": "“too many errors”", abort: "“abort”", "": undefined };
  for (const [reason, quoted] of Object.entries(quotes)) {
    await render(<EntryTitle entry={{ ...entryOf({}), reason }} />);
    expect(document.querySelector("h1")?.textContent).toBe("Oncall: abort of shop");
    expect(document.querySelector("p")?.textContent).toBe(quoted);
  }
});

it("folds the record of the evidence, closed, and says where the rollout waited", async () => {
  const evidence = {
    rollout: {
      ...{ phase: "Paused", message: "CanaryPauseStep", attention: "pause" },
      view: { pauseConditions: [{ reason: "CanaryPauseStep" }] },
    },
    runs: [],
  };
  const entry = { ...entryOf({ step: 1, stepCount: 5, actualWeight: 50 }), evidence, metrics: [] };
  await render(<Evidence entry={{ ...entry, target: { namespace: "shop", name: "cart" } }} />);
  expect(document.body.textContent).toContain("shop/cart waited at pause step 2 of 5, with 50 %");
  expect([...document.querySelectorAll("summary")].map(({ textContent }) => textContent)).toEqual([
    "Rollout state that the action was bound to",
    "Stored evidence",
  ]);
  expect(document.querySelectorAll("details[open]")).toHaveLength(0);
});
