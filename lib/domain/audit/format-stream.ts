import type { ChainLink } from "./audit-chain.ts";

/** An entry of the log as a stream sends it: the link, and its columns. */
export type StreamedEntry = ChainLink & {
  entry: string;
  /** With microseconds, as in the entry. */
  time: string;
  code: string;
  source: string;
  action: string | null;
  outcome: string | null;
  actionId: string | null;
  actor: string;
  cluster: string | null;
  namespace: string | null;
  kind: string | null;
  name: string | null;
};

/** The columns by name, in the order of a line; absent ones are left out. */
function listFields(streamed: StreamedEntry): Record<string, unknown> {
  const { seq, time, previousHash, hash, entryHash, entry, ...columns } = streamed;
  const present = Object.entries(columns).filter(([, value]) => value !== null);
  return { seq, time, previousHash, hash, entryHash, ...Object.fromEntries(present), entry };
}

/**
 * Formats one line: a line of an export with `time` and the columns, so that collected lines can be verified as an
 * export is. Only ASCII, without line breaks.
 */
function formatLine(streamed: StreamedEntry): string {
  return toAscii(listFields(streamed));
}

function toAscii(value: unknown): string {
  // Syslog would require a byte order mark before other characters, which parsers of JSON refuse.
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Lines, each ended by a line feed. */
export function formatLines(entries: readonly StreamedEntry[]): string {
  return entries.map((each) => `${formatLine(each)}\n`).join("");
}

/** Log audit (13), informational (6). */
const priority = 13 * 8 + 6;
const longestSequenceId = 2_147_483_647;

/** Formats syslog messages (RFC 5424), each after its length in bytes (RFC 5425). `host` names the sender. */
export function formatSyslog(entries: readonly StreamedEntry[], host: string): string {
  return entries
    .map((each) => {
      const id = ((each.seq - 1) % longestSequenceId) + 1;
      const messageId = each.code.replace(/[^!-~]/g, "_").slice(0, 32);
      const message = `<${priority}>1 ${each.time} ${host} gatehouse - ${messageId} [meta sequenceId="${id}"] ${formatLine(each)}`;
      return `${message.length} ${message}`;
    })
    .join("");
}

/** Formats an ExportLogsServiceRequest in the JSON of OTLP. Repeats of an entry have the same `log.record.uid`. */
export function formatOtlpLogs(entries: readonly StreamedEntry[], publicUrl: string): string {
  return JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: [attribute("service.name", "gatehouse"), attribute("gatehouse.url", publicUrl)] },
        scopeLogs: [{ scope: { name: "gatehouse.audit" }, logRecords: entries.map(toLogRecord) }],
      },
    ],
  });
}

function toLogRecord(streamed: StreamedEntry) {
  const { seq, time, entry, ...fields } = listFields(streamed);
  const nanoseconds = `${toMicroseconds(streamed.time)}000`;
  return {
    timeUnixNano: nanoseconds,
    observedTimeUnixNano: nanoseconds,
    severityNumber: 9,
    severityText: "INFO",
    eventName: `gatehouse.audit.${streamed.code}`,
    body: { stringValue: entry },
    attributes: [
      attribute("log.record.uid", streamed.hash),
      { key: "gatehouse.audit.seq", value: { intValue: String(seq) } },
      ...Object.entries(fields).map(([key, value]) => attribute(`gatehouse.audit.${toSnakeCase(key)}`, String(value))),
    ],
  };
}

function attribute(key: string, stringValue: string) {
  return { key, value: { stringValue } };
}

function toSnakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Formats events of Splunk's HTTP Event Collector. */
export function formatSplunk(entries: readonly StreamedEntry[], host: string): string {
  return entries
    .map((each) =>
      toAscii({
        time: Number(toMicroseconds(each.time)) / 1e6,
        ...{ host, source: "gatehouse", sourcetype: "gatehouse:audit" },
        event: listFields(each),
      }),
    )
    .join("\n");
}

/** Formats the body of a bulk request of Elasticsearch: each entry is created once, under its hash. */
export function formatElasticsearch(entries: readonly StreamedEntry[]): string {
  return entries
    .map((each) => {
      const document = toAscii({ "@timestamp": each.time, ...listFields(each) });
      return `${JSON.stringify({ create: { _id: each.hash } })}\n${document}\n`;
    })
    .join("");
}

/** Microseconds since 1970, of a time that may have them. */
function toMicroseconds(time: string): string {
  const fraction = /\.(\d{1,6})/.exec(time)?.[1] ?? "";
  const seconds = Math.floor(Date.parse(time) / 1000);
  return `${seconds}${fraction.padEnd(6, "0")}`;
}
