import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error -- plain JavaScript without types: it runs before anything is installed.
import { describeHeavyPages } from "./bundle-size.mjs";
// @ts-expect-error -- as above.
import { addCounts, countPlaywright, countVitest } from "./test-counts.mjs";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-counts-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function report(content: unknown): string {
  const file = join(folder, "report.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const vitest = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 };
const playwright = { expected: 4, unexpected: 0, flaky: 0, skipped: 0 };

describe("test counts", () => {
  it.each([
    ["all passed", { ...vitest, testResults: [] }, { passed: 5, failed: 0, skipped: 1 }],
    ["one failed", { ...vitest, numFailedTests: 1, testResults: [] }, { passed: 5, failed: 1, skipped: 1 }],
    [
      "a file that does not load",
      { ...vitest, testResults: [{ name: "a", status: "failed", assertionResults: [] }] },
      { passed: 5, failed: 1, skipped: 1 },
    ],
    [
      "a failed test is not counted twice",
      {
        ...vitest,
        numFailedTests: 1,
        testResults: [{ name: "a", status: "failed", assertionResults: [{ status: "failed" }] }],
      },
      { passed: 5, failed: 1, skipped: 1 },
    ],
    ["half a report", "{", { passed: 0, failed: 1, skipped: 0 }],
  ])("vitest: %s", (_, content, expected) => {
    expect(countVitest(report(content))).toMatchObject(expected);
  });

  it.each([
    ["all passed", { stats: playwright, errors: [] }, { passed: 4, failed: 0, skipped: 0 }],
    ["a flaky one", { stats: { ...playwright, flaky: 1 }, errors: [] }, { passed: 5, failed: 0, skipped: 0 }],
    ["a broken set-up", { stats: playwright, errors: [{}] }, { passed: 4, failed: 1, skipped: 0 }],
  ])("playwright: %s", (_, content, expected) => {
    expect(countPlaywright(report(content))).toMatchObject(expected);
  });

  it("takes a missing report for a failure", () => {
    const file = join(folder, "none.json");
    expect(countVitest(file)).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
      failures: [`${file}\n    the runner wrote no report`],
    });
  });

  it("sums, also counts without a word on skipped ones", () => {
    expect(addCounts({ passed: 1, failed: 2, failures: ["a"] }, { passed: 3, failed: 0, skipped: 4 })).toEqual({
      passed: 4,
      failed: 2,
      skipped: 4,
      failures: ["a"],
      flaky: [],
    });
  });

  it("says which tests failed, and why, without colours", () => {
    const failed = {
      status: "failed",
      fullName: "weights add up",
      failureMessages: ["\u001b[31mexpected 1\u001b[39m"],
    };
    const testResults = [
      { name: "/a.test.ts", status: "failed", assertionResults: [{ status: "passed" }, failed] },
      { name: "/b.test.ts", status: "failed", message: "cannot load", assertionResults: [] },
    ];
    expect(countVitest(report({ ...vitest, numFailedTests: 1, testResults })).failures).toEqual([
      "/a.test.ts: weights add up\n    expected 1",
      "/b.test.ts\n    cannot load",
    ]);
    const spec = { title: "signs in", ok: false, tests: [{ results: [{}, { error: { message: "timed out" } }] }] };
    const suites = [{ file: "a.spec.ts", specs: [{ ok: true }], suites: [{ file: "a.spec.ts", specs: [spec] }] }];
    expect(countPlaywright(report({ stats: { ...playwright, unexpected: 1 }, suites })).failures).toEqual([
      "a.spec.ts: signs in\n    timed out",
    ]);
    const again = { ...spec, ok: true, tests: [{ ...spec.tests[0], status: "flaky" }] };
    const { failures, flaky } = countPlaywright(
      report({ stats: { ...playwright, flaky: 1 }, suites: [{ file: "a.spec.ts", specs: [again] }] }),
    );
    expect([failures, flaky]).toEqual([[], ["a.spec.ts: signs in\n    timed out"]]);
  });
});

describe("page sizes", () => {
  it("names a page one byte beyond 300 KB, and none at the limit", () => {
    const pages = [
      { route: "/heavy", bytes: 307_201 },
      { route: "/fine", bytes: 307_200 },
    ];
    expect(describeHeavyPages(pages)).toEqual(["/heavy: 300.0 KB of JavaScript on first load, at most 300 KB"]);
  });
});
