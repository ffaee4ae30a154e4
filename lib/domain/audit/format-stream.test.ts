import { describe, expect, it } from "vitest";
import { parseJson } from "#lib/util/json.ts";
import { splitFrames } from "#test/audit-receivers.ts";
import { type ChainLink, computeLink, emptyChain, verifyChain } from "./audit-chain.ts";
import { formatEntryText } from "./audit-entry.ts";
import {
  formatElasticsearch,
  formatLines,
  formatOtlpLogs,
  formatSplunk,
  formatSyslog,
  type StreamedEntry,
} from "./format-stream.ts";

const time = "2026-11-24T10:15:00.123456Z";

/** Builds a chain of these reasons. */
function chainOf(reasons: readonly string[]): StreamedEntry[] {
  let head = emptyChain;
  return reasons.map((reason, index) => {
    const actor = { type: "user", name: "Zoë" } as const;
    const draft = { actor, source: "gatehouse", code: "action.abort", reason, requestId: "r" } as const;
    const link = computeLink({ head, entry: formatEntryText({ ...draft, seq: index + 1, time }) });
    head = link;
    const columns = { action: "abort", outcome: "applied", actionId: null, cluster: "prod", namespace: "shop" };
    return {
      ...link,
      ...columns,
      time,
      code: "action.abort",
      source: "gatehouse",
      actor: "Zoë",
      kind: null,
      name: null,
    };
  });
}

const hostile = chainOf(["line\nbreak \u2028 and 日本 \u0000", '"] quoted \\ <110>1', "🙂"]);
const linesOf = (text: string) => text.trimEnd().split("\n").map(parseJson) as Record<string, unknown>[];

describe("a stream's formats", () => {
  it("lines can be verified as an export is, whatever the entries have", async () => {
    const text = formatLines(hostile);
    expect(text).toMatch(/^[\n -~]*$/);
    const lines = linesOf(text);
    expect(await verifyChain(lines as unknown as ChainLink[])).toEqual({ ok: true, entries: 3 });
    expect(lines[0]).toEqual({
      ...{ seq: 1, time, previousHash: "0".repeat(64), hash: hostile[0]?.hash, entryHash: hostile[0]?.entryHash },
      ...{ code: "action.abort", source: "gatehouse", action: "abort", outcome: "applied", actor: "Zoë" },
      ...{ cluster: "prod", namespace: "shop", entry: hostile[0]?.entry },
    });
  });

  it("syslog messages have their length in bytes, and one line of JSON", () => {
    const messages = splitFrames(Buffer.from(formatSyslog(hostile, "gatehouse.example.com")));
    expect(messages).toHaveLength(3);
    for (const [index, message] of messages.entries()) {
      const head = `<110>1 ${time} gatehouse.example.com gatehouse - action.abort [meta sequenceId="${index + 1}"] `;
      expect(message.startsWith(head)).toBe(true);
      expect(parseJson(message.slice(head.length))).toMatchObject({ seq: index + 1, hash: hostile[index]?.hash });
    }
  });

  it.each([
    { seq: 2_147_483_647, id: 2_147_483_647 },
    { seq: 2_147_483_648, id: 1 },
  ])("syslog's sequenceId of entry $seq is $id", ({ seq, id }) => {
    const entries = hostile.slice(0, 1).map((each) => ({ ...each, seq, code: `a b${"c".repeat(40)}` }));
    const [message] = splitFrames(Buffer.from(formatSyslog(entries, "h")));
    expect(message).toContain(` a_b${"c".repeat(29)} [meta sequenceId="${id}"] {`);
  });

  it("OTLP records have the entry as their body, and times in nanoseconds", () => {
    const { resourceLogs } = parseJson(formatOtlpLogs(hostile, "https://g.example")) as never as {
      resourceLogs: { scopeLogs: { logRecords: Record<string, unknown>[] }[] }[];
    };
    const records = resourceLogs[0]?.scopeLogs[0]?.logRecords ?? [];
    expect(records).toHaveLength(3);
    expect(records[0]).toMatchObject({
      timeUnixNano: "1795515300123456000",
      eventName: "gatehouse.audit.action.abort",
      body: { stringValue: hostile[0]?.entry },
      attributes: expect.arrayContaining([
        { key: "log.record.uid", value: { stringValue: hostile[0]?.hash } },
        { key: "gatehouse.audit.seq", value: { intValue: "1" } },
        { key: "gatehouse.audit.previous_hash", value: { stringValue: "0".repeat(64) } },
      ]),
    });
  });

  it("Splunk's events and Elasticsearch's documents have the line", () => {
    const [event] = linesOf(formatSplunk(hostile, "g.example"));
    expect(event).toMatchObject({ time: 1795515300.123456, sourcetype: "gatehouse:audit", event: { seq: 1 } });
    const [create, document] = linesOf(formatElasticsearch(hostile));
    expect(create).toEqual({ create: { _id: hostile[0]?.hash } });
    expect(document).toMatchObject({ "@timestamp": time, seq: 1, entry: hostile[0]?.entry });
  });
});
