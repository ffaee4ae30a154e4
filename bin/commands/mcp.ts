import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { type Ask, pathOf } from "#lib/mcp/ask.ts";
import { createAgentServer } from "#lib/mcp/create-agent-server.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";
import { parseFlags } from "../command-line.ts";
import { connectApi, type RemoteApi } from "../remote/api.ts";

/** Runs `gatehouse mcp`: serves one agent over standard input and output until its input ends. */
export async function runMcp(args: string[]): Promise<number> {
  parseFlags(args, {});
  const ask = askOverHttp(connectApi());
  const ended = new Promise<void>((resolve) => process.stdin.once("close", resolve));
  const server = serveStdio(() => createAgentServer(ask));
  await ended;
  await server.close();
  return 0;
}

function askOverHttp(api: RemoteApi): Ask {
  return async (name, sent) => {
    const path = pathOf(name, sent);
    try {
      const isPost = endpoints[name].method === "POST";
      return { ok: true, value: await (isPost ? api.post(path, sent.body) : api.get(path, sent.query)) };
    } catch (error) {
      if (!isGatehouseError(error)) throw error;
      return { ok: false, refusal: { code: error.code, detail: error.message } };
    }
  };
}
