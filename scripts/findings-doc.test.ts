import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findingsDocFile, formatFindingsDoc } from "./findings-doc.ts";

it("docs/findings.md says what the rules say: run npx node scripts/findings-doc.ts", () => {
  expect(readFileSync(findingsDocFile, "utf8")).toBe(formatFindingsDoc());
});
