import { z } from "zod";
import {
  formatElasticsearch,
  formatLines,
  formatOtlpLogs,
  formatSplunk,
  formatSyslog,
  type StreamedEntry,
} from "#lib/domain/audit/format-stream.ts";
import { withoutEndSlashes } from "#lib/server/notify/channels/end-slashes.ts";
import {
  type Answer,
  describeFailure,
  judgeAnswer,
  postJson,
  type SendResult,
} from "#lib/server/notify/channels/post-json.ts";
import { signWebhook } from "#lib/server/notify/channels/post-signed.ts";
import {
  isMissingSecret,
  readOptionalSecret,
  readSigningKey,
  readUrl,
} from "#lib/server/notify/channels/read-secret.ts";
import type { AuditStreamConfig } from "#lib/server/platform/config/audit-stream-schema.ts";
import { parseJson } from "#lib/util/json.ts";
import { sendSyslog } from "./send-syslog.ts";

export type Batch = {
  entries: readonly StreamedEntry[];
  /** Names the sender. */
  publicUrl: string;
  signal: AbortSignal;
};

const defaultTimeoutMs = 15_000;

/** Sends entries to a stream, once. Succeeds only if the receiver took all. Never rejects. */
export async function sendBatch(
  stream: AuditStreamConfig,
  batch: Batch,
  timeoutMs = defaultTimeoutMs,
): Promise<SendResult> {
  try {
    if (stream.type !== "syslog") return await post(stream, batch, timeoutMs);
    const messages = formatSyslog(batch.entries, hostOf(batch.publicUrl));
    await sendSyslog(stream, { messages, timeoutMs, signal: batch.signal });
    return { ok: true };
  } catch (error) {
    if (isMissingSecret(error)) return { ok: false, error: error.message };
    return { ok: false, error: describeFailure(error, timeoutMs) };
  }
}

type HttpStream = Exclude<AuditStreamConfig, { type: "syslog" }>;

async function post(stream: HttpStream, batch: Batch, timeoutMs: number): Promise<SendResult> {
  const token = await readOptionalSecret("token", stream.token);
  const request = await prepareRequest(stream, batch);
  const answer = await postJson({
    ...{ url: request.url, body: request.body, caFile: stream.caFile, timeoutMs, signal: batch.signal },
    maxAnswerBytes: 256 * 1024,
    now: new Date(),
    headers: {
      "content-type": request.contentType,
      ...request.headers,
      ...(token === undefined ? {} : { authorization: `${schemes[stream.type]} ${token}` }),
    },
  });
  const judged = judgeAnswer({ shape: "single" }, answer);
  const refusal = judged.ok ? findRefusal(stream, batch.entries, answer) : undefined;
  return refusal === undefined ? judged : { ok: false, error: refusal };
}

const schemes: Readonly<Record<HttpStream["type"], string>> = {
  otlp: "Bearer",
  webhook: "Bearer",
  splunk: "Splunk",
  elasticsearch: "ApiKey",
};

type Request = { url: string; body: string; contentType: string; headers?: Record<string, string> };

async function prepareRequest(stream: HttpStream, { entries, publicUrl }: Batch): Promise<Request> {
  switch (stream.type) {
    case "otlp": {
      const url = `${withoutEndSlashes(stream.url)}/v1/logs`;
      return { url, body: formatOtlpLogs(entries, publicUrl), contentType: "application/json" };
    }
    case "splunk": {
      const url = `${withoutEndSlashes(stream.url)}/services/collector/event`;
      return { url, body: formatSplunk(entries, hostOf(publicUrl)), contentType: "application/json" };
    }
    case "elasticsearch": {
      const url = `${withoutEndSlashes(stream.url)}/${stream.index}/_bulk?filter_path=errors,items.*.status`;
      return { url, body: formatElasticsearch(entries), contentType: "application/x-ndjson" };
    }
    case "webhook": {
      const body = formatLines(entries);
      const headers = await sign(stream, entries, body);
      return { url: await readUrl(stream), body, headers, contentType: "application/x-ndjson" };
    }
  }
}

async function sign(
  { signingSecret }: Extract<HttpStream, { type: "webhook" }>,
  entries: readonly StreamedEntry[],
  body: string,
): Promise<Record<string, string>> {
  if (signingSecret === undefined) return {};
  const [first, last] = [entries.at(0), entries.at(-1)];
  const id = `${first?.seq}-${last?.seq}-${last?.hash.slice(0, 16)}`;
  return signWebhook({ id, body, key: await readSigningKey({ signingSecret }), now: new Date() });
}

const OtlpAnswer = z.object({
  partialSuccess: z.object({ rejectedLogRecords: z.coerce.number().default(0) }).optional(),
});
const BulkAnswer = z.object({
  errors: z.boolean(),
  items: z.array(z.record(z.string(), z.object({ status: z.number() }))).default([]),
});

/** Says what a receiver refused although it answered 2xx; undefined if it took all entries. */
function findRefusal(stream: HttpStream, entries: readonly StreamedEntry[], answer: Answer): string | undefined {
  if (stream.type === "otlp") {
    const rejected = OtlpAnswer.safeParse(parseJson(answer.body)).data?.partialSuccess?.rejectedLogRecords ?? 0;
    return rejected > 0 ? `rejected ${rejected} of ${entries.length} entries` : undefined;
  }
  if (stream.type !== "elasticsearch") return undefined;
  const bulk = BulkAnswer.safeParse(parseJson(answer.body)).data;
  if (bulk === undefined) return `answered ${answer.status}, but not as Elasticsearch does`;
  if (!bulk.errors) return undefined;
  const statuses = bulk.items.map((item) => Object.values(item)[0]?.status ?? 0);
  // 409: created by an earlier try.
  const at = statuses.findIndex((status) => status !== 409 && (status < 200 || status > 299));
  if (at === -1 && statuses.length === entries.length) return undefined;
  return at === -1 ? "answered for only some of the entries" : `answered ${statuses[at]} for entry ${entries[at]?.seq}`;
}

function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname;
}
