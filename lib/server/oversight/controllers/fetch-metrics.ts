import { readFile } from "node:fs/promises";
import { Agent, request } from "undici";
import type { Component } from "#lib/domain/controllers/component.ts";
import { createSampleFolder } from "#lib/domain/controllers/fold-samples.ts";
import { createExpositionReader } from "#lib/domain/controllers/read-exposition.ts";
import type { ProbeState, ScrapeAttempt, ScrapeFailure } from "#lib/domain/controllers/scrape-state.ts";
import type { EndpointConfig } from "#lib/server/platform/config/cluster-schema.ts";

/** A controller with 10 000 rollouts answers about 40 MB. */
const maxBytes = 64 * 1024 * 1024;
const maxProbeBytes = 64 * 1024;

type Limits = { timeoutMs: number; maxBytes?: number; signal: AbortSignal };
type Result = ScrapeAttempt["result"];

/**
 * Scrapes the metrics of one component. Never throws: what went wrong is the result. The answer is folded as it arrives,
 * and counts only if it is complete.
 */
export async function fetchMetrics(component: Component, endpoint: EndpointConfig, limits: Limits): Promise<Result> {
  const signal = AbortSignal.any([limits.signal, AbortSignal.timeout(limits.timeoutMs)]);
  return withAgent(
    endpoint,
    (error) => failureOf(error, limits),
    async (dispatcher, headers) => {
      const { statusCode, body } = await request(endpoint.url, {
        dispatcher,
        headers: { accept: "text/plain;version=0.0.4", "accept-encoding": "identity", ...headers },
        headersTimeout: limits.timeoutMs,
        bodyTimeout: limits.timeoutMs,
        signal,
      });
      if (statusCode !== 200) {
        body.on("error", () => {}).destroy();
        return failed(isDenied(statusCode) ? "denied" : "refused", `the endpoint answered ${statusCode}`);
      }
      const folder = createSampleFolder(component);
      const reader = createExpositionReader(folder.isWanted, folder.add);
      const decoder = new TextDecoder();
      let bytes = 0;
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        bytes += chunk.byteLength;
        if (bytes > (limits.maxBytes ?? maxBytes)) {
          body.on("error", () => {}).destroy();
          return failed("too-large", `the answer is larger than ${limits.maxBytes ?? maxBytes} bytes`);
        }
        reader.push(decoder.decode(chunk, { stream: true }));
      }
      reader.push(decoder.decode());
      const trouble = reader.end();
      return trouble === undefined ? { ok: true, folded: folder.end() } : failed(trouble.code, trouble.message);
    },
  );
}

/**
 * Asks a probe. Only an answer of 400 or more counts against the component; if nothing answers there, or the path is
 * not known, it has no probe that could say anything.
 */
export async function askProbe(
  endpoint: EndpointConfig & { probe: string },
  { timeoutMs, signal }: Limits,
): Promise<{ state: ProbeState; message: string | null }> {
  const absent = (message: string) => ({ state: "absent" as const, message });
  const onError = (error: unknown) =>
    isTimeout(error)
      ? { state: "failing" as const, message: "the probe did not answer in time" }
      : absent(causeOf(error));
  return withAgent(endpoint, onError, async (dispatcher, headers) => {
    const { statusCode, body } = await request(endpoint.probe, {
      dispatcher,
      headers: { ...headers },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await body.dump({ limit: maxProbeBytes });
    if (statusCode < 400) return { state: "ok", message: null };
    const message = `the probe answered ${statusCode}`;
    // Says something of the path or of our credentials, not of the component.
    return statusCode === 404 || isDenied(statusCode) ? absent(message) : { state: "failing", message };
  });
}

async function withAgent<R>(
  { caFile, tokenFile }: EndpointConfig,
  onError: (error: unknown) => R,
  use: (dispatcher: Agent, headers: Record<string, string>) => Promise<R>,
): Promise<R> {
  let dispatcher: Agent | undefined;
  try {
    const token = tokenFile === undefined ? undefined : (await readFile(tokenFile, "utf8")).trim();
    dispatcher = new Agent({ connect: caFile === undefined ? {} : { ca: await readFile(caFile, "utf8") } });
    return await use(dispatcher, token === undefined ? {} : { authorization: `Bearer ${token}` });
  } catch (error) {
    return onError(error);
  } finally {
    await dispatcher?.destroy();
  }
}

/** The answer is about our credentials. */
export function isDenied(statusCode: number): boolean {
  return statusCode === 401 || statusCode === 403;
}

export function failed(code: ScrapeFailure, message: string): Result {
  return { ok: false, code, message };
}

/** Says why a request failed without an answer. */
export function failureOf(error: unknown, { timeoutMs }: Pick<Limits, "timeoutMs">): Result {
  if (isTimeout(error)) return failed("timeout", `no complete answer within ${timeoutMs / 1000} s`);
  if (["ENOENT", "EACCES", "EISDIR"].includes(codeOf(error)))
    return failed("credentials", "a file with the token or the certificate could not be read");
  if (codeOf(error) === "UND_ERR_SOCKET") return failed("truncated", "the connection ended before the answer did");
  return failed("unreachable", causeOf(error));
}

function isTimeout(error: unknown): boolean {
  const isAborted = error instanceof Error && error.name === "TimeoutError";
  return (
    isAborted || ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"].includes(codeOf(error))
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Names the cause without its address, which may be nobody's business. */
function causeOf(error: unknown): string {
  const code = codeOf(error);
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: "the connection was refused",
    ENOTFOUND: "the host name is not known",
    EAI_AGAIN: "the host name could not be looked up",
    ECONNRESET: "the connection was reset",
    EHOSTUNREACH: "the host cannot be reached",
  };
  return (
    words[code] ?? (code === "" ? "the endpoint could not be reached" : `the endpoint could not be reached: ${code}`)
  );
}
