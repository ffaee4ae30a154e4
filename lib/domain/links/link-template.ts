import { type LinkPlace, type LinkValues, type Placeholder, placeholders } from "./link-values.ts";

type Part = { text: string } | { placeholder: Placeholder; isJson: boolean; isInHost: boolean };
export type LinkTemplate = readonly Part[];

type ParsedTemplate = { ok: true; template: LinkTemplate } | { ok: false; reason: string };

const token = /\{([^{}]*)\}|[{}]/g;
/** What browsers drop, turn into another character, or end an address with. */
const unsafe = /[\s\\<>"`\p{Cc}\p{Cf}]/u;
const inHost: readonly Placeholder[] = ["cluster", "namespace"];

/**
 * Parses an address with placeholders such as `{namespace}`. `{query:json}` stands within a JSON text that is itself
 * percent-encoded. Only the path, the query and the fragment may have any placeholder: no value may choose the host.
 */
export function parseLinkTemplate(url: string): ParsedTemplate {
  if (!/^https?:\/\//i.test(url)) return refuse("the address begins with https:// or http://");
  if (unsafe.test(url)) return refuse("the address contains a space, a quote, a backslash or an invisible character");
  const authorityEnd = /^https?:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0;
  const parts: Part[] = [];
  let end = 0;
  for (const match of url.matchAll(token)) {
    const part = parsePlaceholder(match[1], match.index < authorityEnd);
    if (typeof part === "string") return refuse(part);
    if (match.index > end) parts.push({ text: url.slice(end, match.index) });
    parts.push(part);
    end = match.index + match[0].length;
  }
  if (end < url.length) parts.push({ text: url.slice(end) });
  const sample = parseAddress(parts.map((part) => ("text" in part ? part.text : "x")).join(""));
  return sample === undefined
    ? refuse("the address cannot be used: a host, no user, no password")
    : { ok: true, template: parts };
}

function parsePlaceholder(content: string | undefined, isInHost: boolean): Exclude<Part, { text: string }> | string {
  if (content === undefined) return "a brace belongs to no placeholder: write %7B and %7D";
  const [name = "", form] = content.split(":", 2);
  if (!isPlaceholder(name)) return `unknown placeholder {${name}}: use ${Object.keys(placeholders).join(", ")}`;
  if (content !== name && content !== `${name}:json`) return `unknown form "${form}" of {${name}}: only :json exists`;
  const isJson = form === "json";
  if (isInHost && (isJson || !inHost.includes(name))) return `only {cluster} and {namespace} may be part of the host`;
  return { placeholder: name, isJson, isInHost };
}

function refuse(reason: string): ParsedTemplate {
  return { ok: false, reason };
}

function isPlaceholder(name: string): name is Placeholder {
  return Object.hasOwn(placeholders, name);
}

/** Returns a placeholder that never has a value at this place; undefined if there is none. */
export function findValueless(template: LinkTemplate, place: LinkPlace): Placeholder | undefined {
  const used = template.flatMap((part) => ("placeholder" in part ? [part.placeholder] : []));
  return used.find((name) => !(placeholders[name] as readonly LinkPlace[]).includes(place));
}

/** Longer addresses are cut off somewhere on their way. */
const maxLength = 16_000;

/**
 * Returns the address with the values, each percent-encoded. Undefined if a value is missing, does not fit into a host
 * name, or would turn a part of the path into `.` or `..`, which browsers resolve.
 */
export function expandLink(template: LinkTemplate, values: LinkValues): string | undefined {
  let url = "";
  for (const part of template) {
    const text = "text" in part ? part.text : encodeValue(part, values[part.placeholder]);
    if (text === undefined) return undefined;
    url += text;
  }
  if (url.length > maxLength || hasDotSegment(url)) return undefined;
  return parseAddress(url)?.href;
}

const hostLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

function encodeValue(
  { isJson, isInHost }: Exclude<Part, { text: string }>,
  value: string | undefined,
): string | undefined {
  if (value === undefined) return undefined;
  if (isInHost) return hostLabel.test(value) ? value : undefined;
  const text = value.toWellFormed();
  // encodeURIComponent keeps the quote and the parentheses, which end an address in some texts.
  return encodeURIComponent(isJson ? JSON.stringify(text).slice(1, -1) : text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hasDotSegment(url: string): boolean {
  const path = /^https?:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? "";
  return path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

/** Parses an http or https address; undefined if it is none, or if it has a user part, which hides the real host. */
export function parseAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && url.host !== "" && url.username === "" && url.password === "" ? url : undefined;
}
