import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { AuditItem } from "#lib/contract/audit.ts";
import { type ChainLink, type Checkpoint, parseCheckpoint, verifyChain } from "#lib/domain/audit/audit-chain.ts";
import { readAuditLinks, verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { parseJson } from "#lib/util/json.ts";
import { CommandError, parseFlags, parseInteger, UsageError } from "../command-line.ts";
import { programName } from "../program-name.ts";
import { withApi } from "../remote/api.ts";
import { formatAnswer, formatTable, parseOutput } from "../remote/format.ts";
import { readAll } from "../remote/rollouts.ts";
import { withDatabase } from "../with-database.ts";

/** Exit status of a verification that could not read its input: neither ok (0) nor broken (1). */
const cannotRead = 2;

/** Runs `gatehouse audit verify [--file EXPORT] [--checkpoints FILE]`, `gatehouse audit export` and `gatehouse audit list`. */
export async function runAudit([subcommand, ...args]: string[]): Promise<number> {
  if (subcommand === "verify") return verify(args);
  if (subcommand === "export") return exportChain(args);
  if (subcommand === "list") return list(args);
  throw new UsageError(`usage: ${programName} audit verify [--file EXPORT] [--checkpoints FILE] | export | list`);
}

/** Verifies the database, or only an export; prints `ok N entries` (0) or `broken at SEQ: REASON` (1). */
async function verify(args: string[]): Promise<number> {
  const { file, checkpoints: noted } = parseFlags(args, { file: { type: "string" }, checkpoints: { type: "string" } });
  const checkpoints = noted === undefined ? [] : await readCheckpoints(noted);
  const verdict =
    file === undefined
      ? await withDatabase((pool) => verifyAudit({ client: pool, checkpoints }), { exitStatus: cannotRead })
      : await verifyChain(readExport(file), { checkpoints });
  if (file !== undefined && verdict.ok && verdict.entries === 0)
    throw new CommandError(`${file}: no entries: there is nothing to verify; export again`, cannotRead);
  process.stdout.write(
    verdict.ok ? `ok ${verdict.entries} entries\n` : `broken at ${verdict.brokenAt}: ${verdict.reason}\n`,
  );
  return verdict.ok ? 0 : 1;
}

async function exportChain(args: string[]): Promise<number> {
  parseFlags(args, {});
  await withDatabase(async (pool) => {
    for await (const { seq, previousHash, hash, entryHash, entry } of readAuditLinks(pool)) {
      const line = `${JSON.stringify({ seq, previousHash, hash, entryHash, entry })}\n`;
      if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
  });
  return 0;
}

/** Lists entries through the API, the newest first: those that the owner of the token may see. */
async function list(args: string[]): Promise<number> {
  const flags = parseFlags(args, {
    namespace: { type: "string" },
    name: { type: "string" },
    actor: { type: "string" },
    action: { type: "string" },
    query: { type: "string" },
    limit: { type: "string" },
    output: { type: "string", short: "o" },
  });
  const { output: asked, query: q, limit: most, ...filters } = flags;
  const output = parseOutput(asked);
  const limit = parseInteger({ flag: "--limit", text: most, fallback: 50, min: 1, max: 10_000 });
  return withApi(async (api) => {
    const entries = await readAll<AuditItem>(api, "/api/v1/audit", { ...filters, q }, limit);
    const rows = entries.map(({ seq, time, sentence, reason }) => [String(seq), time, sentence, reason ?? "-"]);
    const table = () => (rows.length === 0 ? "no entries\n" : formatTable(["ENTRY", "TIME", "WHAT", "REASON"], rows));
    process.stdout.write(output === "table" ? table() : formatAnswer(entries, output));
    return 0;
  });
}

async function readCheckpoints(file: string): Promise<Checkpoint[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file}: ${error.message}`, cannotRead);
  });
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const checkpoint = parseCheckpoint(line);
    if (checkpoint === undefined) throw new CommandError(`${file}:${index + 1}: not a checkpoint`, cannotRead);
    return [checkpoint];
  });
}

const ExportLine = z.object({
  seq: z.number().int(),
  previousHash: z.string(),
  hash: z.string(),
  entryHash: z.string(),
  entry: z.string().optional(),
});

async function* readExport(file: string): AsyncGenerator<ChainLink> {
  let lineNumber = 0;
  try {
    for await (const line of readFileLines(file)) {
      lineNumber += 1;
      if (line.trim() !== "") yield parseLine(line);
    }
  } catch (error) {
    const where = lineNumber === 0 ? file : `${file}:${lineNumber}`;
    throw new CommandError(`${where}: ${error instanceof Error ? error.message : String(error)}`, cannotRead);
  }
}

function parseLine(line: string): ChainLink {
  const parsed = ExportLine.safeParse(parseJson(line));
  if (parsed.success) return parsed.data;
  throw new Error("not a line of an audit export");
}

/**
 * Reads the lines of a UTF-8 file, without their ends. Only a line feed ends a line: `node:readline` also splits at
 * U+2028 and U+2029, which JSON may contain as they are.
 */
export async function* readFileLines(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
