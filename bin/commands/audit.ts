import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { type ChainLink, verifyChain } from "#lib/domain/audit/audit-chain.ts";
import { type Checkpoint, parseCheckpoint } from "#lib/domain/audit/checkpoint.ts";
import { readAuditLinks, verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { CommandError, parseFlags, UsageError } from "../command-line.ts";
import { withDatabase } from "../with-database.ts";

/** Exit status of a verification that could not read its input: neither ok (0) nor broken (1). */
const cannotRead = 2;

/** Runs `gatehouse audit verify [--file EXPORT] [--checkpoints FILE]` and `gatehouse audit export`. */
export async function runAudit([subcommand, ...args]: string[]): Promise<number> {
  if (subcommand === "verify") return verify(args);
  if (subcommand === "export") return exportChain(args);
  throw new UsageError("usage: gatehouse audit verify [--file EXPORT] [--checkpoints FILE] | export");
}

/** Verifies the database, or only an export; prints `ok N entries` (0) or `broken at SEQ: REASON` (1). */
async function verify(args: string[]): Promise<number> {
  const { file, checkpoints: noted } = parseFlags(args, { file: { type: "string" }, checkpoints: { type: "string" } });
  const checkpoints = noted === undefined ? [] : await readCheckpoints(noted);
  const verdict =
    file === undefined
      ? await withDatabase((pool) => verifyAudit({ client: pool, checkpoints }), cannotRead)
      : await verifyChain(readExport(file), { checkpoints });
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
    for await (const line of createInterface({
      input: createReadStream(file, "utf8"),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
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

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
