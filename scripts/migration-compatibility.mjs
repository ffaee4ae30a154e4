// Finds what would break the previous release in migrations that are newer than it: its web and recorder run for a
// while with the new schema (docs/operations.md). Plain text rules: they know the statements that migrations are made of.

/**
 * What breaks nothing although a rule says so; each with the reason. `statement` is a part of the statement.
 * @type {{ migration: string, statement: string, reason: string }[]}
 */
export const allowedBreaks = [];

const word = String.raw`(?:ONLY\s+)?(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:"?public"?\.)?"?(\w+)"?`;
const pattern = (text) => new RegExp(text.replace("NAME", word), "i");
const alterTable = pattern(String.raw`\bALTER\s+TABLE\s+NAME\s+([\s\S]*)$`);

/** Rules over one action of ALTER TABLE on a table that the release has. */
const tableRules = [
  { test: /^DROP\s+(?!DEFAULT)/i, why: "drops what the release uses" },
  { test: /^RENAME\b/i, why: "renames what the release uses" },
  { test: /^ALTER\s+(COLUMN\s+)?"?\w+"?\s+(SET\s+DATA\s+)?TYPE\b/i, why: "changes the type of a column" },
  { test: /^ALTER\s+(COLUMN\s+)?"?\w+"?\s+SET\s+NOT\s+NULL/i, why: "refuses rows that the release writes without it" },
  { test: /^ALTER\s+(COLUMN\s+)?"?\w+"?\s+DROP\s+DEFAULT/i, why: "drops a default that the release relies on" },
  {
    test: /^ADD\s+(COLUMN\s+)?(IF\s+NOT\s+EXISTS\s+)?(?!CONSTRAINT\b)"?\w+"?(?=[\s\S]*NOT\s+NULL)(?![\s\S]*\b(DEFAULT|GENERATED)\b)/i,
    why: "adds a column that the release does not fill: give it a default",
  },
  {
    test: /^ADD\s+(CONSTRAINT\b|CHECK\b|UNIQUE\b|PRIMARY\b|FOREIGN\b|EXCLUDE\b)/i,
    why: "adds a constraint that rows of the release may not meet",
  },
  { test: /^(ENABLE|FORCE)\s+ROW\b/i, why: "hides rows from the release" },
];

/** Rules over whole statements; `name` of the match must be something that the release has, unless the rule is `always`. */
const statementRules = [
  { test: pattern(String.raw`^DROP\s+TABLE\s+NAME`), why: "drops what the release uses" },
  {
    test: /^DROP\s+(VIEW|MATERIALIZED|TYPE|SCHEMA|DOMAIN|SEQUENCE|EXTENSION|ROLE)\b/i,
    why: "drops what the release may use",
    always: true,
  },
  { test: pattern(String.raw`^DROP\s+(?:FUNCTION|PROCEDURE)\s+NAME`), why: "drops what the release calls" },
  {
    test: pattern(String.raw`^CREATE\s+OR\s+REPLACE\s+(?:FUNCTION|PROCEDURE)\s+NAME`),
    why: "changes what the release calls",
  },
  {
    test: pattern(String.raw`^DROP\s+INDEX\s+(?:CONCURRENTLY\s+)?NAME`),
    why: "drops an index that ON CONFLICT of the release names",
  },
  {
    test: /^ALTER\s+(TYPE|DOMAIN|FUNCTION|VIEW|SCHEMA|SEQUENCE|INDEX)\b/i,
    why: "changes what the release may use",
    always: true,
  },
  {
    test: /^CREATE\s+UNIQUE\s+INDEX\b[\s\S]*?\bON\s+(?:ONLY\s+)?"?(\w+)"?/i,
    why: "makes unique what the release may write twice",
  },
  {
    test: /^CREATE\s+(?:CONSTRAINT\s+)?TRIGGER\b[\s\S]*?\bON\s+"?(\w+)"?/i,
    why: "runs within the statements of the release",
  },
  { test: /^REVOKE\b[\s\S]*?\bON\s+(?:TABLE\s+)?"?(\w+)"?/i, why: "takes a right that the release needs" },
  { test: pattern(String.raw`^TRUNCATE\s+(?:TABLE\s+)?NAME`), why: "deletes rows of the release" },
  { test: pattern(String.raw`^DELETE\s+FROM\s+NAME`), why: "deletes rows of the release" },
];

/**
 * Returns one line for each statement of `newer` that breaks programs of a release whose migrations are `released`.
 * @param {{ released: { name: string, sql: string }[], newer: { name: string, sql: string }[], allowed?: typeof allowedBreaks }} input
 */
export function findBreaks({ released, newer, allowed = [] }) {
  const owned = new Set(released.flatMap(({ sql }) => splitStatements(sql).flatMap(listCreated)));
  const used = new Set();
  const lines = [];
  for (const { name, sql } of newer)
    for (const statement of splitStatements(sql))
      for (const why of judge(statement, owned)) {
        const entry = allowed.find((one) => one.migration === name && statement.includes(one.statement));
        if (entry === undefined) lines.push(`${name}: ${statement.slice(0, 100)}: ${why}`);
        else used.add(entry);
      }
  for (const entry of allowed) {
    if (entry.reason.trim() === "")
      lines.push(`${entry.migration}: the exception for ${entry.statement} has no reason`);
    if (!used.has(entry)) lines.push(`${entry.migration}: the exception for ${entry.statement} is of no use`);
  }
  return lines;
}

function judge(statement, owned) {
  const altered = alterTable.exec(statement);
  if (altered !== null) {
    if (!owned.has(altered[1])) return [];
    const actions = splitActions(altered[2]);
    return actions.flatMap((action) => tableRules.filter(({ test }) => test.test(action)).map(({ why }) => why));
  }
  return statementRules
    .filter(({ test, always }) => {
      const found = test.exec(statement);
      return found !== null && (always === true || owned.has(found[1]));
    })
    .map(({ why }) => why);
}

/** The tables, unique indexes and functions that a statement creates. */
function listCreated(statement) {
  const made =
    pattern(String.raw`^CREATE\s+(?:UNLOGGED\s+)?TABLE\s+NAME`).exec(statement) ??
    pattern(String.raw`^CREATE\s+UNIQUE\s+INDEX\s+NAME`).exec(statement) ??
    pattern(String.raw`^CREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|PROCEDURE)\s+NAME`).exec(statement);
  return made === null ? [] : [made[1]];
}

/** Statements without comments; those of a DO block too, but not the body of a function, which is not run. */
function splitStatements(sql) {
  const bodies = [];
  const text = sql
    .replace(/--[^\n]*/g, "")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(\$\w*\$)([\s\S]*?)\1/g, (_, __, body) => `$${bodies.push(body) - 1}$`);
  return text.split(";").flatMap((part) => {
    const statement = part.trim().replace(/\s+/g, " ");
    const body = /^DO\b[\s\S]*\$(\d+)\$/i.exec(statement);
    if (body === null) return statement === "" ? [] : [statement];
    return splitStatements(bodies[Number(body[1])]).flatMap(withoutBranches);
  });
}

/** In a block, a statement may follow IF ... THEN, BEGIN, ELSE or LOOP. */
function withoutBranches(statement) {
  const rest = statement.replace(/^[\s\S]*\b(?:BEGIN|THEN|ELSE|LOOP)\b\s+/i, "");
  const executed = /^EXECUTE\s+(?:format\s*\(\s*)?'([\s\S]*)'/i.exec(rest);
  return executed === null ? [rest] : [executed[1]];
}

/** The actions of one ALTER TABLE are separated by commas outside of parentheses. */
function splitActions(text) {
  let depth = 0;
  const actions = [""];
  for (const sign of text) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (sign === "," && depth === 0) actions.push("");
    else actions[actions.length - 1] += sign;
  }
  return actions.map((action) => action.trim());
}
