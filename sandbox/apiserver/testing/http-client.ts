import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { gunzipSync } from "node:zlib";

export type Target = { url: string; token: string };

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are foreign objects that tests look into.
  body: any;
};

export type Call = {
  method?: string;
  path: string;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: OutgoingHttpHeaders;
  /** Null sends none. */
  token?: string | null;
};

function headersOf(target: Target, call: Call, payload: string | undefined): OutgoingHttpHeaders {
  const token = call.token === undefined ? target.token : call.token;
  return {
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(payload === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(payload) }),
    ...call.headers,
  };
}

/** Sends one request on its own connection. Rejects if the connection breaks. */
export function send(target: Target, call: Call): Promise<Answer> {
  const payload =
    call.body === undefined ? undefined : typeof call.body === "string" ? call.body : JSON.stringify(call.body);
  const options = { method: call.method ?? "GET", headers: headersOf(target, call, payload), agent: false };
  return new Promise((resolve, reject) => {
    const outgoing = request(target.url + call.path, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const raw = Buffer.concat(chunks);
        const text = (incoming.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw).toString("utf8");
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: parse(text) });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(payload);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends a PATCH with the media type of a merge patch, or of a JSON patch for an array. */
export function patch(target: Target, path: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const type = Array.isArray(body) ? "application/json-patch+json" : "application/merge-patch+json";
  return send(target, { method: "PATCH", path, body, headers: { "Content-Type": type, ...headers } });
}

export type OpenWatch = {
  lines: string[];
  // biome-ignore lint/suspicious/noExplicitAny: events carry foreign objects that tests look into.
  events(): any[];
  /** Waits until that many lines have arrived, or fails after 5 s. */
  waitForLines(count: number): Promise<void>;
  /** How the body ended: normally, or cut. */
  ended: Promise<"end" | "cut">;
  close(): void;
};

/** Opens a watch and collects its lines. */
export function openWatch(target: Target, path: string, headers: OutgoingHttpHeaders = {}): Promise<OpenWatch> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    let rest = "";
    const options = { headers: { ...headersOf(target, { path }, undefined), ...headers }, agent: false };
    const outgoing = request(target.url + path, options, (incoming) => {
      incoming.setEncoding("utf8").on("data", (chunk: string) => {
        const parts = (rest + chunk).split("\n");
        rest = parts.pop() ?? "";
        lines.push(...parts);
      });
      const ended = new Promise<"end" | "cut">((settle) => {
        incoming.on("end", () => settle("end"));
        incoming.on("error", () => settle("cut"));
      });
      resolve({
        lines,
        events: () => lines.map((line) => JSON.parse(line)),
        waitForLines: (count) => until(() => lines.length >= count, `${count} lines, there are: ${lines.join("\n")}`),
        ended,
        close: () => outgoing.destroy(),
      });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** Polls until `isTrue`. The limit is for hangs alone. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
