import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export const agentTransports = ["/mcp", "gatehouse mcp"] as const;
export type AgentTransport = (typeof agentTransports)[number];

export type AgentAnswer = {
  notice: string;
  data: Record<string, unknown>;
  leftOut?: { list: string; count: number }[];
};

export type Agent = {
  client: Client;
  /** Calls a tool. Fails if the tool refuses. */
  call(name: string, input?: Record<string, unknown>): Promise<AgentAnswer>;
  /** Calls a tool that refuses. Returns the code and the detail. */
  refusal(name: string, input?: Record<string, unknown>): Promise<{ code: string; detail: string }>;
};

/** Connects the official client to a Gatehouse at `url`. */
export async function connectAgent({
  over,
  url,
  token,
}: {
  over: AgentTransport;
  url: string;
  token: string;
}): Promise<Agent> {
  const client = new Client({ name: "test-agent", version: "1" });
  await client.connect(
    over === "/mcp"
      ? new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${token}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [join(import.meta.dirname, "../bin/cli.ts"), "mcp"],
          env: { GATEHOUSE_URL: url, GATEHOUSE_TOKEN: token, PATH: process.env.PATH ?? "" },
        }),
  );
  const callTool = (name: string, input: Record<string, unknown> = {}) => client.callTool({ name, arguments: input });
  const textOf = (content: unknown) => JSON.parse((content as { text: string }[])[0]?.text ?? "");
  return {
    client,
    call: async (name, input) => {
      const { isError, structuredContent, content } = await callTool(name, input);
      if (isError === true) throw new Error(`${name} refused: ${JSON.stringify(content)}`);
      return structuredContent as AgentAnswer;
    },
    refusal: async (name, input) => {
      const { isError, content } = await callTool(name, input);
      if (isError !== true) throw new Error(`${name} did not refuse`);
      return textOf(content).data.refused;
    },
  };
}
