// @vitest-environment jsdom
import { expect, it } from "vitest";
import { EntryFacts } from "#components/audit/entry-facts.tsx";
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

it("says why only if the sentence hides it, since it contains the same text", async () => {
  await render(<EntryFacts entry={{ ...entryOf({}), reason: "abort" }} action={undefined} />);
  expect(document.body.textContent).toContain("Whyabort");
  await render(<EntryFacts entry={{ ...entryOf({}), reason: "too many errors" }} action={undefined} />);
  expect(document.body.textContent).not.toContain("Why");
  await render(<EntryFacts entry={{ ...entryOf({}), reason: "" }} action={undefined} />);
  expect(document.body.textContent).not.toContain("Why");
});
