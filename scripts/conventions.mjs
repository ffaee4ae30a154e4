// House rules that neither Biome nor dependency-cruiser can express, checked on the text of the files.

/** Removes comments, so that prose may name what code may not use. Strings stay: a pattern in them is our own fault. */
function stripComments(text) {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "))
    .replaceAll(/(^|\s)\/\/.*$/gm, "$1");
}

const isSource = (file) => /\.(ts|tsx|mts|mjs|cjs|js)$/.test(file) && !/^test\/fixtures\//.test(file);
/** Is as long as the OpenAPI document makes it. */
const isGenerated = (file) => /^packages\/[^/]+\/src\/generated\//.test(file);
const isTest = (file) => /\.(test|spec)\.tsx?$/.test(file) || /^(test|e2e)\//.test(file);

export const rules = [
  {
    name: "env-only-in-config",
    // Next replaces these when it builds: the code must contain them literally.
    pattern:
      /process\s*(\?\.|\.)\s*env\b(?!\.(?:NEXT_RUNTIME|GATEHOUSE_BASE_PATH)\b)|process\[["']env["']\]|\{[^}]*\benv\b[^}]*\}\s*from\s*["'](node:)?process["']/,
    applies: (file) =>
      /^(app|components|demo|lib|sandbox)\/|^(instrumentation|proxy)\.ts$/.test(file) &&
      !/^lib\/server\/platform\/config\//.test(file),
    message: "process.env is read only in lib/server/platform/config",
  },
  {
    name: "services-without-response",
    pattern:
      /\bnew\s+(Next)?Response\b|\b(Next)?Response\s*\.\s*(json|redirect|error)\b|:\s*(Promise<)?(Next)?Response\b/,
    applies: (file) => /^lib\/server\/(?!edge\/|people\/auth\/)/.test(file) && !isTest(file),
    message: "a service returns plain values, never a Response",
  },
  {
    name: "columns-of-a-callback",
    pattern: /\.(?:set|doUpdateSet)\(\((?:(?!satisfies Columns<)[^;])*;/,
    applies: (file) => file.startsWith("lib/server/") && !isTest(file),
    message: 'the type check lets an unknown column pass here: end the object with `satisfies Columns<"table">`',
  },
  {
    name: "queries-only-in-db",
    pattern: /\.query\s*[<(]/,
    applies: (file) =>
      /^(app|bin|components|demo|lib)\/|^(instrumentation|proxy)\.ts$/.test(file) &&
      !/^(lib\/server\/platform\/(db|embedded-postgres)|bin\/launcher\/testing)\//.test(file) &&
      !isTest(file),
    message: "SQL runs through Prisma or lib/server/platform/db/run-query.ts, so that the schema checks its columns",
  },
  {
    name: "interface-words",
    pattern: /\b(?:somebody|nobody|told to (?:wait|continue))\b/i,
    applies: (file) => /^(app|components|lib\/client)\//.test(file) && !isTest(file),
    message: "another word on pages (docs/glossary.md)",
  },
  {
    name: "no-session-state",
    // A pooler in transaction mode gives the connection to another client after each transaction.
    pattern:
      /(?:["'`]|^\s*|;\s*)(?:SET\s+(?!LOCAL\b|TRANSACTION\b)[A-Za-z_]+\s*(?:=|TO\b|SESSION\b)|(?:LISTEN|UNLISTEN|DISCARD|PREPARE|DEALLOCATE)\s)|\bpg_(?:try_)?advisory_lock(?:_shared)?\s*\(|\bCREATE\s+(?:TEMP|TEMPORARY)\b|\bWITH HOLD\b|\bset_config\([^)]*,\s*false\s*\)/,
    applies: (file) =>
      /^(app|bin|components|demo|lib)\//.test(file) &&
      !/^lib\/server\/(process\/change-bell|platform\/db\/migrate\/migrate|recording\/retention\/run-retention)\.ts$/.test(
        file,
      ) &&
      !/^lib\/server\/platform\/db\/generated\//.test(file) &&
      !isTest(file),
    message: "state of a database session needs the direct connection: name the file in this rule, or do without",
  },
  {
    name: "errors-by-brand",
    // The language's own classes are the same in every bundle; ours, and those of packages, may not be.
    pattern: /\binstanceof\s+(?!(?:Aggregate|Range|Reference|Syntax|Type|URI|Eval)?Error\b)[\w.]*(?:Error|Exception)\b/,
    applies: (file) =>
      /^(app|bin|components|demo|lib|sandbox)\/|^(instrumentation|proxy)\.ts$/.test(file) && !isTest(file),
    message: "errors are recognised by their brand or code: the build has each class once per bundle",
  },
  {
    name: "errors-by-name",
    pattern: /\bclass\s+(?!\w*Error\b)\w+\s+extends\s+[\w.]*Error\b/,
    applies: (file) => !isTest(file),
    message: "the name of an error class ends in Error",
  },
  {
    name: "no-switched-off-tests",
    pattern: /\b(describe|it|test)(\.\w+)*\.(skip|only|todo|fixme|fails)\b/,
    applies: isTest,
    message: "no test is switched off or run alone",
  },
  {
    name: "replaced-modules-isolated",
    pattern: /\bvi\.(mock|doMock)\(/,
    applies: (file) => !/\.isolated\.integration\.test\.ts$/.test(file),
    message: "test files share their modules: one that replaces a module is named *.isolated.integration.test.ts",
  },
  {
    name: "no-workplace-paths",
    pattern: /["'`(\s](\/home\/\w|\/root\/|\/work\/|\/tmp\/\w)/,
    applies: () => true,
    message: "no absolute path of one machine",
  },
];

const longestFile = 400;

/** Returns the problems of one file as `{ rule, line, message }`. */
export function findProblems({ file, text }) {
  if (!isSource(file) || /^scripts\/conventions(\.test)?\.(mjs|ts)$/.test(file)) return [];
  const lines = stripComments(text).split("\n");
  const problems = rules.flatMap(({ name, pattern, applies, message }) =>
    applies(file)
      ? lines.flatMap((line, index) => (pattern.test(line) ? [{ rule: name, line: index + 1, message }] : []))
      : [],
  );
  const length = text.split("\n").length - 1;
  if (length > longestFile && !isGenerated(file)) {
    problems.push({
      rule: "file-length",
      line: longestFile,
      message: `${length} lines, more than ${longestFile}: split it`,
    });
  }
  return problems;
}
