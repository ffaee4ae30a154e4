import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findProblems } from "./conventions.mjs";
import { cruise, describeCruise } from "./import-rules.mjs";
import { projectRoot } from "./install.mjs";
import { runNode } from "./steps.mjs";

export const unitReport = "test-results/unit.json";

const fromLines = (lines) => ({ ok: lines.length === 0, output: lines.join("\n") });

/** The checks of `npm run verify`; none needs a database, a browser or a build. */
export const verifyChecks = [
  { name: "types", run: () => runNode(["node_modules/typescript/bin/tsc", "--noEmit", "-p", "."]) },
  {
    name: "unit tests",
    run: () =>
      runNode([
        "node_modules/vitest/vitest.mjs",
        "run",
        "--project=unit",
        "--reporter=dot",
        "--reporter=json",
        `--outputFile.json=${unitReport}`,
      ]),
  },
  { name: "format and lint", run: () => runNode(["node_modules/@biomejs/biome/bin/biome", "ci", "--colors=off", "."]) },
  { name: "import rules", run: async () => fromLines(describeCruise(cruise())) },
  { name: "dead code", run: () => runNode(["node_modules/knip/bin/knip.js", "--no-progress"]) },
  { name: "conventions", run: async () => fromLines(checkConventions()) },
  {
    name: "document paths",
    run: async () => {
      // It imports TypeScript, which the Node that starts this script may not know.
      const { checkDocuments } = await import("./doc-paths.mjs");
      return fromLines(checkDocuments({ root: projectRoot, files: listFiles(["*.md"]) }));
    },
  },
];

/** Generates what the sources refer to and git does not contain. */
export async function prepareSources() {
  const steps = [["scripts/generate.mjs", "--if-stale"]];
  if (!existsSync(join(projectRoot, "next-env.d.ts"))) steps.push(["node_modules/next/dist/bin/next", "typegen"]);
  for (const step of steps) {
    const { ok, output } = await runNode(step, { env: { NEXT_TELEMETRY_DISABLED: "1" } });
    if (!ok) throw new Error(`${step[0]} failed: ${output}`);
  }
}

function checkConventions() {
  return listFiles(["*.ts", "*.tsx", "*.mjs", "*.cjs", "*.js"]).flatMap((file) =>
    findProblems({ file, text: readFileSync(join(projectRoot, file), "utf8") }).map(
      ({ rule, line, message }) => `${file}:${line}: ${message} (${rule})`,
    ),
  );
}

/** Lists files of the working tree that git tracks or would track; the patterns are git's. */
function listFiles(patterns) {
  const result = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...patterns], {
    cwd: projectRoot,
    encoding: "utf8",
  });
  if (result.status !== 0) throw new Error(`git ls-files failed: ${result.stderr}`);
  return result.stdout.split("\n").filter((file) => file !== "" && existsSync(join(projectRoot, file)));
}
