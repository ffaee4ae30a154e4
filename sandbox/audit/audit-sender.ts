/** Sends audit events to a webhook in batches, as the API server does: later, and never in the way of a request. */
export type AuditSender = { add(event: unknown): void; close(): Promise<void> };

/** As the lab's API server is set; the default of a real one is 30 s. */
const BATCH_EVERY_MS = 500;
const BATCH_SIZE = 400;
const BUFFER_SIZE = 10_000;
const ANSWER_WITHIN_MS = 5000;
const RETRY_MS = 2000;

/**
 * Starts the sender. `webhookUrl` is called before each batch: `http://name:secret@host:port/path`, or undefined until
 * a webhook exists. A real API server sends credentials only to https; here everything is on one machine. A batch that
 * is refused or not answered is sent again; when the buffer is full, the oldest events are dropped.
 */
export function startAuditSender({
  webhookUrl,
  log,
}: {
  webhookUrl: () => string | undefined;
  log: (line: string) => void;
}): AuditSender {
  const waiting: unknown[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isFailing = false;

  async function send(): Promise<void> {
    timer = undefined;
    const url = webhookUrl();
    const batch = waiting.slice(0, BATCH_SIZE);
    const error = url === undefined ? "no webhook yet" : await post(url, batch);
    if (error === undefined) waiting.splice(0, batch.length);
    else if (!isFailing && url !== undefined) log(`audit events were not taken: ${error}`);
    isFailing = error !== undefined;
    if (waiting.length > 0) schedule(isFailing ? RETRY_MS : 0);
  }

  function schedule(afterMs: number): void {
    if (isClosed) return;
    timer ??= setTimeout(() => void send(), afterMs);
  }

  return {
    add(event) {
      if (waiting.length >= BUFFER_SIZE) waiting.shift();
      waiting.push(event);
      schedule(BATCH_EVERY_MS);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Returns why the batch was not taken; undefined if it was. */
async function post(webhookUrl: string, items: readonly unknown[]): Promise<string | undefined> {
  const url = new URL(webhookUrl);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  [url.username, url.password] = ["", ""];
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "user-agent": "kube-apiserver-admission",
        "content-type": "application/json",
        authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
      },
      body: JSON.stringify({ kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {}, items }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
