import { parseArgs } from "node:util";
import { parse, stringify } from "yaml";
import { commandHelp, isCommandName } from "../bin/command-help.ts";
import { isActionWord } from "../bin/remote/action-words.ts";

export type Example = { line: number; info: string; text: string };

type Words = readonly string[];

/** Returns the fenced blocks of a document; `info` is the text after the fence, such as `yaml gatehouse`. */
export function listBlocks(document: string): Example[] {
  const blocks: Example[] = [];
  let open: { line: number; info: string; lines: string[] } | undefined;
  for (const [index, content] of document.split("\n").entries()) {
    const fence = /^\s*```(.*)$/.exec(content);
    if (fence === null) open?.lines.push(content);
    else if (open === undefined) open = { line: index + 1, info: (fence[1] ?? "").trim(), lines: [] };
    else {
      blocks.push({ line: open.line, info: open.info, text: open.lines.join("\n") });
      open = undefined;
    }
  }
  return blocks;
}

/** Splits the text of a `sh` block into the words of each simple command, without comments, variables and quotes. */
export function listCommands(script: string): Words[] {
  return script
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, ""))
    .flatMap((line) => line.split(/\s(?:&&|\|\||\||;)\s/))
    .map((line) => (line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) => word.replaceAll(/["']/g, "")))
    .map((words) =>
      words.slice(
        Math.max(
          0,
          words.findIndex((word) => !/^[A-Z_]+=/.test(word)),
        ),
      ),
    )
    .map((words) => words.slice(0, endOfArguments(words)))
    .filter((words) => words.length > 0);
}

/** Returns the arguments of `gatehouse` in a command, or undefined if it is another program. */
export function gatehouseArguments(words: Words): Words | undefined {
  const text = words.join(" ");
  const lead = /^(?:npx gatehouse|gatehouse|npm run gatehouse --|node \S*bin\/cli\.mjs)(?: |$)/.exec(text)?.[0];
  if (lead !== undefined) return words.slice(lead.trim().split(" ").length);
  if (words[0] !== "npm" || words[1] !== "run" || words[2] !== "demo") return undefined;
  return ["demo", ...words.slice(words[3] === "--" ? 4 : 3)];
}

/**
 * Returns why `gatehouse` would reject these arguments, or undefined. With `isPart`, missing arguments are no reason: a
 * sentence names only the part of a command that it is about.
 */
export function judgeArguments([first, ...rest]: Words, isPart = false): string | undefined {
  if (first === undefined) return "no command";
  if (first === "help" || first === "--help") return undefined;
  const isAction = !isCommandName(first) && isActionWord(first);
  const name = isAction ? "act" : first;
  if (!isCommandName(name)) return `unknown command ${first}`;
  const lines: readonly string[] = commandHelp[name].usage;
  const subcommands = lines.map((line) => line.split(" ")[1] ?? "").filter((word) => /^[a-z]+$/.test(word));
  const [subcommand = ""] = rest;
  if (rest.includes("--help")) return undefined;
  const lacksSubcommand = isPart && (subcommand === "" || subcommand.startsWith("--"));
  if (subcommands.length > 0 && name !== "completion" && !subcommands.includes(subcommand) && !lacksSubcommand)
    return `${name} has no ${subcommand === "" ? "form without a subcommand" : subcommand}`;
  const own =
    subcommands.length === 0 || lacksSubcommand ? lines : lines.filter((line) => line.split(" ")[1] === subcommand);
  const usage = own.some((line) => line.includes("the flags of")) ? lines : own;
  try {
    parseArgs({ args: [...rest], options: flagsOf(usage), allowPositionals: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const missing = usage.map((line) => {
    const required = line.replaceAll(/\[[^\]]*\]/g, "").matchAll(/--[a-z-]+/g);
    return [...required].map(([flag]) => flag).filter((flag) => !rest.includes(flag));
  });
  // A command may have several forms.
  if (isPart || missing.some((flags) => flags.length === 0)) return undefined;
  return `${missing[0]?.join(" ")} is missing`;
}

/** Returns the paths of this project that `kubectl -f`, `kubectl -k` and `helm` name; other files are the reader's own. */
export function namedFiles(words: Words): string[] {
  const isNamed = (index: number) =>
    words[0] === "helm" ||
    (words[0] === "kubectl" && /^(?:-f|-k|--filename|--kustomize)$/.test(words[index - 1] ?? ""));
  return words.filter((word, index) => isNamed(index) && /^(?:\.\/)?(?:deploy|docs|sandbox)\//.test(word));
}

/** Returns the missing script of `package.json` or missing file of a command of npm or node, or undefined. */
export function judgeProgram(words: Words, { scripts, exists }: ProjectParts): string | undefined {
  const [program, first = "", name = ""] = words;
  if (program === "npm" && first === "run") return name in scripts ? undefined : `no script ${name}`;
  if (program === "npm") return first === "test" || first === "ci" ? undefined : `npm ${first}`;
  if (program !== "node" || first.startsWith("FOLDER/")) return undefined;
  return exists(first) ? undefined : `no file ${first}`;
}

type ProjectParts = { scripts: Readonly<Record<string, string>>; exists(path: string): boolean };

/**
 * Completes a part of a config to a whole one, as text: documents show only the keys that they are about. Clusters get
 * an address unless the part has `server`, `kubeconfig` or `inCluster`.
 */
export function completeConfig(part: string): string {
  const written = (parse(part) ?? {}) as Record<string, unknown>;
  const clusters = Array.isArray(written.clusters) ? (written.clusters as Record<string, unknown>[]) : [];
  const oidc = {
    issuer: "https://login.example.com",
    clientId: "gatehouse",
    clientSecret: "env:GATEHOUSE_OIDC_SECRET",
  };
  const isReached = (cluster: object) => ["server", "kubeconfig", "inCluster"].some((key) => key in cluster);
  const address = { server: "https://127.0.0.1:6443", tokenFile: "token" };
  const own = written.auth as Record<string, unknown> | undefined;
  return stringify({
    publicUrl: "https://gatehouse.example.com",
    ...written,
    auth: { oidc, ...own },
    clusters: (clusters.length === 0 ? [{ name: "prod-eu" }] : clusters).map((cluster) =>
      isReached(cluster) ? cluster : { ...address, ...cluster },
    ),
  });
}

function endOfArguments(words: Words): number {
  const redirect = words.findIndex((word) => /^\d?[<>]/.test(word));
  return redirect === -1 ? words.length : redirect;
}

function flagsOf(usage: readonly string[]): Record<string, { type: "string" | "boolean"; short?: string }> {
  const flags = usage.flatMap((line) => [...line.matchAll(/--([a-z-]+)( [^\s[\]-])?/g)]);
  return Object.fromEntries(
    flags.map(([, name = "", value]) => {
      const type = value === undefined ? "boolean" : "string";
      return [name, name === "output" ? { type, short: "o" } : { type }] as const;
    }),
  );
}
