import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Example, listBlocks } from "./doc-examples.ts";

const root = join(import.meta.dirname, "..");

/** The documents whose commands and configs are tested, as paths below the project's root. */
export const testedDocuments: readonly string[] = [
  "README.md",
  "deploy/chart/README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** A line of a script as it is written, with the lines that continue it. */
export type DocStatement = { file: string; line: number; text: string };

/** A statement that no test runs as it is written: why, and the tests that run the same with their own names and paths. */
export type Unrun = { matches: RegExp; why: string; tests?: readonly string[] };

/** The first that matches a statement counts; one that matches none fails the test of the documents. */
export const unrunStatements: readonly Unrun[] = [
  { matches: /^(?:kubectl|helm|kind) /, why: "needs a cluster" },
  { matches: /^docker |\$\(docker /, why: "needs a container engine" },
  { matches: /^npm run test:real/, why: "needs a cluster" },
  { matches: /^npm test$/, why: "is the run that this test is a part of" },
  { matches: /^npm run demo$/, why: "does not end", tests: ["test/start-demo.ts", "e2e/faults.spec.ts"] },
  { matches: /gatehouse up /, why: "does not end", tests: ["bin/commands/up.integration.test.ts"] },
  { matches: /bin\/cli\.mjs web/, why: "does not end", tests: ["test/package.integration.test.ts"] },
  { matches: /bin\/cli\.mjs migrate/, why: "needs an empty database", tests: ["test/package.integration.test.ts"] },
  { matches: /gatehouse migrate/, why: "needs an empty database", tests: ["test/package.integration.test.ts"] },
  {
    matches: /gatehouse (?:backup|restore) /,
    why: "needs a database of its own",
    tests: ["test/backup.integration.test.ts"],
  },
  {
    matches: /gatehouse doctor /,
    why: "fails unless the cluster and the provider of its config are there",
    tests: ["test/package.integration.test.ts"],
  },
  {
    matches: /^gatehouse (?:accept|abort|wait) /,
    why: "acts on a rollout of that name",
    tests: ["e2e/cli.spec.ts"],
  },
  {
    matches: /^gatehouse gate /,
    why: "fails while a release is under way",
    tests: ["test/pipelines.integration.test.ts"],
  },
  {
    matches: /^gatehouse scheduled /,
    why: "needs a sign-in and the request of that id",
    tests: ["bin/commands/scheduled.integration.test.ts"],
  },
  {
    matches: /^gatehouse freeze /,
    why: "stops what other tests promote",
    tests: ["bin/commands/freeze.integration.test.ts"],
  },
];

/** Text in code that begins like a command and is none. */
export const unlikeCommands: readonly { text: string; why: string }[] = [
  { text: "gatehouse ready http://127.0.0.1:7460", why: "what the demo prints" },
  { text: "gatehouse (for NAME)", why: "who a provider's own log names" },
];

/** Returns the fenced blocks of all documents. */
export function listDocBlocks(): (Example & { file: string })[] {
  return testedDocuments.flatMap((file) =>
    listBlocks(readFileSync(join(root, file), "utf8")).map((block) => ({ ...block, file })),
  );
}

/** Returns every statement of the `sh` blocks of all documents. */
export function listDocStatements(): DocStatement[] {
  return listDocBlocks()
    .filter(({ info }) => info === "sh")
    .flatMap(({ file, line, text }) => listStatements(text).map((statement) => ({ file, line, text: statement })));
}

/** Splits a script at the ends of lines that are not within quotes, a here-document or a continued line. */
export function listStatements(script: string): string[] {
  const statements: string[] = [];
  let open: string[] = [];
  let until: string | undefined;
  for (const line of script.split("\n")) {
    open.push(line);
    if (until !== undefined && line.trim() !== until) continue;
    const text = open.join("\n");
    const begun = until === undefined ? /<<-?\s*'?(\w+)'?/.exec(line)?.[1] : undefined;
    // What a here-document holds is no shell.
    const isOpen = until === undefined && (begun !== undefined || line.endsWith("\\") || isInQuotes(text));
    until = begun;
    if (isOpen) continue;
    statements.push(text.trim());
    open = [];
  }
  return [...statements, open.join("\n").trim()].filter((text) => text !== "" && !text.startsWith("#"));
}

/** Returns text in backticks that begins like a command of ours, as it is written. */
export function listInlineCommands(): { file: string; line: number; text: string }[] {
  return testedDocuments.flatMap((file) => {
    let isCode = false;
    return readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((content, index) => {
        if (/^\s*```/.test(content)) isCode = !isCode;
        const found = isCode ? [] : content.matchAll(/`((?:npx gatehouse|gatehouse|npm|node) [^`]*)`/g);
        return [...found].map(([, text = ""]) => ({ file, line: index + 1, text }));
      });
  });
}

/** Within single quotes nothing is special, within double quotes a backslash escapes; a comment ends both. */
function isInQuotes(text: string): boolean {
  let quote: string | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index];
    if (sign === "\\" && quote !== "'") index += 1;
    else if (quote !== undefined) quote = sign === quote ? undefined : quote;
    else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === "#" && /^\s?$/.test(text[index - 1] ?? "")) {
      const end = text.indexOf("\n", index);
      if (end === -1) return false;
      index = end;
    }
  }
  return quote !== undefined;
}
