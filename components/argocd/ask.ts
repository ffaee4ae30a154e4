import { type Application, pageOfArgoCd } from "#components/argocd/argo-cd.ts";

/** A failure in a sentence, with the remedy in another. */
export class AskError extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** By its remedy: no other error has one. */
export function isAskError(error: unknown): error is AskError {
  return typeof error === "object" && error !== null && "remedy" in error;
}

const timeoutMs = 20_000;

/** Returns the address of Gatehouse for links; undefined if it is not set or no http address. */
export function findGatehouse(): string | undefined {
  const given = pageOfArgoCd().GATEHOUSE_VARS?.URL;
  if (typeof given !== "string" || !URL.canParse(given)) return undefined;
  const { protocol, origin, pathname } = new URL(given);
  return /^https?:$/.test(protocol)
    ? `${origin}${pathname.endsWith("/") ? pathname.slice(0, -1) : pathname}`
    : undefined;
}

/** Returns the address of one of Gatehouse's pages. */
export function gatehouseHref(path: string): string {
  return `${findGatehouse()}${path}`;
}

/**
 * Reads from Gatehouse through Argo CD's proxy, which keeps the path of a request: a path of Gatehouse's address has to
 * come before that of the API. `Answer` is the contract's type. Throws an AskError.
 */
export async function askGatehouse<Answer>(application: Application, path: string, signal: AbortSignal) {
  const gatehouse = findGatehouse();
  if (gatehouse === undefined)
    throw new AskError("The address of Gatehouse is not set.", "Set URL in GATEHOUSE_VARS, such as https://…");
  const { metadata, spec } = application;
  const headers = {
    accept: "application/json",
    "Argocd-Application-Name": `${metadata.namespace}:${metadata.name}`,
    "Argocd-Project-Name": spec.project,
  };
  const response = await request(`extensions/gatehouse${new URL(gatehouse).pathname.replace(/\/$/, "")}${path}`, {
    headers,
    signal,
  });
  const body = await readJson(response);
  if (response.ok && body !== undefined) return body as Answer;
  throw isProblem(body) ? judgeProblem(body) : judgeProxy(response.status);
}

/** Reads from Argo CD itself, as its person. Throws an AskError. */
export async function askArgoCd<Answer>(path: string, signal: AbortSignal) {
  const response = await request(path, { headers: { accept: "application/json" }, signal });
  const body = await readJson(response);
  if (response.ok && body !== undefined) return body as Answer;
  throw new AskError(`Argo CD did not answer (${response.status}).`, "Reload the page, or sign in again.");
}

async function request(path: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) {
  // Argo CD may be served below a path, which the document's base names.
  const url = new URL(path, document.baseURI);
  const timeout = AbortSignal.timeout(timeoutMs);
  const abort = new AbortController();
  for (const one of [signal, timeout]) one.addEventListener("abort", () => abort.abort(one.reason));
  try {
    return await fetch(url, { headers, signal: abort.signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new AskError("Argo CD cannot be reached.", "It is read again in 30 s.");
  }
}

/** Argo CD answers for its proxy in plain text, and a page for a path that it does not have. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text());
  } catch {
    return undefined;
  }
}

type Problem = { code: string; detail?: unknown };
const isProblem = (body: unknown): body is Problem =>
  typeof body === "object" && body !== null && "code" in body && typeof body.code === "string";

/** Of a problem that Gatehouse answered. */
function judgeProblem({ code, detail }: Problem): AskError {
  if (code === "unauthenticated")
    return new AskError(
      "Gatehouse does not accept the proxy's token: it is missing, expired or revoked.",
      "Put a valid one, after “Bearer ”, into the secret that extension.config names.",
    );
  if (code === "forbidden" || code === "not_found")
    return new AskError("The proxy's token may not read this.", "Bind its robot to the namespace in Gatehouse.");
  return new AskError(`Gatehouse refused: ${typeof detail === "string" ? detail : code}`, "It is read again in 30 s.");
}

/** Of an answer by Argo CD's proxy, or by Argo CD if it has none. */
function judgeProxy(status: number): AskError {
  const failed = `Argo CD's proxy answered ${status}.`;
  if (status === 401 || status === 403)
    return new AskError(
      "Argo CD does not let you use the extension.",
      "Sign in again, or ask for the right: p, role:…, extensions, invoke, gatehouse, allow",
    );
  if (status === 404)
    return new AskError(failed, "Add the extension gatehouse to extension.config in the ConfigMap argocd-cm.");
  if (status >= 502) return new AskError(failed, "Check that argocd-server can reach the address in extension.config.");
  if (status < 300)
    return new AskError(
      "Argo CD has no proxy for extensions.",
      "Set server.enable.proxy.extension to true in the ConfigMap argocd-cmd-params-cm, and restart argocd-server.",
    );
  return new AskError(failed, "Check extension.config in the ConfigMap argocd-cm.");
}
