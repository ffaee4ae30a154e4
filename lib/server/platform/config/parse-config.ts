import { isMap, isScalar, LineCounter, type Node, type Pair, parseDocument } from "yaml";
import { type ZodError, z } from "zod";
import { Config } from "#lib/server/platform/config/config-schema.ts";
import { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import { hasBrand } from "#lib/util/has-brand.ts";

export type ConfigProblem = { line: number; column: number; path: string; message: string };

/** Missing, unreadable and invalid are different states. */
export type ConfigFault = "missing" | "unreadable" | "invalid";

/** The config is unusable. `problems` has every position; the message has the first as `file:line:column: text`. */
export class ConfigError extends Error {
  readonly brand = "config-error";
  readonly problems: ConfigProblem[];
  readonly fault: ConfigFault;

  constructor(file: string, problems: ConfigProblem[], fault: ConfigFault = "invalid") {
    const [first] = problems;
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    super(
      first === undefined
        ? `${file}: not usable`
        : `${file}:${first.line}:${first.column}: ${first.path === "" ? "" : `${first.path}: `}${first.message}${more}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
    this.fault = fault;
  }
}

export function isConfigError(error: unknown): error is ConfigError {
  return hasBrand(error, "config-error");
}

/** Parses and validates the whole YAML config. Throws `ConfigError` with every problem, its line and column. */
export function parseConfig({ file, text }: { file: string; text: string }): Config {
  return parseYaml({ file, text, schema: Config });
}

/** The same for a text that has only policies, with or without the key `policies` above them. */
export function parsePolicies(text: string): PolicyConfig {
  const file = "rules";
  return /^policies:/m.test(text)
    ? parseYaml({ file, text, schema: z.strictObject({ policies: PolicyConfig }) }).policies
    : parseYaml({ file, text, schema: PolicyConfig });
}

function parseYaml<Value>({ file, text, schema }: { file: string; text: string; schema: z.ZodType<Value> }): Value {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  if (document.errors.length > 0) {
    throw new ConfigError(
      file,
      document.errors.map((error) => {
        const at = lines.linePos(error.pos[0]);
        return { line: at.line, column: at.col, path: "", message: error.message.split("\n")[0] ?? "not YAML" };
      }),
    );
  }
  const result = schema.safeParse(document.toJS() ?? {});
  if (result.success) return result.data;
  throw new ConfigError(file, locateIssues({ error: result.error, root: document.contents, lines }));
}

/** Returns line and column of a config path, or of its deepest part that exists in the text. */
export function locatePath({ text, path }: { text: string; path: readonly string[] }): {
  line: number;
  column: number;
} {
  const lines = new LineCounter();
  const { line, col } = lines.linePos(offsetOf(parseDocument(text, { lineCounter: lines }).contents, path));
  return { line, column: col };
}

function locateIssues({
  error,
  root,
  lines,
}: {
  error: ZodError;
  root: Node | null;
  lines: LineCounter;
}): ConfigProblem[] {
  const place = (path: readonly PropertyKey[], message: string): ConfigProblem => {
    const keys = path.map(String);
    const at = lines.linePos(offsetOf(root, keys));
    return { line: at.line, column: at.col, path: keys.join("."), message };
  };
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => place([...issue.path, key], unknownKey))
      : [place(issue.path, issue.message)],
  );
}

const unknownKey = "unknown key: remove or rename it (docs/configuration.md lists all keys)";

/** Returns the offset of the node at `path`, or of its deepest part that exists in the file. */
function offsetOf(root: Node | null, path: readonly string[]): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const key of path) {
    const pair: Pair | undefined = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
      : undefined;
    const keyNode = pair?.key as Node | undefined;
    node =
      pair?.value ??
      (typeof node === "object" && node !== null && "get" in node
        ? (node as { get(key: number, keep: true): unknown }).get(Number(key), true)
        : undefined);
    const range = (keyNode ?? (node as Node | undefined))?.range;
    if (range === undefined || range === null) return offset;
    offset = range[0];
  }
  return offset;
}
