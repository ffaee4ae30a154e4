// @vitest-environment jsdom
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { expect, it } from "vitest";
import { FreezeCalendar } from "#components/admin/freeze-calendar.tsx";
import { weekOf } from "#components/admin/prepare-week.ts";
import type { AdminFreezes } from "#lib/contract/admin.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();
const recordedSince = "2026-11-26T12:00:00.000Z";
const freezes: AdminFreezes = {
  at: "2026-11-29T10:00:00.000Z",
  freezes: [
    {
      ...{ path: "policies.freezes[0]", name: "season's end", mode: "enforce", actions: ["*"] },
      scope: { clusters: ["*"], namespaces: ["shop"], rollouts: ["cart"] },
      ...{ includeProtective: false, outside: false, start: "0 0 * * *", timeZone: "UTC", duration: "24h" },
      ...{ now: { from: recordedSince, to: null }, next: null, complete: true },
      times: [{ from: recordedSince, to: "2026-11-30T00:00:00.000Z", mode: "enforce" }],
      before: [{ from: "2026-11-23T00:00:00.000Z", to: recordedSince, why: "unknown" }],
    },
  ],
  broken: [
    { seq: 7, at: "2026-11-28T00:00:00.000Z", freeze: "season's end", person: "ada", sentence: "ada continued" },
  ],
  allBroken: true,
};

it("shows a freeze once: in words, with a bar from when it is recorded and a note before", async () => {
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <FreezeCalendar freezes={freezes} week={weekOf("2026-11-23", "UTC")} zone="UTC" now={Date.parse(freezes.at)} />
    </AppRouterContext>,
  );
  const rows = document.querySelectorAll("ul[aria-label=Freezes] > li");
  expect(rows).toHaveLength(1);
  const [words, track] = rows[0]?.children ?? [];
  expect(words?.textContent).toBe(
    "season's endAlways active: the windows run back to back.Every day at 00:00 UTC for 24 h, in shop/cart of every cluster. policies.freezes[0]Not recorded before Thu 26 Nov, 12:00.",
  );
  expect(words?.querySelector("[title]")?.getAttribute("title")).toContain("0 0 * * *");
  expect(track?.getAttribute("aria-hidden")).toBe("true");
  const bars = [...(track?.querySelectorAll<HTMLElement>("[title^=season]") ?? [])];
  expect(bars.map(({ textContent, style, dataset }) => [textContent, style.left, dataset.before])).toEqual([
    ["Not recorded before Thu 26 Nov, 12:00.", "0%", "true"],
    ["frozen", "50%", undefined],
  ]);
  expect(track?.querySelector("a")?.title).toBe("ada broke season's end");
});
