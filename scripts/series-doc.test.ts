import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { seriesDocFile, writeSeriesTables } from "./series-doc.ts";

it("docs/monitoring.md has every series as it is defined: run npx node scripts/series-doc.ts", () => {
  const page = readFileSync(seriesDocFile, "utf8");
  expect(page).toBe(writeSeriesTables(page));
  expect(page.match(/^\| `gatehouse_/gm)?.length).toBeGreaterThan(50);
});
