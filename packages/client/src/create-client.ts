import { type Operations, operations, streamTypes } from "./generated/operations.ts";
import { type CallOptions, type ClientOptions, createSender, type Query, type Sender } from "./send.ts";

type Name = keyof Operations;
/** What an operation takes: `path`, `query`, `body` and `header`, those that it has. */
export type Input<Operation extends Name> = Omit<Operations[Operation], "answer"> & CallOptions;
/** What it answers: the parsed JSON, or the `Response` if it is a stream or a table. */
export type Answer<Operation extends Name> = Operations[Operation]["answer"];

/** Every operation of the OpenAPI document as a function of its name. Each throws a `GatehouseError` if it fails. */
export type Client = {
  readonly [Operation in Name]: Record<never, never> extends Input<Operation>
    ? (input?: Input<Operation>) => Promise<Answer<Operation>>
    : (input: Input<Operation>) => Promise<Answer<Operation>>;
};

type AnyInput = CallOptions & {
  path?: Record<string, string | number>;
  query?: Query;
  header?: Record<string, string | undefined>;
  body?: unknown;
};

export function createClient(options: ClientOptions): Client {
  const sender = createSender({ ...options, url: options.url.replace(/(?<!\/)\/+$/, "") });
  const names = Object.keys(operations) as Name[];
  // The generated table and the generated types have the same names.
  return Object.fromEntries(
    names.map((name) => [name, async (input: AnyInput = {}) => call(sender, name, input)]),
  ) as unknown as Client;
}

function call(sender: Sender, name: Name, { path = {}, header, headers, ...input }: AnyInput): Promise<unknown> {
  const [method, template = ""] = operations[name].split(" ");
  const accept = streamTypes[name];
  const sent = { ...input, method, path: fillPath(template, path), headers: { ...header, ...headers }, accept };
  return accept === undefined ? sender.request(sent) : sender.open(sent);
}

function fillPath(template: string, values: Record<string, string | number>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? "");
    // `fetch` would read the dots as another path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`path.${name} cannot be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
}
