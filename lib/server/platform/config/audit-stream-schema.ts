import { z } from "zod";
import { name } from "./notification-schema.ts";
import { SecretPlace } from "./secret-place.ts";
import { caFile, httpUrl, webhookFields } from "./webhook-schema.ts";

const common = {
  /** Its place in the log is kept by this name. */
  name,
  /** Where a stream that has no place yet begins. */
  firstSeq: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).default(1),
  caFile,
};

const SyslogStream = z
  .strictObject({
    ...common,
    type: z.literal("syslog"),
    host: z.string().regex(/^[^\s/?#@]{1,253}$/, "say a host name or an address, without scheme and port"),
    port: z.number().int().min(1).max(65_535).default(6514),
    /** The certificate of the recorder, for receivers that ask for one, with its key. */
    certFile: z.string().min(1).optional(),
    key: SecretPlace.optional(),
  })
  .refine(({ certFile, key }) => (certFile === undefined) === (key === undefined), {
    path: ["certFile"],
    message: "certFile and key belong together: say both, or neither",
  });

const OtlpStream = z.strictObject({
  ...common,
  type: z.literal("otlp"),
  /** The address before /v1/logs. */
  url: httpUrl,
  /** Sent as a bearer token. */
  token: SecretPlace.optional(),
});

const WebhookStream = z.strictObject({
  ...common,
  ...webhookFields,
  type: z.literal("webhook"),
  signingSecret: webhookFields.signingSecret.optional(),
});

const SplunkStream = z.strictObject({
  ...common,
  type: z.literal("splunk"),
  /** The address before /services/collector/event. */
  url: httpUrl,
  /** A token of the HTTP Event Collector. */
  token: SecretPlace,
});

const ElasticsearchStream = z.strictObject({
  ...common,
  type: z.literal("elasticsearch"),
  url: httpUrl,
  /** An index or a data stream. */
  index: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,126}$/, "say an index, such as gatehouse-audit: lower-case letters, digits, . _ -"),
  /** An encoded API key. */
  token: SecretPlace.optional(),
});

/** A receiver of all entries of the audit log. */
export const AuditStreamConfig = z.discriminatedUnion("type", [
  SyslogStream,
  OtlpStream,
  WebhookStream,
  SplunkStream,
  ElasticsearchStream,
]);
export type AuditStreamConfig = z.infer<typeof AuditStreamConfig>;
export type SyslogStreamConfig = Extract<AuditStreamConfig, { type: "syslog" }>;
