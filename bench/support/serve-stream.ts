// A process of its own that serves GET /api/v1/stream and /metrics as the web does, without Next in front. The first argument is the
// port; config, database and secret come from the environment.
import { createServer } from "node:http";
import { pipeline, Readable } from "node:stream";
import { readEnvironment } from "#lib/server/config/environment.ts";
import { withRawResponse } from "#lib/server/http/raw-response.ts";
import { startWebRuntime } from "#lib/server/runtime/start-web-runtime.ts";
import { setWebRuntime } from "#lib/server/runtime/web-runtime.ts";
import { GET as getStream } from "../../app/api/v1/stream/route.ts";
import { GET as getMetrics } from "../../app/metrics/route.ts";

const runtime = await startWebRuntime({
  environment: readEnvironment(),
  directory: process.cwd(),
  now: () => new Date(),
});
setWebRuntime(runtime);
createServer((request, response) => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
  const get = url.pathname === "/metrics" ? getMetrics : getStream;
  withRawResponse(response, () => get(new Request(url, { headers, signal: gone.signal }))).then(
    (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.flushHeaders();
      if (answer.body === null) response.end();
      // A body that breaks off takes the connection along, as in Next.
      else pipeline(Readable.fromWeb(answer.body as never), response, () => {});
    },
    () => response.destroy(),
  );
}).listen(Number(process.argv[2]), "127.0.0.1");
