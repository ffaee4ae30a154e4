import { existsSync, readFileSync, rmSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { projectRoot } from "./install.mjs";

/** Removes an earlier run's report, so that a runner that dies before writing its own is noticed. */
export function forgetReport(file) {
  rmSync(file, { force: true });
}

/**
 * Counts the results of a Vitest JSON report; a missing report, or a failed file without a failed test, is one failure.
 * `failures` are lines that say what failed, and why.
 */
export function countVitest(file) {
  const report = readReport(file);
  if (report === undefined) return missingReport(file);
  const failures = (report.testResults ?? []).flatMap(describeVitestFile);
  const failedFiles = (report.testResults ?? []).filter(isFailedAsFile);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + failedFiles.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    failures,
  };
}

function isFailedAsFile({ status, assertionResults }) {
  return status === "failed" && !assertionResults.some((test) => test.status === "failed");
}

function describeVitestFile(result) {
  if (isFailedAsFile(result)) return [describeFailure(result.name, result.message)];
  return result.assertionResults
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => describeFailure(`${result.name}: ${fullName}`, failureMessages?.[0]));
}

/**
 * Counts the results of a Playwright JSON report; errors outside tests (set-up, a broken file) are failures. `flaky` are
 * lines that say what passed only when it was tried again, and why it failed before.
 */
export function countPlaywright(file) {
  const report = readReport(file);
  if (report === undefined) return missingReport(file);
  const { expected, unexpected, flaky, skipped } = report.stats;
  const errors = report.errors ?? [];
  return {
    passed: expected + flaky,
    failed: unexpected + errors.length,
    skipped,
    failures: [
      ...errors.map(({ message }) => describeFailure("outside the tests", message)),
      ...(report.suites ?? []).flatMap((suite) => describeSuite(suite, ({ ok }) => !ok)),
    ],
    flaky: (report.suites ?? []).flatMap((suite) => describeSuite(suite, isFlaky)),
  };
}

function isFlaky({ ok, tests = [] }) {
  return ok && tests.some(({ status }) => status === "flaky");
}

function describeSuite({ file, specs = [], suites = [] }, isWanted) {
  const lines = specs.filter(isWanted).map(({ title, tests }) => {
    const results = tests.flatMap((test) => test.results);
    return describeFailure(`${file}: ${title}`, results.find(({ error }) => error !== undefined)?.error.message);
  });
  return [...lines, ...suites.flatMap((suite) => describeSuite(suite, isWanted))];
}

/** Adds counts up; a count without `skipped`, `failures` or `flaky` has none. */
export function addCounts(...all) {
  const sum = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };
  for (const { passed, failed, skipped = 0, failures = [], flaky = [] } of all) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
    sum.failures.push(...failures);
    sum.flaky.push(...flaky);
  }
  return sum;
}

function missingReport(file) {
  return { passed: 0, failed: 1, skipped: 0, failures: [describeFailure(file, "the runner wrote no report")] };
}

/** One line of what failed, and the first lines of its message without colours. */
function describeFailure(name, message = "no message") {
  const lines = stripVTControlCharacters(message).trim().split("\n").slice(0, 6);
  return [name.replace(`${projectRoot}/`, ""), ...lines.map((line) => `    ${line}`)].join("\n");
}

function readReport(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
