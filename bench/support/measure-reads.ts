import type { Pool } from "pg";
import { millisecondsOf, percentile, printFigure } from "./print-figure.ts";
import type { ReadCase } from "./read-cases.ts";
import type { WebProcess } from "./start-gatehouse.ts";

type Options = { web: WebProcess; pool: Pool; rounds: number; page: number; size: string };
type Answer = { ms: number; bytes: number; body: { nextCursor?: string | null } };

/** An answer may take this much longer than the statement, or twice as long as one that takes more than `slowMs`. */
const goal = { moreMs: 15, slowMs: 20, factor: 2 };
/** Rounds that only warm caches and code. */
const unmeasured = 5;

/**
 * Requests every case `rounds` times. Otherwise the first reads are measured while the process still compiles its code,
 * which takes as long as the reads themselves.
 */
export async function warmUp(web: WebProcess, cases: readonly ReadCase[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) for (const { path } of cases) await ask(web, path);
}

/**
 * Measures a read against its SQL statement, and for a long list also a late page against the first. Skips reads whose
 * endpoint or page is missing.
 */
export async function measureRead(options: Options, read: ReadCase): Promise<void> {
  const { web, pool, rounds, size } = options;
  const first = await ask(web, read.path);
  if (first === undefined) {
    process.stderr.write(`  ${read.name}: there is no such endpoint yet\n`);
    return;
  }
  const answers: number[] = [];
  const statements: number[] = [];
  for (let round = 0; round < rounds + unmeasured; round += 1) {
    const answer = await ask(web, read.path);
    const statementMs = await millisecondsOf(() => pool.query(read.sql));
    if (round < unmeasured || answer === undefined) continue;
    answers.push(answer.ms);
    statements.push(statementMs);
  }
  const [value, baseline] = [percentile(answers, 95), percentile(statements, 95)];
  const { mostBytes } = read;
  const fits = mostBytes === undefined || first.bytes <= mostBytes;
  printFigure({
    name: `read-${read.name}`,
    ...compared(value, baseline),
    size: `${size}; p95 of ${rounds}; median ${percentile(answers, 50).toFixed(1)} of ${percentile(statements, 50).toFixed(1)} ms; ${first.bytes} bytes`,
    goal: `at most ${limitOf(baseline).toFixed(1)} ms${mostBytes === undefined ? "" : `, ${mostBytes} bytes`}`,
    ok: value <= limitOf(baseline) && fits,
  });
  if (read.deep !== undefined) await measureDepth(options, read, read.deep);
}

async function measureDepth(options: Options, read: ReadCase, { limit }: { limit: number }): Promise<void> {
  const { web, rounds, page, size } = options;
  const path = withQuery(read.path, { limit: String(limit) });
  const cursor = await findCursor(web, read.path, limit * (page - 1));
  if (cursor === undefined) {
    process.stderr.write(`  ${read.name}: has no page ${page} of ${limit}\n`);
    return;
  }
  const late: number[] = [];
  const early: number[] = [];
  for (let round = 0; round < rounds + unmeasured; round += 1) {
    const [one, other] = [await ask(web, withQuery(path, { cursor })), await ask(web, path)];
    if (round < unmeasured || one === undefined || other === undefined) continue;
    late.push(one.ms);
    early.push(other.ms);
  }
  const [value, baseline] = [percentile(late, 50), percentile(early, 50)];
  printFigure({
    name: `read-${read.name}-page-${page}`,
    ...compared(value, baseline),
    size: `${size}; median of ${rounds}; pages of ${limit}; baseline: page 1`,
    goal: "at most 1.5 times page 1, or 5 ms more",
    ok: value <= Math.max(baseline * 1.5, baseline + 5),
  });
}

function compared(value: number, baseline: number) {
  return { value, unit: "ms", baseline, ratio: value / baseline };
}

function limitOf(baseline: number): number {
  return baseline > goal.slowMs ? baseline * goal.factor : baseline + goal.moreMs;
}

/** Pages through the list to a row, in large pages; undefined if the list ends before. */
async function findCursor(web: WebProcess, path: string, rows: number): Promise<string | undefined> {
  const largest = 200;
  let cursor: string | undefined;
  for (let left = rows; left > 0; left -= largest) {
    const query = { limit: String(Math.min(left, largest)), ...(cursor === undefined ? {} : { cursor }) };
    const answer = await ask(web, withQuery(path, query));
    cursor = answer?.body.nextCursor ?? undefined;
    if (cursor === undefined) return undefined;
  }
  return cursor;
}

/** Asks the API as a program does; undefined for an endpoint that does not exist. */
async function ask(web: WebProcess, path: string): Promise<Answer | undefined> {
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${web.port}${path}`, {
    headers: { authorization: `Bearer ${web.token}` },
  });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${text.slice(0, 300)}`);
  return { ms, bytes: Buffer.byteLength(text), body: JSON.parse(text) };
}

function withQuery(path: string, params: Record<string, string>): string {
  const url = new URL(path, "http://localhost");
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return `${url.pathname}${url.search}`;
}
