import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** Ids in hexadecimal; times in milliseconds since 1970. */
export type ReceivedSpan = {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  startAt: number;
  endAt: number;
  attributes: Record<string, string | number>;
  /** Ids of the spans that it refers to. */
  links: string[];
  hasFailed: boolean;
};

export type TraceReceiver = {
  url: string;
  spans: ReceivedSpan[];
  requests: { path: string; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
};

/** Starts a receiver of traces on loopback, as a collector of OpenTelemetry is one: OTLP by HTTP, in protobuf. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: TraceReceiver["requests"] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ path: request.url ?? "", headers: request.headers });
    spans.push(...readSpans(Buffer.concat(chunks)));
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Reads an ExportTraceServiceRequest: resources, their scopes, their spans. */
function readSpans(body: Buffer): ReceivedSpan[] {
  return messagesAt(decode(body), 1).flatMap((group) => {
    const [resource = new Map()] = messagesAt(group, 1);
    const service = String(attributesAt(resource, 1)["service.name"]);
    return messagesAt(group, 2).flatMap((scope) => messagesAt(scope, 2).map((span) => readSpan(span, service)));
  });
}

function readSpan(span: Message, service: string): ReceivedSpan {
  const [status = new Map()] = messagesAt(span, 15);
  return {
    service,
    traceId: bytesAt(span, 1).toString("hex"),
    spanId: bytesAt(span, 2).toString("hex"),
    parentId: bytesAt(span, 4).toString("hex"),
    name: bytesAt(span, 5).toString(),
    startAt: Number(numberAt(span, 7)) / 1e6,
    endAt: Number(numberAt(span, 8)) / 1e6,
    attributes: attributesAt(span, 9),
    links: messagesAt(span, 13).map((link) => bytesAt(link, 2).toString("hex")),
    hasFailed: numberAt(status, 3) === 2n,
  };
}

function attributesAt(message: Message, field: number): ReceivedSpan["attributes"] {
  const pairs = messagesAt(message, field).map((pair) => {
    const [value = new Map()] = messagesAt(pair, 2);
    return [bytesAt(pair, 1).toString(), value.has(1) ? bytesAt(value, 1).toString() : Number(numberAt(value, 3))];
  });
  return Object.fromEntries(pairs);
}

/** A message in protobuf: the values of each field. */
type Message = Map<number, (Buffer | bigint)[]>;

const messagesAt = (message: Message, field: number): Message[] =>
  (message.get(field) ?? []).map((value) => decode(value as Buffer));
const bytesAt = (message: Message, field: number): Buffer => (message.get(field)?.[0] as Buffer) ?? Buffer.alloc(0);
const numberAt = (message: Message, field: number): bigint => (message.get(field)?.[0] as bigint) ?? 0n;

function decode(bytes: Buffer): Message {
  const message: Message = new Map();
  let at = 0;
  const readVarint = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const readValue = (type: number): Buffer | bigint => {
    if (type === 0) return readVarint();
    const length = type === 1 ? 8 : type === 5 ? 4 : Number(readVarint());
    at += length;
    if (type === 1) return bytes.readBigUInt64LE(at - length);
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(readVarint());
    message.set(tag >> 3, [...(message.get(tag >> 3) ?? []), readValue(tag & 7)]);
  }
  return message;
}
