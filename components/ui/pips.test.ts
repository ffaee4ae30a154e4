import { expect, it } from "vitest";
import { writePips } from "#components/ui/pips.tsx";

it.each([
  { used: 0, limit: "0", pips: "" },
  { used: 1, limit: "3", pips: "●○○" },
  { used: 4, limit: "3", pips: "●●●●" },
  { used: 0, limit: "2", pips: "○○" },
  { used: 1, limit: "-1", pips: undefined },
  { used: 9, limit: "3", pips: undefined },
  { used: 1, limit: "20", pips: undefined },
  { used: 1, limit: "", pips: undefined },
  { used: 1, limit: "{{args.limit}}", pips: undefined },
])("writes $used of $limit as $pips", ({ used, limit, pips }) => {
  expect(writePips({ used, limit })).toBe(pips);
});
