// A separate process that serves the stream, the hooks, /metrics and the analysis engine as the web does, without Next in front.
// The first argument is the port; config, database and secret come from the environment.
import { createServer } from "node:http";
import { pipeline, Readable } from "node:stream";
import { readDemoAccounts } from "#demo/accounts.ts";
import { guardRawRequests } from "#lib/server/edge/http/guard-raw-requests.ts";
import { withRawResponse } from "#lib/server/edge/http/stream-lines.ts";
import { startWebRuntime } from "#lib/server/edge/web/start-web-runtime.ts";
import { readEnvironment } from "#lib/server/platform/config/environment.ts";
import { evaluationWorker } from "#lib/server/platform/config/program-files.ts";
import { setWebRuntime } from "#lib/server/process/web-runtime.ts";
import { POST as assess } from "../../app/api/v1/analysis/assess/route.ts";
import { POST as evaluate } from "../../app/api/v1/analysis/evaluate/route.ts";
import { GET as getStream } from "../../app/api/v1/stream/route.ts";
import { GET as getMetrics } from "../../app/metrics/route.ts";

const runtime = await startWebRuntime({
  environment: readEnvironment(),
  directory: process.cwd(),
  evaluationWorker,
  now: () => new Date(),
  readDemoAccounts,
});
setWebRuntime(runtime);
guardRawRequests();
type Handler = (request: Request, context: { params: Promise<Record<string, never>> }) => Promise<Response>;
const handlers: Readonly<Record<string, Handler>> = {
  "/metrics": getMetrics as Handler,
  "/api/v1/analysis/assess": assess as Handler,
  "/api/v1/analysis/evaluate": evaluate as Handler,
};

createServer((request, response) => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
  const handler = handlers[url.pathname] ?? (getStream as Handler);
  const { method = "GET" } = request;
  const body = method === "POST" ? { body: Readable.toWeb(request) as never, duplex: "half" as const } : {};
  const asked = new Request(url, { method, headers, signal: gone.signal, ...body });
  withRawResponse(response, () => handler(asked, { params: Promise.resolve({}) })).then(
    (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.flushHeaders();
      if (answer.body === null) response.end();
      // A body that breaks off closes the connection, as in Next.
      else pipeline(Readable.fromWeb(answer.body as never), response, () => {});
    },
    () => response.destroy(),
  );
}).listen(Number(process.argv[2]), "127.0.0.1");
