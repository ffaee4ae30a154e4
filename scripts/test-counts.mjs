import { existsSync, readFileSync, rmSync } from "node:fs";

/** Removes an earlier run's report, so that a runner that dies before writing its own is noticed. */
export function forgetReport(file) {
  rmSync(file, { force: true });
}

/**
 * Counts the results of a Vitest JSON report; a missing report, or a failed file without a failed test, is one failure.
 */
export function countVitest(file) {
  const report = readReport(file);
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const failedFiles = (report.testResults ?? []).filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + failedFiles.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

/** Counts the results of a Playwright JSON report; errors outside tests (set-up, a broken file) are failures. */
export function countPlaywright(file) {
  const report = readReport(file);
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected + flaky, failed: unexpected + (report.errors?.length ?? 0), skipped };
}

export function addCounts(...all) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const counts of all) for (const key of Object.keys(sum)) sum[key] += counts[key] ?? 0;
  return sum;
}

function readReport(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
