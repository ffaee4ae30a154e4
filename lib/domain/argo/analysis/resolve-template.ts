import { goQuote } from "#lib/expr/go-quote.ts";
import type { Outcome } from "./outcome.ts";
import type { Argument } from "./types.ts";

/**
 * Replaces every `{{ args.name }}` in a text. An argument without a value, a tag without a matching argument, and an
 * unclosed tag are errors; of several unknown tags the last is named, with its own spaces.
 * Mirrors argo-rollouts utils/template/template.go `ResolveArgs`.
 */
export function resolveArgs(template: string, args: readonly Argument[]): Outcome<string> {
  const values = new Map<string, string>();
  const parsed = splitTemplate(template);
  if ("error" in parsed) return parsed;
  for (const arg of args) {
    if (arg.value === undefined) return { error: `argument "${arg.name}" was not supplied` };
    values.set(`args.${arg.name}`, arg.value);
  }
  return fillTemplate(parsed.value, values);
}

/**
 * Does the same as `resolveArgs` for a template that is JSON text: values are escaped as Go quotes them
 * (`ResolveQuotedArgs`).
 */
export function resolveQuotedArgs(template: string, args: readonly Argument[]): Outcome<string> {
  const quoted = args.map(({ name, value }) => ({
    name,
    value: value === undefined ? undefined : goQuote(value).slice(1, -1),
  }));
  return resolveArgs(template, quoted);
}

type TemplatePart = { readonly text: string } | { readonly tag: string };

/** Cuts a text at its `{{tag}}` marks (github.com/valyala/fasttemplate `Template.Reset`). */
export function splitTemplate(template: string): Outcome<readonly TemplatePart[]> {
  const parts: TemplatePart[] = [];
  let position = 0;
  for (;;) {
    const open = template.indexOf("{{", position);
    if (open < 0) break;
    parts.push({ text: template.slice(position, open) });
    const close = template.indexOf("}}", open + 2);
    if (close < 0) {
      const rest = goQuote(template.slice(open + 2));
      return { error: `Cannot find end tag="}}" in the template=${goQuote(template)} starting from ${rest}` };
    }
    parts.push({ tag: template.slice(open + 2, close) });
    position = close + 2;
  }
  parts.push({ text: template.slice(position) });
  return { value: parts };
}

export function fillTemplate(parts: readonly TemplatePart[], values: ReadonlyMap<string, string>): Outcome<string> {
  let error: string | undefined;
  const filled = parts.map((part) => {
    if ("text" in part) return part.text;
    const value = values.get(part.tag.trim());
    if (value === undefined) error = `failed to resolve {{${part.tag}}}`;
    return value ?? "";
  });
  return error === undefined ? { value: filled.join("") } : { error };
}
